//! BLEU of one candidate against one reference, on pinned tokens.
//!
//! Papineni et al. 2002, for a single sentence: the geometric mean of the clipped n-gram precisions of order 1 to
//! N = min(4, |c|, |r|), times the brevity penalty. An order without a match counts half a match, so that one missing
//! order does not erase the others. The figures are not those of the corpus BLEU in the literature.

use crate::batch::{Kernel, Row, STATS};
use crate::ngram::{self, ORDERS};
use crate::text::Cell;
use crate::tokenizer::Pair;

/// The kernel of `bleu_score`: [`Code::Ok`] or [`Code::BelowThreshold`], and the score.
///
/// A row without something to score fails as [`Pair::read`] says. Statistics: clipped matches of order 1 to 4 (0 for
/// an order that a side is too short for), tokens of the candidate, tokens of the reference.
///
/// [`Code::Ok`]: crate::batch::Code::Ok
/// [`Code::BelowThreshold`]: crate::batch::Code::BelowThreshold
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::bleu::Bleu;
/// use gradestone::text::Cell;
///
/// let row = Bleu { threshold: 0.5 }.grade(&(Cell::Text(b"the cat sat"), Cell::Text(b"The cat sat!")), &mut Default::default());
/// assert_eq!((row.code, row.stats), (Code::Ok, [3, 2, 1, 0, 3, 4]));
/// assert_eq!(row.score, (1.0 - 4.0 / 3.0_f64).exp());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bleu {
    /// The least score that passes, 0..1.
    pub threshold: f64,
}

/// Buffers of `Bleu`.
#[derive(Default)]
pub struct Scratch {
    pair: Pair,
    ngrams: ngram::Scratch,
}

impl<'a> Kernel<(Cell<'a>, Cell<'a>)> for Bleu {
    type Scratch = Scratch;

    fn grade(&self, input: &(Cell<'a>, Cell<'a>), scratch: &mut Scratch) -> Row {
        match scratch.pair.read(input) {
            Ok(()) => self.grade_tokens(&scratch.pair, &mut scratch.ngrams),
            Err(code) => Row::plain(code),
        }
    }
}

impl Bleu {
    /// Grades a row whose tokens were read already.
    pub fn grade_tokens(&self, pair: &Pair, scratch: &mut ngram::Scratch) -> Row {
        let stats = statistics(pair, scratch);
        Row::scored(score(stats), self.threshold, stats)
    }
}

/// Clipped matches of order 1 to 4, tokens of the candidate, tokens of the reference.
#[must_use]
pub fn statistics(pair: &Pair, scratch: &mut ngram::Scratch) -> [u32; STATS] {
    let [candidate, reference] = [&pair.candidate, &pair.reference];
    let [one, two, three, four] = ngram::clipped(candidate, reference, pair.distinct(), scratch);
    [one, two, three, four, candidate.len() as u32, reference.len() as u32]
}

/// The score that the statistics of two sides with tokens give.
#[must_use]
pub fn score(stats: [u32; STATS]) -> f64 {
    let [.., candidate, reference] = stats;
    let orders = candidate.min(reference).min(ORDERS as u32);
    let logarithms: f64 =
        (0..orders).zip(stats).map(|(shorter, matches)| precision(matches, candidate - shorter).ln()).sum();
    brevity_penalty(candidate, reference) * (logarithms / f64::from(orders)).exp()
}

/// Matches among the n-grams of the candidate, half a match where there is none.
fn precision(matches: u32, ngrams: u32) -> f64 {
    if matches == 0 { 1.0 / f64::from(2 * ngrams) } else { f64::from(matches) / f64::from(ngrams) }
}

fn brevity_penalty(candidate: u32, reference: u32) -> f64 {
    if candidate >= reference { 1.0 } else { (1.0 - f64::from(reference) / f64::from(candidate)).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Code;
    use crate::limits::MAX_TOKENS;

    /// Candidate, reference, statistics, brevity penalty, precisions.
    type Case = (&'static str, &'static str, [u32; STATS], f64, &'static [f64]);

    fn grade(candidate: &str, reference: &str, threshold: f64) -> Row {
        let cells = (Cell::Text(candidate.as_bytes()), Cell::Text(reference.as_bytes()));
        Bleu { threshold }.grade(&cells, &mut Scratch::default())
    }

    #[test]
    fn equal_texts_score_one_at_every_length() {
        for tokens in [1, 2, 3, 4, 5, 63, 64, 65, 127, 128, 129, MAX_TOKENS] {
            let text: String = (0..tokens).map(|token| format!("t{token} ")).collect();
            let row = grade(&text, &text.to_uppercase(), 1.0);
            assert_eq!((row.code, row.score), (Code::Ok, 1.0), "{tokens} tokens");
        }
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        let short = (-1.0f64).exp();
        let cases: [Case; 7] = [
            ("a", "b", [0, 0, 0, 0, 1, 1], 1.0, &[1.0 / 2.0]),
            ("a b", "a b c d", [2, 1, 0, 0, 2, 4], short, &[1.0, 1.0]),
            ("a b c d", "a b", [2, 1, 0, 0, 4, 2], 1.0, &[2.0 / 4.0, 1.0 / 3.0]),
            ("a a a a", "a b c d", [1, 0, 0, 0, 4, 4], 1.0, &[1.0 / 4.0, 1.0 / 6.0, 1.0 / 4.0, 1.0 / 2.0]),
            ("a b c", "c b a", [3, 0, 0, 0, 3, 3], 1.0, &[1.0, 1.0 / 4.0, 1.0 / 2.0]),
            (
                "a b c d x",
                "a b c d y",
                [4, 3, 2, 1, 5, 5],
                1.0,
                &[4.0 / 5.0, 3.0 / 4.0, 2.0 / 3.0, 1.0 / 2.0],
            ),
            ("\u{212a} x", "k X", [2, 1, 0, 0, 2, 2], 1.0, &[1.0, 1.0]),
        ];
        for (candidate, reference, stats, penalty, precisions) in cases {
            let row = grade(candidate, reference, 0.0);
            let logarithms: f64 = precisions.iter().map(|precision| precision.ln()).sum();
            let expected = penalty * (logarithms / precisions.len() as f64).exp();
            assert_eq!((row.stats, row.score), (stats, expected), "{candidate:?} {reference:?}");
        }
    }

    #[test]
    fn the_threshold_itself_passes() {
        let score = grade("a b c x", "a b c y", 0.0).score;
        assert_eq!(grade("a b c x", "a b c y", score).code, Code::Ok);
        assert_eq!(grade("a b c x", "a b c y", score.next_up()).code, Code::BelowThreshold);
    }

    #[test]
    fn the_cap_counts_tokens_of_each_side() {
        let text = |tokens: usize| "a,".repeat(tokens / 2) + &"b".repeat(tokens % 2);
        for (candidate, reference, expected) in [
            (MAX_TOKENS, MAX_TOKENS, Code::Ok),
            (MAX_TOKENS + 1, 1, Code::OverCap),
            (1, MAX_TOKENS + 1, Code::OverCap),
        ] {
            let row = grade(&text(candidate), &text(reference), 0.0);
            assert_eq!(row.code, expected);
            assert_eq!(row.stats[4] as usize, if expected == Code::Ok { candidate } else { 0 });
        }
    }
}
