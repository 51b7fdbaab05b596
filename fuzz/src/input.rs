//! Options and texts out of the fuzzer's bytes.
//!
//! Four bytes choose the options; behind them lie fields, apart by the byte 0xff, which is in no UTF-8: however bytes
//! are put in or taken out, the other fields stay what they were. The first two bits of the first byte say how a field
//! is read: as a text in UTF-8, as a list of words out of a small vocabulary, or each byte as a character of its own.

use crate::Text;
use crate::words::Vocabulary;

/// Bytes that choose options.
pub const HEAD: usize = 4;

/// Between fields.
pub const SEPARATOR: u8 = 0xff;

/// At the start of a field: the text is made of one that is there already.
const MADE: u8 = 0xfe;

/// The first bytes of an input as options, the rest as fields.
pub struct Input<'a> {
    /// The bytes that choose options; zeros where the input is shorter.
    pub head: [u8; HEAD],
    /// The fields, at least one.
    pub fields: Vec<&'a [u8]>,
    reading: Reading,
}

#[derive(Clone, Copy)]
enum Reading {
    Utf8,
    Words(&'static Vocabulary),
    /// Many different tokens, and many different pairs of them.
    Ideographs,
}

impl<'a> Input<'a> {
    /// Reads an input.
    #[must_use]
    pub fn new(data: &'a [u8], vocabulary: &'static Vocabulary) -> Self {
        let mut head = [0; HEAD];
        let length = data.len().min(HEAD);
        head[..length].copy_from_slice(&data[..length]);
        let fields = data[length..].split(|byte| *byte == SEPARATOR).collect();
        let reading = match head[0] & 3 {
            1 => Reading::Words(vocabulary),
            3 if vocabulary.is_prose => Reading::Ideographs,
            3 => Reading::Words(vocabulary),
            _ => Reading::Utf8,
        };
        Self { head, fields, reading }
    }

    /// The text of a field.
    #[must_use]
    pub fn text(&self, field: &[u8]) -> Text {
        match self.reading {
            Reading::Words(vocabulary) => vocabulary.expand(field),
            Reading::Utf8 => decode(field),
            Reading::Ideographs => field.iter().map(|byte| 0x4e00 + u32::from(*byte)).collect(),
        }
    }

    /// The texts of up to `most` fields.
    #[must_use]
    pub fn texts(&self, most: usize) -> Vec<Text> {
        self.fields.iter().take(most).map(|field| self.text(field)).collect()
    }

    /// The texts of up to `most` fields behind the first, each by itself or cut out of `text`.
    #[must_use]
    pub fn cuttings(&self, text: &[u32], most: usize) -> Vec<Text> {
        let fields = self.fields.iter().skip(1).take(most);
        fields
            .map(|field| if field.first() == Some(&MADE) { cut(text, field) } else { self.text(field) })
            .collect()
    }

    /// The texts of up to `most` fields, each by itself or an earlier one with a few changes.
    #[must_use]
    pub fn variations(&self, most: usize) -> Vec<Text> {
        let mut texts: Vec<Text> = Vec::new();
        for field in self.fields.iter().take(most) {
            let text = match field {
                [MADE, which, changes @ ..] if !texts.is_empty() => {
                    changed(texts[usize::from(*which) % texts.len()].clone(), changes)
                }
                field => self.text(field),
            };
            texts.push(text);
        }
        texts
    }
}

/// A part of a text: the bytes behind the first say where it starts and how long it is.
fn cut(text: &[u32], field: &[u8]) -> Text {
    let figure = |place: usize| usize::from(field.get(place).copied().unwrap_or(0));
    let start = figure(1).min(text.len());
    text[start..].iter().copied().take(figure(2)).collect()
}

/// A text with changes, three bytes each: where, what is done there, and with which character; or it is turned round
/// that place.
fn changed(mut text: Text, changes: &[u8]) -> Text {
    for [place, change, character] in changes.as_chunks::<3>().0 {
        let place = usize::from(*place) % (text.len() + 1);
        let character = u32::from(*character % 128);
        match change % 4 {
            0 => text.insert(place, character),
            1 if place < text.len() => text[place] = character,
            2 if place < text.len() => drop(text.remove(place)),
            3 => text.rotate_left(place),
            _ => {}
        }
    }
    text
}

/// A threshold at a score, right beside it, or anywhere; the score is asked for where it is needed.
#[must_use]
pub fn threshold(choice: u8, score: impl FnOnce() -> f64) -> f64 {
    let threshold = match choice % 8 {
        0 => score(),
        1 => score().next_up(),
        2 => score().next_down(),
        3 => 0.0,
        4 => 1.0,
        5 => 0.5,
        6 => f64::from(choice) / 100.0,
        _ => f64::from(choice) / 255.0,
    };
    threshold.clamp(0.0, 1.0)
}

/// The code points of generalised UTF-8; bytes that belong to none are left out.
#[must_use]
pub fn decode(mut bytes: &[u8]) -> Text {
    let mut text = Text::new();
    while !bytes.is_empty() {
        let (code_point, width) = first(bytes);
        text.extend(code_point);
        bytes = &bytes[width..];
    }
    text
}

fn first(bytes: &[u8]) -> (Option<u32>, usize) {
    if let [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] = *bytes {
        return (Some(0xd000 | u32::from(second & 0x3f) << 6 | u32::from(third & 0x3f)), 3);
    }
    let width = match bytes[0] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    };
    let valid = bytes.get(..width).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match valid.and_then(|text| text.chars().next()) {
        Some(character) => (Some(u32::from(character)), width),
        None => (None, 1),
    }
}

/// A text in generalised UTF-8.
#[must_use]
pub fn encode(text: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for code_point in text {
        match char::from_u32(*code_point) {
            Some(character) => bytes.extend(character.encode_utf8(&mut [0; 4]).bytes()),
            None => bytes.extend(surrogate(*code_point)),
        }
    }
    bytes
}

fn surrogate(code_point: u32) -> [u8; 3] {
    [code_point >> 12 | 0xe0, code_point >> 6 & 0x3f | 0x80, code_point & 0x3f | 0x80].map(|byte| byte as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::PROSE;

    #[test]
    fn texts_come_back_from_their_bytes() {
        let text = vec![0x41, 0xe9, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x4e2d, 0x1_f600, 0xffff, 0];
        assert_eq!(decode(&encode(&text)), text);
        assert_eq!(encode(&[0xd800, 0xdfff]), b"\xed\xa0\x80\xed\xbf\xbf");
        assert_eq!(decode(b"a\xff\xed\xa0b\xe4\xb8c\x80"), [0x61, 0x62, 0x63]);
    }

    #[test]
    fn fields_are_read_as_texts_or_words_or_made_of_others() {
        let raw = Input::new(b"\0\0\0\0abcd\xffx\xff\xfe\x01\x02", &PROSE);
        assert_eq!(raw.texts(2), [decode(b"abcd"), decode(b"x")]);
        assert_eq!(raw.cuttings(&decode(b"abcd"), 9), [decode(b"x"), decode(b"bc")]);
        let varied = Input::new(b"\0\0\0\0abc\xff\xfe\0\x01\x02\0\0\0x\x03\x01y\x01\x03\0", &PROSE);
        assert_eq!(varied.variations(9), [decode(b"abc"), decode(b"acx")]);
        assert_eq!(Input::new(b"\x03\0\0\0ab", &PROSE).texts(1), [[0x4e61, 0x4e62]]);
        assert_eq!(Input::new(b"", &PROSE).texts(9), [decode(b"")]);
        assert_eq!(Input::new(b"\x01\0\0\0\x00\x01", &PROSE).text(b"\0"), PROSE.expand(b"\0"));
    }
}
