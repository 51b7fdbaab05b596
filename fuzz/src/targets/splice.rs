//! The writer of rows with their verdicts: the row's own bytes stay, and what is added is what was decided.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use gradestone::batch::Hits;
use gradestone::splice::{Frame, Phrase, Rows, Verdicts, write};
use gradestone::threads::Watch;

use crate::input::{Input, encode};
use crate::json::{Kind, Value, read};
use crate::words::LINES;

const FRONT: &str = "\"g\":{\"passed\":true,\"score\":";
const MIDDLE: &str = ",\"reason\":";
const NAMES: [&str; 2] = ["\"a\"", "\"b\""];
const OWN: &str = "\"own\"";

/// Rows that the reader would take, with scores and reasons of every sort; written in two runs.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &LINES);
    let texts: Vec<Vec<u8>> = input.fields.iter().take(4).map(|field| row(&input, field)).collect();
    let others = [(usize::from(input.head[3] % 4), b"other\n".to_vec())];
    let scores: Vec<f64> = (0..texts.len()).map(|row| score(input.head[1], input.head[2], row)).collect();
    let codes: Vec<u8> =
        (0..texts.len()).map(|row| ((usize::from(input.head[3]) >> 2) + row) as u8 % 4).collect();
    let mut hits = Hits::default();
    codes
        .iter()
        .enumerate()
        .filter(|(_, code)| **code == 2)
        .for_each(|(row, _)| hits.add(row, &[0, 1][..1 + row % 2]));
    let own = (0..texts.len()).filter(|row| codes[*row] == 3).map(|row| (row, OWN.as_bytes())).collect();
    let verdicts = verdicts(&codes, &scores, &hits, own);
    let is_whole = input.head[0] & 4 == 0;
    let rows = if is_whole { Rows::Whole(texts.iter().map(Vec::as_slice).collect()) } else { chosen(&texts) };
    let stop = AtomicBool::new(false);
    let verdicts = [verdicts];
    let part = |run| write(&rows, &verdicts, &others, run, &mut Watch::follower(&stop));
    let cut = usize::from(input.head[2]) % (texts.len() + 1);
    let written = [part(0..cut), part(cut..texts.len())].concat();
    let mut expected = Vec::new();
    for (row, text) in texts.iter().enumerate() {
        if others[0].0 == row {
            expected.extend_from_slice(&others[0].1);
        }
        let line = expected_line(text, is_whole, scores[row], &reason(codes[row], scores[row], row));
        assert!(read(&line).is_some_and(|value| value.get("g").is_some()), "{}", line.escape_ascii());
        expected.extend_from_slice(&line);
        expected.push(b'\n');
    }
    assert_eq!(written.escape_ascii().to_string(), expected.escape_ascii().to_string());
}

/// The field if it is an object, else an empty one with as much whitespace in it.
fn row(input: &Input<'_>, field: &[u8]) -> Vec<u8> {
    let text = encode(&input.text(field));
    match read(&text) {
        Some(Value { kind: Kind::Object(_), place }) => text[place].to_vec(),
        _ => [&b"{"[..], &vec![b' '; field.len() % 3], b"}"].concat(),
    }
}

/// A score out of two bytes: a ratio, or a double of any size under one.
fn score(one: u8, other: u8, row: usize) -> f64 {
    let [one, other] = [f64::from(one), f64::from(other)];
    match row % 3 {
        0 => one.min(other) / one.max(other).max(1.0),
        1 => one / 256.0 * 10f64.powf(-other),
        _ => f64::from_bits((one as u64) << 54 | (other as u64) << 30 | 1).clamp(0.0, 1.0),
    }
}

/// Code 0 has a fixed reason, 1 the score, 2 hits, 3 a reason of its own.
fn verdicts<'a>(
    codes: &'a [u8],
    scores: &[f64],
    hits: &'a Hits,
    reasons: HashMap<usize, &'a [u8]>,
) -> Verdicts<'a> {
    static FRAMES: std::sync::LazyLock<[Frame; 4]> = std::sync::LazyLock::new(|| {
        std::array::from_fn(|_| Frame { front: FRONT.into(), middle: MIDDLE.into() })
    });
    static PHRASES: std::sync::LazyLock<[Option<Phrase>; 4]> = std::sync::LazyLock::new(|| {
        [
            Some(Phrase::Fixed(b"\"fixed\"".to_vec())),
            Some(Phrase::Scored(b"\"f1 ".to_vec(), b" >= t\"".to_vec())),
            Some(Phrase::Hits(
                b"\"found: ".to_vec(),
                vec![b"x".to_vec(), b"\\\"y\\\"".to_vec()],
                b"\"".to_vec(),
            )),
            None,
        ]
    });
    Verdicts {
        frames: &*FRAMES,
        codes,
        scores: Cow::Owned(scores.to_vec()),
        phrases: &*PHRASES,
        reasons,
        hits,
    }
}

fn reason(code: u8, score: f64, row: usize) -> String {
    match code {
        0 => "\"fixed\"".to_owned(),
        1 => format!("\"f1 {score:.4} >= t\""),
        2 if row % 2 == 1 => "\"found: x, \\\"y\\\"\"".to_owned(),
        2 => "\"found: x\"".to_owned(),
        _ => OWN.to_owned(),
    }
}

/// Members by their names, in the order of the names.
fn members(text: &[u8]) -> Vec<&[u8]> {
    let value = read(text).expect("an object");
    let found =
        |name: &str| value.get(name.trim_matches('"')).map_or(&b""[..], |value| &text[value.place.clone()]);
    NAMES.map(found).to_vec()
}

fn chosen(texts: &[Vec<u8>]) -> Rows<'_> {
    static QUOTED: std::sync::LazyLock<[Vec<u8>; 2]> =
        std::sync::LazyLock::new(|| NAMES.map(|name| name.into()));
    Rows::Members(&*QUOTED, texts.iter().map(|text| members(text)).collect())
}

fn expected_line(text: &[u8], is_whole: bool, score: f64, reason: &str) -> Vec<u8> {
    let verdict = format!("{FRONT}{}{MIDDLE}{reason}}}", python_repr(score));
    let own = if is_whole { inside(text) } else { joined(text) };
    let comma = if own.is_empty() { "" } else { "," };
    [b"{", &own[..], format!("{comma}{verdict}}}").as_bytes()].concat()
}

/// What lies between the braces of an object, without whitespace behind it.
fn inside(text: &[u8]) -> Vec<u8> {
    text[1..text.len() - 1].trim_ascii_end().to_vec()
}

fn joined(text: &[u8]) -> Vec<u8> {
    let pairs = NAMES.iter().zip(members(text)).filter(|(_, value)| !value.is_empty());
    pairs.map(|(name, value)| [name.as_bytes(), b":", value].concat()).collect::<Vec<_>>().join(&b',')
}

/// The shortest digits that give a double back, as Python's `repr` writes them.
fn python_repr(number: f64) -> String {
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').expect("an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent");
    if number == 0.0 {
        "0.0".to_owned()
    } else if exponent < -4 {
        format!("{digits}e-{:02}", -exponent)
    } else if exponent < 0 {
        format!("0.{}{}", "0".repeat((-exponent - 1) as usize), digits.replace('.', ""))
    } else {
        // Scores end at one.
        format!("{digits}.0")
    }
}
