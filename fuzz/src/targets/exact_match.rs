//! `exact_match`.

use gradestone::matching::ExactMatch;
use gradestone::set::Grader;
use gradestone::text::Cell;

use super::Shown;
use crate::harness::{agree, grade_pairs};
use crate::input::{Input, encode};
use crate::oracle::matching::exact_match;
use crate::words::PROSE;

/// Texts against each other; most are another one with few changes.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let texts = input.variations(4);
    let [case_sensitive, remove_punctuation] = [1, 2].map(|bit| input.head[1] & bit != 0);
    let grader = Grader::ExactMatch(ExactMatch { case_sensitive, remove_punctuation });
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| encode(text)).collect();
    let pairs: Vec<(usize, usize)> = (0..texts.len()).map(|side| (side, (side + 1) % texts.len())).collect();
    let cells: Vec<_> =
        pairs.iter().map(|(one, other)| (Cell::Text(&bytes[*one]), Cell::Text(&bytes[*other]))).collect();
    for (verdict, (one, other)) in grade_pairs(&grader, &cells).iter().zip(pairs) {
        let expected = exact_match(&texts[one], &texts[other], case_sensitive, remove_punctuation);
        agree(
            verdict,
            &expected,
            &(Shown(&texts[one]), Shown(&texts[other]), case_sensitive, remove_punctuation),
        );
    }
}
