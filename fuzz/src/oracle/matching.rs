//! Equality, fragments, patterns.

use super::backtrack::Pattern;
use super::text::{lower, trim};
use crate::Text;
use crate::harness::Verdict;

/// Grades a text against the expected one.
#[must_use]
pub fn exact_match(
    candidate: &[u32],
    expected: &[u32],
    case_sensitive: bool,
    remove_punctuation: bool,
) -> Verdict {
    let normal = |text: &[u32]| {
        let trimmed = trim(text);
        let mut normal = if case_sensitive { trimmed.to_vec() } else { lower(trimmed) };
        normal.retain(|code_point| !(remove_punctuation && is_punctuation(*code_point)));
        normal
    };
    Verdict::plain(if normal(candidate) == normal(expected) { "ok" } else { "mismatch" })
}

fn is_punctuation(code_point: u32) -> bool {
    char::from_u32(code_point)
        .is_some_and(|character| "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".contains(character))
}

/// Grades a text by what it must hold, or must not.
#[must_use]
pub fn contains(text: &[u32], fragments: &[Text], forbid: bool) -> Verdict {
    let occurs = |fragment: &Text| (0..=text.len()).any(|start| text[start..].starts_with(fragment));
    let hits = (0..).zip(fragments).filter(|(_, fragment)| occurs(fragment) == forbid);
    let code = if forbid { "forbidden_fragment" } else { "missing_fragment" };
    Verdict::hit(code, hits.map(|(index, _)| index).collect())
}

/// Grades a text by a pattern that must match, or must not.
#[must_use]
pub fn pattern(text: &[u32], pattern: &Pattern, forbid: bool) -> Verdict {
    if text.len() > 65_536 {
        return Verdict::plain("over_cap");
    }
    let text = if forbid { unix_lines(text) } else { text.to_vec() };
    Verdict::plain(match (pattern.is_in(&text), forbid) {
        (true, true) => "forbidden_match",
        (false, false) => "no_match",
        _ => "ok",
    })
}

/// CR LF and lone CR become LF; then one LF at the end goes.
fn unix_lines(text: &[u32]) -> Text {
    let mut lines = Text::new();
    for (place, code_point) in text.iter().enumerate() {
        let ends_crlf = *code_point == 0x0a && place > 0 && text[place - 1] == 0x0d;
        match code_point {
            _ if ends_crlf => {}
            0x0d => lines.push(0x0a),
            other => lines.push(*other),
        }
    }
    if lines.last() == Some(&0x0a) {
        lines.pop();
    }
    lines
}
