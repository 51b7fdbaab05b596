//! Lines of JSON as columns: where the wanted members of each line lie, without making anything of the others.
//!
//! Every line is checked in full (the crate `jiter` reads it), and taken only if it is plainly an object that nobody
//! could read in two ways. A line with anything unusual in it is *hard*: it is left to the caller, whose slower
//! reader says what is wrong with it, or takes it. Hard are: what is not a JSON object, a key that is repeated at any
//! level or spelt with an escape, lone surrogates, numbers with an exponent or of more than 17 characters, objects of
//! more than 64 members, more than 64 levels of nesting, and a member whose name is reserved. So whatever this reader
//! takes the slower one takes too, and finds the same in it.
//!
//! A text without an escape stays where it is; another is decoded once, beside the lines. Cost: linear, one pass.

use std::ops::Range;

use jiter::{Jiter, JiterResult, Peek};
use memchr::memchr_iter;

use crate::text::Cell;
use crate::threads::Watch;

/// Members of an object that are told apart one by one.
const MEMBERS: usize = 64;

/// Levels of nesting below the row.
const LEVELS: usize = 64;

/// Characters of a number that every reader takes for the same.
const DIGITS: usize = 17;

/// A line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number; blank lines count.
    pub number: usize,
    /// Where the object lies, without whitespace round it.
    pub place: Range<usize>,
}

/// The lines of `block`, the first of them being number `first`, and the number of line ends.
#[must_use]
pub fn lines(block: &[u8], first: usize) -> (Vec<Line>, usize) {
    let ends = memchr_iter(b'\n', block).chain([block.len()]);
    let mut start = 0;
    let mut breaks = 0;
    let mut found = Vec::new();
    for (index, end) in ends.enumerate() {
        breaks = index;
        let number = first + index;
        let line = start..end;
        start = end + 1;
        if !block[line.clone()].iter().all(|byte| crate::text::is_pinned_whitespace(*byte)) {
            found.push(Line { number, place: trimmed(block, line) });
        }
    }
    (found, breaks)
}

fn trimmed(block: &[u8], place: Range<usize>) -> Range<usize> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let text = &block[place.clone()];
    let before = text.iter().take_while(|byte| is_space(byte)).count();
    let after = text.iter().rev().take_while(|byte| is_space(byte)).count();
    // A line of other whitespace has no JSON in it and overlaps itself here.
    place.start + before..(place.end - after).max(place.start + before)
}

/// A wanted member of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Where its JSON text lies in the block; empty where the line has no such member, or is hard.
    pub raw: Range<usize>,
    text: Text,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Text {
    /// It is no text.
    #[default]
    None,
    /// Between the quotes of `raw`.
    Plain,
    /// In the decoded texts.
    Decoded(Range<usize>),
}

/// What was found in a run of lines.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// One for each line and wanted member, line by line.
    pub values: Vec<Value>,
    /// The decoded texts.
    decoded: Vec<u8>,
    /// Whether each line is hard.
    pub hard: Vec<bool>,
}

impl Found {
    /// Puts runs together that follow each other.
    #[must_use]
    pub fn joined(runs: Vec<Self>) -> Self {
        let mut runs = runs.into_iter();
        let mut whole = runs.next().unwrap_or_default();
        for run in runs {
            let shift = whole.decoded.len();
            whole.decoded.extend_from_slice(&run.decoded);
            whole.hard.extend_from_slice(&run.hard);
            whole.values.extend(run.values.into_iter().map(|value| value.shifted(shift)));
        }
        whole
    }

    /// Keeps the lines for which `keep` holds, of which each has so many `wanted` members.
    pub fn retain(&mut self, wanted: usize, keep: &[bool]) {
        let mut row = keep.iter();
        self.hard.retain(|_| *row.next().unwrap_or(&true));
        let mut at = 0..;
        let kept = |index: usize| keep.get(index / wanted).copied().unwrap_or(true);
        self.values.retain(|_| kept(at.next().unwrap_or_default()));
    }

    /// A value as a cell; `block` is what it was found in.
    #[must_use]
    pub fn cell<'a>(&'a self, block: &'a [u8], index: usize) -> Cell<'a> {
        let value = &self.values[index];
        match &value.text {
            Text::None => Cell::Other,
            Text::Plain => Cell::Text(&block[value.raw.start + 1..value.raw.end - 1]),
            Text::Decoded(place) => Cell::Text(&self.decoded[place.clone()]),
        }
    }
}

impl Value {
    fn shifted(mut self, shift: usize) -> Self {
        if let Text::Decoded(place) = &mut self.text {
            *place = place.start + shift..place.end + shift;
        }
        self
    }
}

/// Which members of a line are looked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The members whose values are kept.
    pub names: Vec<String>,
    /// Members that a line must not have.
    pub reserved: Vec<String>,
}

/// Reads a run of lines. Ends early when the watch says so.
pub fn read(
    block: &[u8],
    lines: &[Line],
    wanted: &Wanted,
    tape: &mut Vec<u8>,
    watch: &mut Watch<'_>,
) -> Found {
    let mut found = Found::default();
    for line in lines {
        if !watch.goes_on(line.place.len()) {
            return found;
        }
        let (values, decoded) = (found.values.len(), found.decoded.len());
        found.values.resize(values + wanted.names.len(), Value::default());
        let jiter = Jiter::with_tape(&block[line.place.clone()], std::mem::take(tape));
        let mut reader = Reader { jiter, at: line.place.start, line: &block[line.place.clone()], wanted };
        let is_plain = reader.read(&mut found.values[values..], &mut found.decoded);
        *tape = reader.jiter.into_tape();
        if !is_plain {
            found.values[values..].fill(Value::default());
            found.decoded.truncate(decoded);
        }
        found.hard.push(!is_plain);
    }
    found
}

/// Why a line is not taken: the crate's error, or one of the reasons above. What it is nobody asks.
struct Hard;

impl<E: std::error::Error> From<E> for Hard {
    fn from(_: E) -> Self {
        Self
    }
}

struct Reader<'a> {
    jiter: Jiter<'a>,
    line: &'a [u8],
    /// Where the line begins in its block.
    at: usize,
    wanted: &'a Wanted,
}

impl<'a> Reader<'a> {
    fn read(&mut self, values: &mut [Value], decoded: &mut Vec<u8>) -> bool {
        self.read_row(values, decoded).is_ok()
    }

    fn read_row(&mut self, values: &mut [Value], decoded: &mut Vec<u8>) -> Result<(), Hard> {
        let mut keys = Keys::default();
        let mut key = place_in(self.line, self.jiter.next_object_bytes()?);
        while let Some(name) = key {
            let name = keys.add(&self.line[name])?;
            if self.wanted.reserved.iter().any(|reserved| reserved.as_bytes() == name) {
                return Err(Hard);
            }
            match self.wanted.names.iter().position(|wanted| wanted.as_bytes() == name) {
                Some(index) => values[index] = self.read_value(decoded)?,
                None => {
                    let peek = self.jiter.peek()?;
                    self.skip(peek, 1)?;
                }
            }
            key = place_in(self.line, self.jiter.next_key_bytes()?);
        }
        Ok(self.jiter.finish()?)
    }

    fn read_value(&mut self, decoded: &mut Vec<u8>) -> Result<Value, Hard> {
        let peek = self.jiter.peek()?;
        let start = self.jiter.current_index();
        let text = if peek == Peek::String { self.read_text(decoded)? } else { Text::None };
        if text == Text::None {
            self.skip(peek, 1)?;
        }
        Ok(Value { raw: self.at + start..self.at + self.jiter.current_index(), text })
    }

    fn read_text(&mut self, decoded: &mut Vec<u8>) -> Result<Text, Hard> {
        let line = self.line.as_ptr_range();
        let text = self.jiter.known_str()?;
        if line.contains(&text.as_ptr()) || text.is_empty() {
            return Ok(Text::Plain);
        }
        let start = decoded.len();
        decoded.extend_from_slice(text.as_bytes());
        Ok(Text::Decoded(start..decoded.len()))
    }

    fn skip(&mut self, peek: Peek, level: usize) -> Result<(), Hard> {
        if level > LEVELS {
            return Err(Hard);
        }
        match peek {
            Peek::Null => self.jiter.known_null()?,
            Peek::True | Peek::False => drop(self.jiter.known_bool(peek)?),
            Peek::String => drop(self.jiter.known_str()?),
            Peek::Array => self.skip_array(level)?,
            Peek::Object => self.skip_object(level)?,
            _ => check_number(self.jiter.known_number_bytes(peek))?,
        }
        Ok(())
    }

    fn skip_array(&mut self, level: usize) -> Result<(), Hard> {
        let mut member = self.jiter.known_array()?;
        while let Some(peek) = member {
            self.skip(peek, level + 1)?;
            member = self.jiter.array_step()?;
        }
        Ok(())
    }

    fn skip_object(&mut self, level: usize) -> Result<(), Hard> {
        let mut keys = Keys::default();
        let mut key = place_in(self.line, self.jiter.next_object_bytes()?);
        while let Some(name) = key {
            keys.add(&self.line[name])?;
            let peek = self.jiter.peek()?;
            self.skip(peek, level + 1)?;
            key = place_in(self.line, self.jiter.next_key_bytes()?);
        }
        Ok(())
    }
}

/// Where a slice of the line lies in it: so that the reader that gave it is free again.
fn place_in(line: &[u8], part: Option<&[u8]>) -> Option<Range<usize>> {
    let part = part?;
    let start = part.as_ptr().addr() - line.as_ptr().addr();
    Some(start..start + part.len())
}

fn check_number(number: JiterResult<&[u8]>) -> Result<(), Hard> {
    let number = number?;
    let is_plain = number.len() <= DIGITS && !number.iter().any(|byte| matches!(byte, b'e' | b'E'));
    if is_plain { Ok(()) } else { Err(Hard) }
}

/// The keys of an object so far.
#[derive(Default)]
struct Keys<'a> {
    seen: Vec<&'a [u8]>,
}

impl<'a> Keys<'a> {
    fn add(&mut self, key: &'a [u8]) -> Result<&'a [u8], Hard> {
        let is_plain = !key.contains(&b'\\') && std::str::from_utf8(key).is_ok();
        if !is_plain || self.seen.len() == MEMBERS || self.seen.contains(&key) {
            return Err(Hard);
        }
        self.seen.push(key);
        Ok(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn wanted() -> Wanted {
        Wanted { names: vec!["a".into(), "b".into()], reserved: vec!["no_pii".into()] }
    }

    fn read_all(block: &[u8]) -> (Vec<Line>, Found) {
        let stop = AtomicBool::new(false);
        let (lines, breaks) = lines(block, 1);
        assert_eq!(breaks, block.iter().filter(|byte| **byte == b'\n').count());
        let halves = lines.split_at(lines.len() / 2);
        let mut tape = Vec::new();
        let mut read_half = |half| read(block, half, &wanted(), &mut tape, &mut Watch::follower(&stop));
        let runs = vec![read_half(halves.0), read_half(halves.1)];
        (lines, Found::joined(runs))
    }

    #[test]
    fn texts_are_found_where_they_lie() {
        let block = "{\"a\":\"one\",\"x\":[1,{\"a\":2}]}\r\n\n \t\n{ \"b\" : \"tw\\u00f6\\n\", \"a\":null } \n{\"a\":\"\",\"b\":\"é\"}";
        let (lines, found) = read_all(block.as_bytes());
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 4, 5]);
        assert_eq!(found.hard, [false; 3]);
        let cells: Vec<_> = (0..6).map(|index| found.cell(block.as_bytes(), index)).collect();
        let text = |text: &'static str| Cell::Text(text.as_bytes());
        assert_eq!(cells, [text("one"), Cell::Other, Cell::Other, text("twö\n"), text(""), text("é")]);
        let raw: Vec<_> = found.values.iter().map(|value| &block[value.raw.clone()]).collect();
        assert_eq!(raw, ["\"one\"", "", "null", "\"tw\\u00f6\\n\"", "\"\"", "\"é\""]);
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_hard() {
        let many: String = (0..65).map(|index| format!("\"k{index}\":1,")).collect();
        let deep = "[".repeat(65) + &"]".repeat(65);
        let cases: [&[u8]; 26] = [
            b"[]",
            b"1",
            b"{",
            b"{}x",
            b"{'a':1}",
            b"{\"a\":1,}",
            b"{\"a\":NaN}",
            b"{\"a\":Infinity}",
            b"{\"a\":-}",
            b"{\"a\":01}",
            b"{\"a\":1e5}",
            b"{\"a\":123456789012345678}",
            b"{\"a\":\"\\ud800\"}",
            b"{\"a\":\"\\x\"}",
            b"{\"x\":\"\\x\"}",
            b"{\"a\":\"tab\t\"}",
            b"{\"x\":\"\xff\"}",
            b"{\"\xff\":1}",
            b"{\"a\":1,\"a\":2}",
            b"{\"x\":[{\"y\":1,\"y\":2}]}",
            b"{\"\\u0061\":1}",
            b"{\"no_pii\":1}",
            b"\xef\xbb\xbf{}",
            b"\x0b{}",
            format!("{{{many}\"x\":1}}").leak().as_bytes(),
            format!("{{\"x\":{deep}}}").leak().as_bytes(),
        ];
        for case in cases {
            let (_, found) = read_all(case);
            assert_eq!(found.hard, [true], "{}", case.escape_ascii());
            assert!(found.values.iter().all(|value| *value == Value::default()));
        }
        let (_, found) = read_all(&cases.join(&b"\n{\"a\":\"\\n\"}\n"[..]));
        let alternating: Vec<bool> = (0..2 * cases.len() - 1).map(|index| index % 2 == 0).collect();
        assert_eq!(found.hard, alternating, "one hard line harms no other");
    }

    #[test]
    fn lines_can_be_dropped() {
        let block = b"{\"a\":\"1\"}\n[]\n{\"b\":\"3\"}";
        let (_, mut found) = read_all(block);
        found.retain(2, &[true, false, true]);
        assert_eq!(found.hard, [false, false]);
        assert_eq!((found.cell(block, 0), found.cell(block, 3)), (Cell::Text(b"1"), Cell::Text(b"3")));
    }

    #[test]
    fn a_block_without_lines_has_none() {
        for block in ["", "\n", " \n\t\r\n\x0b\x0c"] {
            assert!(lines(block.as_bytes(), 1).0.is_empty(), "{block:?}");
        }
    }
}
