//! What the reader of JSON lines may take, and what it then finds.

use std::ops::Range;

use crate::input::encode;
use crate::json::{Kind, Value, read};

/// A line that is not blank.
#[derive(Debug, PartialEq)]
pub struct Line {
    /// Its number; blank lines count.
    pub number: usize,
    /// Where it lies, without whitespace of JSON at its ends.
    pub place: Range<usize>,
}

/// A wanted member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    /// Where its value lies; nowhere if there is none, or the line is hard.
    pub place: Range<usize>,
    /// Its text, if it is one.
    pub text: Option<Vec<u8>>,
}

/// The lines of a block, from number 1 on.
#[must_use]
pub fn lines(block: &[u8]) -> Vec<Line> {
    let mut start = 0;
    let mut found = Vec::new();
    for (index, line) in block.split(|byte| *byte == b'\n').enumerate() {
        if !line.iter().all(|byte| b" \t\r\x0b\x0c".contains(byte)) {
            let [before, behind] = [spaces(line.iter()), spaces(line.iter().rev())];
            found.push(Line { number: index + 1, place: start + before..start + line.len() - behind });
        }
        start += line.len() + 1;
    }
    found
}

/// How many bytes at the start are whitespace of JSON, which is less than what makes a line blank.
fn spaces<'a>(bytes: impl Iterator<Item = &'a u8>) -> usize {
    bytes.take_while(|byte| b" \t\r".contains(byte)).count()
}

/// The wanted members of a line; `None` if it is hard.
#[must_use]
pub fn members(block: &[u8], line: &Line, wanted: &[&str], reserved: &[&str]) -> Option<Vec<Member>> {
    let text = &block[line.place.clone()];
    let row = read(text)?;
    let Kind::Object(members) = &row.kind else { return None };
    let is_reserved = members
        .iter()
        .any(|(name, _)| reserved.iter().any(|reserved| name.string().as_deref() == Some(reserved)));
    if is_reserved || !is_plain(&row, text, 0) {
        return None;
    }
    let found =
        |name: &&str| row.get(name).map_or_else(Member::default, |value| member(value, line.place.start));
    Some(wanted.iter().map(found).collect())
}

fn member(value: &Value, shift: usize) -> Member {
    Member {
        place: value.place.start + shift..value.place.end + shift,
        text: value.text().map(|text| encode(text)),
    }
}

/// Whether nobody could read a value in two ways.
fn is_plain(value: &Value, line: &[u8], level: usize) -> bool {
    let written = &line[value.place.clone()];
    level <= 64
        && match &value.kind {
            Kind::Null | Kind::Bool(_) => true,
            Kind::Number(_) => written.len() <= 17 && !written.contains(&b'e') && !written.contains(&b'E'),
            Kind::Text(text) => !text.iter().any(|code_point| (0xd800..0xe000).contains(code_point)),
            Kind::List(values) => values.iter().all(|value| is_plain(value, line, level + 1)),
            Kind::Object(members) => {
                let are_plain = |place: usize| {
                    let (name, value) = &members[place];
                    !line[name.place.clone()].contains(&b'\\')
                        && members[..place].iter().all(|earlier| earlier.0.kind != name.kind)
                        && is_plain(value, line, level + 1)
                };
                members.len() <= 64 && (0..members.len()).all(are_plain)
            }
        }
}
