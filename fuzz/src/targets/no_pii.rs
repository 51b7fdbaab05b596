//! `no_pii`.

use gradestone::pii::Pii;
use gradestone::set::Grader;

use super::Shown;
use crate::harness::{agree, grade_texts};
use crate::input::{Input, encode};
use crate::oracle::pii::{NAMES, no_pii};
use crate::words::PERSONAL;

/// Code points of a text: twice what the longest pattern takes.
const LONGEST: usize = 160;

/// Each text is searched; the second byte chooses kinds, none of them standing for all.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PERSONAL);
    let mut texts = input.texts(2);
    texts.iter_mut().for_each(|text| text.truncate(LONGEST));
    let mask = if input.head[1] & 0x7f == 0 { 0x7f } else { input.head[1] };
    let kinds: Vec<&str> =
        NAMES.into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, name)| name).collect();
    let grader = Grader::Pii(Pii::new(&kinds).expect("the kernel knows the kinds"));
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| encode(text)).collect();
    for (verdict, text) in grade_texts(&grader, &bytes).iter().zip(&texts) {
        agree(verdict, &no_pii(text, &kinds), &(Shown(text), &kinds));
    }
}
