//! Jaccard overlap of the sets of pinned tokens of two texts.

use crate::batch::{Kernel, Row};
use crate::text::Cell;
use crate::tokenizer::Pair;

/// The kernel of `semantic`: the share of distinct tokens that both sides have among those that either has.
///
/// A row without something to score fails as [`Pair::read_uncapped`] says. Statistics: the size of the intersection,
/// the size of the union. Linear, and without a cap.
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::jaccard::Jaccard;
/// use gradestone::text::Cell;
///
/// let row = Jaccard { threshold: 0.5 }.grade(&(Cell::Text(b"a b b"), Cell::Text(b"B C")), &mut Default::default());
/// assert_eq!((row.code, row.score), (Code::BelowThreshold, 1.0 / 3.0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Jaccard {
    /// The least score that passes, 0..1.
    pub threshold: f64,
}

/// Buffers of `Jaccard`.
#[derive(Default)]
pub struct Scratch {
    pair: Pair,
    sides: Vec<u8>,
}

impl<'a> Kernel<(Cell<'a>, Cell<'a>)> for Jaccard {
    type Scratch = Scratch;

    fn grade(&self, input: &(Cell<'a>, Cell<'a>), scratch: &mut Scratch) -> Row {
        match scratch.pair.read_uncapped(input) {
            Ok(()) => self.grade_tokens(&scratch.pair, &mut scratch.sides),
            Err(code) => Row::plain(code),
        }
    }
}

impl Jaccard {
    /// Grades a row whose tokens were read already; `sides` is a buffer.
    pub fn grade_tokens(&self, pair: &Pair, sides: &mut Vec<u8>) -> Row {
        let [shared, all] = sizes(pair, sides);
        Row::scored(f64::from(shared) / f64::from(all), self.threshold, [shared, all, 0, 0, 0, 0])
    }
}

/// The sizes of the intersection and of the union of both sides' sets of tokens.
fn sizes(pair: &Pair, sides: &mut Vec<u8>) -> [u32; 2] {
    sides.clear();
    sides.resize(pair.distinct() as usize, 0);
    pair.candidate.iter().for_each(|token| sides[*token as usize] |= 1);
    pair.reference.iter().for_each(|token| sides[*token as usize] |= 2);
    let shared = sides.iter().map(|sides| u32::from(*sides == 3)).sum();
    [shared, pair.distinct()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Code;
    use crate::limits::MAX_TOKENS;

    fn grade(candidate: &str, reference: &str, threshold: f64) -> Row {
        let cells = (Cell::Text(candidate.as_bytes()), Cell::Text(reference.as_bytes()));
        Jaccard { threshold }.grade(&cells, &mut Scratch::default())
    }

    #[test]
    fn sets_are_compared() {
        let cases = [
            ("a b c", "A B C", [3, 3]),
            ("a a a b", "b c", [1, 3]),
            ("a", "b", [0, 2]),
            ("a, b", "a b!", [2, 4]),
            ("\u{a0}", "\u{85} \u{a0}", [1, 2]),
        ];
        for (candidate, reference, [shared, all]) in cases {
            let row = grade(candidate, reference, 0.0);
            assert_eq!(row.stats, [shared, all, 0, 0, 0, 0], "{candidate:?} {reference:?}");
            assert_eq!(row.score, f64::from(shared) / f64::from(all));
        }
    }

    #[test]
    fn the_threshold_itself_passes() {
        assert_eq!(grade("a b", "b c", 1.0 / 3.0).code, Code::Ok);
        assert_eq!(grade("a b", "b c", (1.0f64 / 3.0).next_up()).code, Code::BelowThreshold);
    }

    #[test]
    fn an_empty_side_fails_and_a_long_one_does_not() {
        assert_eq!(grade("a", " \n", 0.0), Row::plain(Code::EmptyReference));
        assert_eq!(grade("", "a", 0.0), Row::plain(Code::EmptyCandidate));
        let long: String = (0..=10 * MAX_TOKENS).map(|token| format!("t{token} ")).collect();
        assert_eq!(grade(&long, &long, 1.0).stats[0] as usize, 10 * MAX_TOKENS + 1);
        let cells = (Cell::Other, Cell::Text(b"a"));
        assert_eq!(Jaccard { threshold: 0.0 }.grade(&cells, &mut Scratch::default()).code, Code::NotText);
    }
}
