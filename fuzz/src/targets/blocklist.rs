//! `blocklist`.

use gradestone::blocklist::Blocklist;
use gradestone::set::Grader;

use super::{Shown, shown};
use crate::harness::{agree, grade_texts};
use crate::input::{Input, encode};
use crate::oracle::blocklist::blocklist;
use crate::words::PROSE;

/// The first text is searched for the others, many of which are parts of it; the last one too.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let first = input.text(input.fields[0]);
    let terms = input.cuttings(&first, 12);
    let last = terms.last().cloned().unwrap_or_default();
    let texts = [first, last];
    let given: Vec<Vec<u8>> = terms.iter().map(|term| encode(term)).collect();
    let grader = Grader::Blocklist(Blocklist::new(&given));
    let verdicts = grade_texts(&grader, &texts.each_ref().map(|text| encode(text)));
    for (verdict, text) in verdicts.iter().zip(&texts) {
        agree(verdict, &blocklist(text, &terms), &(Shown(text), shown(&terms)));
    }
}
