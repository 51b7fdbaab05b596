//! The targets, each of which reads an input, and ends the run where a kernel and its oracle disagree.

pub mod arrow;
pub mod bleu;
pub mod blocklist;
pub mod contains;
pub mod context_f1;
pub mod exact_match;
pub mod jsonl;
pub mod no_pii;
pub mod regex;
pub mod rouge_1;
pub mod rouge_l;
pub mod semantic;
pub mod set;
pub mod splice;
pub mod text;
pub mod tokenizer;

use gradestone::set::Grader;
use gradestone::text::Cell;

use crate::Text;
use crate::harness::{Verdict, agree, grade_pairs};
use crate::input::{Input, encode, threshold};
use crate::words::PROSE;

/// Texts of an input that are compared.
const SIDES: usize = 2;

/// The target of a grader of pairs: two texts, perhaps the one made of the other, both ways, at a threshold near the first score.
fn run_pairs(
    data: &[u8],
    grader: impl FnOnce(f64) -> Grader,
    oracle: impl Fn(&[u32], &[u32], f64) -> Verdict,
) {
    run_texts(&Input::new(data, &PROSE).variations(SIDES), data.get(1).copied().unwrap_or(0), grader, oracle);
}

fn run_texts(
    texts: &[Text],
    choice: u8,
    grader: impl FnOnce(f64) -> Grader,
    oracle: impl Fn(&[u32], &[u32], f64) -> Verdict,
) {
    let pairs: Vec<(&Text, &Text)> =
        (0..texts.len()).map(|side| (&texts[side], &texts[(side + 1) % texts.len()])).collect();
    let limit = threshold(choice, || oracle(pairs[0].0, pairs[0].1, 0.0).score);
    let bytes: Vec<[Vec<u8>; 2]> = pairs.iter().map(|pair| [encode(pair.0), encode(pair.1)]).collect();
    let cells: Vec<_> = bytes.iter().map(|[one, other]| (Cell::Text(one), Cell::Text(other))).collect();
    let verdicts = grade_pairs(&grader(limit), &cells);
    assert_eq!(verdicts.len(), pairs.len());
    for (verdict, (candidate, reference)) in verdicts.iter().zip(&pairs) {
        agree(verdict, &oracle(candidate, reference, limit), &(Shown(candidate), Shown(reference), limit));
    }
}

/// Whether an input is one of those that are made long. They are slow, and would be chosen ever more often, for what
/// only they reach, if a byte could choose them.
fn is_rare(data: &[u8]) -> bool {
    data.iter()
        .fold(0u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
        .is_multiple_of(127)
}

/// A text as a finding shows it.
struct Shown<'a>(&'a [u32]);

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "\"")?;
        for code_point in self.0 {
            match char::from_u32(*code_point) {
                Some(character) => write!(formatter, "{}", character.escape_default())?,
                None => write!(formatter, "\\u{code_point:04x}")?,
            }
        }
        write!(formatter, "\"")
    }
}

fn shown(texts: &[Text]) -> Vec<Shown<'_>> {
    texts.iter().map(|text| Shown(text)).collect()
}
