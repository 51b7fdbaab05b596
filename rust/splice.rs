//! Rows of JSON with their verdicts: each row's own text, untouched, with one more member a grader at its end.
//!
//! Reasons are put together here from the same phrases that the Python side renders them from; a test holds the two
//! against each other.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;

use crate::batch::Hits;
use crate::threads::Watch;

/// The reason behind a code, in pieces: of a JSON string, quotes included, or of plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// The same for every row.
    Fixed(Vec<u8>),
    /// The score with four decimals between two pieces.
    Scored(Vec<u8>, Vec<u8>),
    /// What hit, between two pieces: a word for each, by the numbers of the hits.
    Hits(Vec<u8>, Vec<Vec<u8>>, Vec<u8>),
}

/// What stands before and behind the score of a verdict, by code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// `"NAME":{"passed":…,"score":`
    pub front: Vec<u8>,
    /// `,"outcome":…,"code":…,"reason":`
    pub middle: Vec<u8>,
}

/// The verdicts of one grader on the rows.
pub struct Verdicts<'a> {
    /// One a code.
    pub frames: &'a [Frame],
    /// One a row.
    pub codes: &'a [u8],
    /// One a row.
    pub scores: Cow<'a, [f64]>,
    /// One a code, for the rows that have no reason of their own; none for a code that no such row has.
    pub phrases: &'a [Option<Phrase>],
    /// The reasons of single rows, as JSON strings.
    pub reasons: HashMap<usize, &'a [u8]>,
    /// The numbers of what hit in each row.
    pub hits: &'a Hits,
}

/// What of a row is written before its verdicts.
pub enum Rows<'a> {
    /// The row's own text.
    Whole(Vec<&'a [u8]>),
    /// Some members: their names as JSON strings, and for each row the JSON texts of their values, empty where the
    /// row has no such member.
    Members(&'a [Vec<u8>], Vec<Vec<&'a [u8]>>),
}

impl Rows<'_> {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(texts) => texts.len(),
            Self::Members(_, values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes a run of rows, a line each. Ends early when the watch says so.
///
/// `others` are lines that stand before the row of the given number, in order.
pub fn write(
    rows: &Rows<'_>,
    verdicts: &[Verdicts<'_>],
    others: &[(usize, Vec<u8>)],
    run: Range<usize>,
    watch: &mut Watch<'_>,
) -> Vec<u8> {
    let mut lines = Vec::new();
    let mut other = others.partition_point(|(before, _)| *before < run.start);
    for row in run {
        while let Some((_, line)) = others.get(other).filter(|(before, _)| *before <= row) {
            lines.extend_from_slice(line);
            other += 1;
        }
        let written = lines.len();
        let mut is_first = write_row(rows, row, &mut lines);
        for verdicts in verdicts {
            if !std::mem::take(&mut is_first) {
                lines.push(b',');
            }
            write_verdict(verdicts, row, &mut lines);
        }
        lines.extend_from_slice(b"}\n");
        if !watch.goes_on(lines.len() - written) {
            break;
        }
    }
    lines
}

/// Writes a row up to where its verdicts begin; returns whether nothing is in it yet.
fn write_row(rows: &Rows<'_>, row: usize, lines: &mut Vec<u8>) -> bool {
    match rows {
        Rows::Whole(texts) => {
            let front = texts[row].strip_suffix(b"}").unwrap_or(texts[row]).trim_ascii_end();
            lines.extend_from_slice(front);
            front == b"{"
        }
        Rows::Members(names, values) => {
            lines.push(b'{');
            let mut is_first = true;
            for (name, value) in names.iter().zip(&values[row]).filter(|(_, value)| !value.is_empty()) {
                if !std::mem::take(&mut is_first) {
                    lines.push(b',');
                }
                lines.extend_from_slice(name);
                lines.push(b':');
                lines.extend_from_slice(value);
            }
            is_first
        }
    }
}

fn write_verdict(verdicts: &Verdicts<'_>, row: usize, lines: &mut Vec<u8>) {
    let code = usize::from(verdicts.codes[row]);
    let Frame { front, middle } = &verdicts.frames[code];
    lines.extend_from_slice(front);
    write_number(verdicts.scores[row], lines);
    lines.extend_from_slice(middle);
    write_reason(verdicts, row, lines);
    lines.push(b'}');
}

/// Writes the reason of a row's verdict.
pub fn write_reason(verdicts: &Verdicts<'_>, row: usize, lines: &mut Vec<u8>) {
    if let Some(reason) = verdicts.reasons.get(&row) {
        return lines.extend_from_slice(reason);
    }
    match verdicts.phrases[usize::from(verdicts.codes[row])]
        .as_ref()
        .expect("a phrase for each code that a kernel gives")
    {
        Phrase::Fixed(reason) => lines.extend_from_slice(reason),
        Phrase::Scored(before, after) => {
            lines.extend_from_slice(before);
            write!(lines, "{:.4}", verdicts.scores[row]).expect("memory takes what is written");
            lines.extend_from_slice(after);
        }
        Phrase::Hits(before, words, after) => {
            lines.extend_from_slice(before);
            for (index, hit) in verdicts.hits.of(row).iter().enumerate() {
                if index > 0 {
                    lines.extend_from_slice(b", ");
                }
                lines.extend_from_slice(&words[*hit as usize]);
            }
            lines.extend_from_slice(after);
        }
    }
}

/// The shortest digits that give the number back, in Python's form: an exponent has two digits.
fn write_number(number: f64, lines: &mut Vec<u8>) {
    let start = lines.len();
    write!(lines, "{number:?}").expect("memory takes what is written");
    let written = &lines[start..];
    let exponent = written.iter().position(|byte| *byte == b'e');
    if let Some(at) = exponent.filter(|at| written[at + 1] == b'-' && written.len() == at + 3) {
        lines.insert(start + at + 2, b'0');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn frames() -> Vec<Frame> {
        let frame = |passed: &str| Frame {
            front: format!("\"g\":{{\"passed\":{passed},\"score\":").into(),
            middle: b",\"reason\":".to_vec(),
        };
        vec![frame("true"), frame("false")]
    }

    fn written(rows: &Rows<'_>, count: usize, others: &[(usize, Vec<u8>)]) -> String {
        let phrases = [
            Some(Phrase::Scored(b"\"f1 ".to_vec(), b" >= threshold\"".to_vec())),
            Some(Phrase::Hits(
                b"\"found: ".to_vec(),
                vec![b"x".to_vec(), b"\\\"y\\\"".to_vec()],
                b"\"".to_vec(),
            )),
        ];
        let mut hits = Hits::default();
        hits.add(1, &[0, 1]);
        let verdicts = Verdicts {
            frames: &frames(),
            codes: &[0, 1, 0][..count],
            scores: Cow::Owned(vec![0.03125, 0.0, 1.0]),
            phrases: &phrases,
            reasons: HashMap::from([(2, &b"\"own\""[..])]),
            hits: &hits,
        };
        let stop = AtomicBool::new(false);
        let part =
            |run| write(rows, std::slice::from_ref(&verdicts), others, run, &mut Watch::follower(&stop));
        String::from_utf8([part(0..1), part(1..count)].concat()).unwrap()
    }

    #[test]
    fn rows_keep_their_text() {
        let rows = Rows::Whole(vec![b"{\"a\": 1 }", b"{ }", b"{\"b\":{}}"]);
        let others = [(0, b"first\n".to_vec()), (2, b"between\n".to_vec()), (2, b"them\n".to_vec())];
        let expected = "first\n\
            {\"a\": 1,\"g\":{\"passed\":true,\"score\":0.03125,\"reason\":\"f1 0.0312 >= threshold\"}}\n\
            {\"g\":{\"passed\":false,\"score\":0.0,\"reason\":\"found: x, \\\"y\\\"\"}}\n\
            between\nthem\n\
            {\"b\":{},\"g\":{\"passed\":true,\"score\":1.0,\"reason\":\"own\"}}\n";
        assert_eq!(written(&rows, 3, &others), expected);
    }

    #[test]
    fn members_can_be_chosen() {
        let names = [b"\"a\"".to_vec(), b"\"b\"".to_vec()];
        let rows = Rows::Members(&names, vec![vec![b"1", b"[]"], vec![b"", b""]]);
        let lines = written(&rows, 2, &[]);
        let starts: Vec<_> = lines.lines().map(|line| &line[..13]).collect();
        assert_eq!(starts, ["{\"a\":1,\"b\":[]", "{\"g\":{\"passed"]);
    }

    #[test]
    fn numbers_are_written_as_python_does() {
        let cases = [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (5e-324, "5e-324"),
            (1.0 / 3.0, "0.3333333333333333"),
        ];
        for (number, expected) in cases {
            let mut lines = b"x".to_vec();
            write_number(number, &mut lines);
            assert_eq!(String::from_utf8(lines).unwrap(), format!("x{expected}"));
        }
    }
}
