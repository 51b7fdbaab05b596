//! `regex` and `not_regex`, on patterns that both engines read alike.

use gradestone::matching::Pattern;
use gradestone::set::Grader;

use super::Shown;
use crate::harness::{Verdict, agree, grade_texts};
use crate::input::{Input, encode};
use crate::oracle::{backtrack, matching};
use crate::words::MATCHED;

/// Code points of a text: the oracle tries every way.
const LONGEST: usize = 64;

/// Quantifiers without an end in a pattern, for the same reason.
const UNBOUNDED: usize = 3;

/// The first field makes a pattern, which is searched in the others.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &MATCHED);
    let written = Writer { bytes: input.fields[0].iter(), unbounded: 0 }.alternatives(2);
    let forbid = input.head[1] & 1 == 1;
    let pattern =
        backtrack::Pattern::read(&written).unwrap_or_else(|| panic!("the oracle cannot read {written:?}"));
    // Over the bound on programs: such a pattern is not this engine's.
    let Ok(kernel) = Pattern::new(&written, forbid) else { return };
    let mut texts = input.texts(4).split_off(1);
    texts.iter_mut().for_each(|text| text.truncate(LONGEST));
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| encode(text)).collect();
    for (verdict, text) in grade_texts(&Grader::Pattern(kernel), &bytes).iter().zip(&texts) {
        let is_plain = text.iter().all(|code_point| char::from_u32(*code_point).is_some());
        let expected =
            if is_plain { matching::pattern(text, &pattern, forbid) } else { Verdict::plain("needs_engine") };
        agree(verdict, &expected, &(&written, Shown(text), forbid));
    }
}

/// Writes a pattern, a byte an item.
struct Writer<'a> {
    bytes: std::slice::Iter<'a, u8>,
    unbounded: usize,
}

const ITEMS: [&str; 24] = [
    "a",
    "b",
    "c",
    "A",
    "_",
    "0",
    " ",
    r"\n",
    r"\r",
    r"\t",
    "-",
    r"\.",
    ".",
    "[a-c]",
    "[^a]",
    "[0-9]",
    "[^0-9A-Za-z_]",
    "[ab_]",
    "é",
    "中",
    "😀",
    "^",
    r"\z",
    r"(?-u:\b)",
];

/// The last three items are places: nothing repeats a place.
const PLACES: usize = 3;

const QUANTIFIERS: [&str; 8] = ["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "{3}"];

impl Writer<'_> {
    fn alternatives(&mut self, levels: usize) -> String {
        let mut written = self.sequence(levels);
        while self.bytes.as_slice().first() == Some(&b'|') {
            self.bytes.next();
            written = written + "|" + &self.sequence(levels);
        }
        written
    }

    /// Up to the end, a bar, or the end of a group.
    fn sequence(&mut self, levels: usize) -> String {
        let mut written = String::new();
        for _ in 0..8 {
            match self.bytes.as_slice().first() {
                None | Some(b'|') => break,
                Some(b')') if levels < 2 => break,
                Some(b'(') if levels > 0 => {
                    self.bytes.next();
                    written = written + "(?:" + &self.alternatives(levels - 1) + ")";
                    self.bytes
                        .as_slice()
                        .first()
                        .filter(|byte| **byte == b')')
                        .and_then(|_| self.bytes.next());
                }
                Some(byte) => {
                    let byte = *byte;
                    self.bytes.next();
                    written += &self.item(byte);
                }
            }
        }
        written
    }

    /// An item; every other byte repeats it too.
    fn item(&mut self, byte: u8) -> String {
        let index = usize::from(byte / 2) % ITEMS.len();
        let item = ITEMS[index].to_owned();
        if byte.is_multiple_of(2) || index >= ITEMS.len() - PLACES {
            return item;
        }
        let quantifier = QUANTIFIERS[usize::from(byte / 32)];
        let is_unbounded = quantifier.len() == 1 || quantifier.ends_with(",}");
        self.unbounded += usize::from(is_unbounded);
        if is_unbounded && self.unbounded > UNBOUNDED { item } else { item + quantifier }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_that_is_written_can_be_read_by_both() {
        for first in 0..=255 {
            for second in [b'(', b')', b'|', 3, 200] {
                let written =
                    Writer { bytes: [first, second, b'(', first, b'|', second].iter(), unbounded: 0 }
                        .alternatives(2);
                assert!(backtrack::Pattern::read(&written).is_some(), "{written:?}");
                assert!(Pattern::new(&written, false).is_ok(), "{written:?}");
            }
        }
    }
}
