//! ROUGE-1 and ROUGE-L of one candidate against one reference, on pinned tokens.
//!
//! Lin 2004: the overlap is the clipped count of single tokens, or the length of the longest common subsequence;
//! precision is its share of the candidate, recall its share of the reference, F their harmonic mean. There is no
//! stemming, and the whole text is one sequence, not split into sentences.

use crate::batch::{Kernel, Row};
use crate::text::Cell;
use crate::tokenizer::Pair;
use crate::{lcs, ngram};

/// What the overlap counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RougeType {
    /// Single tokens, each as often as both sides have it.
    One,
    /// The longest common subsequence.
    L,
}

impl RougeType {
    /// The type that an option names.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "rouge_1" => Some(Self::One),
            "rouge_l" => Some(Self::L),
            _ => None,
        }
    }
}

/// Which share of the overlap is the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Its share of the candidate.
    Precision,
    /// Its share of the reference.
    Recall,
    /// The harmonic mean of both.
    Fmeasure,
}

impl Measure {
    /// The measure that an option names; `context_f1` calls F by another name than ROUGE does.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "precision" => Some(Self::Precision),
            "recall" => Some(Self::Recall),
            "fmeasure" | "f1" => Some(Self::Fmeasure),
            _ => None,
        }
    }

    /// The measure of a precision and a recall; F is 0 where both are.
    #[must_use]
    pub fn of(self, precision: f64, recall: f64) -> f64 {
        match self {
            Self::Precision => precision,
            Self::Recall => recall,
            Self::Fmeasure if precision + recall == 0.0 => 0.0,
            Self::Fmeasure => 2.0 * precision * recall / (precision + recall),
        }
    }
}

/// The kernel of `rouge_score`: [`Code::Ok`] or [`Code::BelowThreshold`], and the score.
///
/// A row without something to score fails as [`Pair::read`] says. Statistics: the overlap, tokens of the candidate,
/// tokens of the reference.
///
/// [`Code::Ok`]: crate::batch::Code::Ok
/// [`Code::BelowThreshold`]: crate::batch::Code::BelowThreshold
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::rouge::{Measure, Rouge, RougeType};
/// use gradestone::text::Cell;
///
/// let kernel = Rouge { kind: RougeType::L, measure: Measure::Recall, threshold: 0.75 };
/// let row = kernel.grade(&(Cell::Text(b"a cat sat"), Cell::Text(b"A dog sat.")), &mut Default::default());
/// assert_eq!((row.code, row.score), (Code::BelowThreshold, 0.5));
/// assert_eq!(row.stats[..3], [2, 3, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rouge {
    /// What the overlap counts.
    pub kind: RougeType,
    /// Which share of it is the score.
    pub measure: Measure,
    /// The least score that passes, 0..1.
    pub threshold: f64,
}

/// Buffers of `Rouge`.
#[derive(Default)]
pub struct Scratch {
    pair: Pair,
    counting: Counting,
}

/// What counting an overlap reuses from row to row.
#[derive(Default)]
pub struct Counting {
    tallies: Vec<ngram::Tally>,
    lcs: lcs::Scratch,
}

impl<'a> Kernel<(Cell<'a>, Cell<'a>)> for Rouge {
    type Scratch = Scratch;

    fn grade(&self, input: &(Cell<'a>, Cell<'a>), scratch: &mut Scratch) -> Row {
        match scratch.pair.read(input) {
            Ok(()) => self.grade_tokens(&scratch.pair, &mut scratch.counting),
            Err(code) => Row::plain(code),
        }
    }
}

impl Rouge {
    /// Grades a row whose tokens were read already.
    pub fn grade_tokens(&self, pair: &Pair, counting: &mut Counting) -> Row {
        let [candidate, reference] = [&pair.candidate, &pair.reference];
        let overlap = match self.kind {
            RougeType::One => {
                ngram::clipped_tokens(candidate, reference, pair.distinct(), &mut counting.tallies)
            }
            RougeType::L => lcs::length(candidate, reference, &mut counting.lcs) as u32,
        };
        let counts = [overlap, candidate.len() as u32, reference.len() as u32];
        let [overlap, ours, theirs] = counts;
        Row::scored(score(self.measure, counts), self.threshold, [overlap, ours, theirs, 0, 0, 0])
    }
}

/// The score that an overlap and the tokens of both sides give.
#[must_use]
pub fn score(measure: Measure, [overlap, candidate, reference]: [u32; 3]) -> f64 {
    let share = |tokens: u32| f64::from(overlap) / f64::from(tokens);
    measure.of(share(candidate), share(reference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Code;
    use crate::limits::MAX_TOKENS;

    const KINDS: [RougeType; 2] = [RougeType::One, RougeType::L];
    const MEASURES: [Measure; 3] = [Measure::Precision, Measure::Recall, Measure::Fmeasure];

    /// Type, candidate, reference, overlap and tokens, the score by each measure.
    type Case = (RougeType, &'static str, &'static str, [u32; 3], [f64; 3]);

    fn grade(rouge: Rouge, candidate: &str, reference: &str) -> Row {
        let cells = (Cell::Text(candidate.as_bytes()), Cell::Text(reference.as_bytes()));
        rouge.grade(&cells, &mut Scratch::default())
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        let (p, r) = (3.0 / 4.0, 3.0 / 5.0);
        let cases: [Case; 7] = [
            (RougeType::One, "a b c x", "c b a y z", [3, 4, 5], [p, r, 2.0 * p * r / (p + r)]),
            (RougeType::L, "a b c x", "a y b z c", [3, 4, 5], [p, r, 2.0 * p * r / (p + r)]),
            (RougeType::L, "a b", "b a", [1, 2, 2], [0.5, 0.5, 0.5]),
            (RougeType::One, "a a a", "a", [1, 3, 1], [1.0 / 3.0, 1.0, 0.5]),
            (RougeType::One, "a", "b", [0, 1, 1], [0.0, 0.0, 0.0]),
            (RougeType::L, "a", "b", [0, 1, 1], [0.0, 0.0, 0.0]),
            (RougeType::One, "ΟΔΟΣ", "οδος", [4, 4, 4], [1.0, 1.0, 1.0]),
        ];
        for (kind, candidate, reference, [overlap, ours, theirs], scores) in cases {
            for (measure, expected) in MEASURES.into_iter().zip(scores) {
                let row = grade(Rouge { kind, measure, threshold: 0.0 }, candidate, reference);
                assert_eq!(row.stats, [overlap, ours, theirs, 0, 0, 0], "{candidate:?} {reference:?}");
                assert_eq!(row.score, expected, "{candidate:?} {reference:?} {measure:?}");
            }
        }
    }

    #[test]
    fn the_threshold_itself_passes() {
        for kind in KINDS {
            for measure in MEASURES {
                let rouge = |threshold| Rouge { kind, measure, threshold };
                let score = grade(rouge(0.0), "a b c", "a c d e").score;
                assert_eq!(grade(rouge(score), "a b c", "a c d e").code, Code::Ok);
                assert_eq!(grade(rouge(score.next_up()), "a b c", "a c d e").code, Code::BelowThreshold);
            }
        }
    }

    #[test]
    fn caps_and_empty_sides_come_first() {
        let over = "a ".repeat(MAX_TOKENS + 1);
        for kind in KINDS {
            let rouge = Rouge { kind, measure: Measure::Fmeasure, threshold: 0.0 };
            assert_eq!(grade(rouge, "", "").code, Code::EmptyReference);
            assert_eq!(grade(rouge, "", &over).code, Code::EmptyCandidate);
            assert_eq!(grade(rouge, "a", &over), Row::plain(Code::OverCap));
            assert_eq!(grade(rouge, &over[2..], &over[2..]).score, 1.0);
        }
    }

    #[test]
    fn options_are_known_by_name() {
        assert_eq!(
            ["rouge_1", "rouge_l", "rouge_2"].map(RougeType::parse),
            [Some(KINDS[0]), Some(KINDS[1]), None]
        );
        let names = ["precision", "recall", "fmeasure", "f1", "f2", ""];
        let expected =
            [Some(MEASURES[0]), Some(MEASURES[1]), Some(MEASURES[2]), Some(MEASURES[2]), None, None];
        assert_eq!(names.map(Measure::parse), expected);
    }
}
