//! `contains` and `not_contains`.

use gradestone::matching::Contains;
use gradestone::set::Grader;

use super::{Shown, shown};
use crate::harness::{agree, grade_texts};
use crate::input::{Input, encode};
use crate::oracle::matching::contains;
use crate::words::PROSE;

/// The first text is searched for the others, many of which are parts of it; the last one too.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let first = input.text(input.fields[0]);
    let fragments = input.cuttings(&first, 8);
    let forbid = input.head[1] & 1 == 1;
    let last = fragments.last().cloned().unwrap_or_default();
    let texts = [first, last];
    let given: Vec<Vec<u8>> = fragments.iter().map(|fragment| encode(fragment)).collect();
    let grader = Grader::Contains(Contains::new(&given, forbid));
    let verdicts = grade_texts(&grader, &texts.each_ref().map(|text| encode(text)));
    for (verdict, text) in verdicts.iter().zip(&texts) {
        agree(verdict, &contains(text, &fragments, forbid), &(Shown(text), shown(&fragments), forbid));
    }
}
