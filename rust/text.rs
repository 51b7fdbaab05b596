//! Text as the kernels see it: code points, lowercasing, trimming.
//!
//! A text is generalised UTF-8: UTF-8 in which a lone surrogate is written as its three bytes, as Python's
//! `surrogatepass` does. A surrogate is a code point like any other, only that it has no case and, being no
//! character, ends the word to which a final sigma belongs. Bytes that are not even generalised UTF-8 cannot come
//! from a Python string; they are carried through one by one, unchanged.
//!
//! Lowercasing is the standard library's, character by character, so that its Unicode tables are the only ones.
//! What the library does not offer is lowercasing a part of a text while seeing the whole of it, which an early end
//! at a cap needs: hence the final-sigma rule is applied here, with the library asked for the two properties that it
//! rests on. Everything is linear in the length of the text.

use crate::cpu::by_processor;
use std::ops::Range;

/// A cell of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// A text, in generalised UTF-8.
    Text(&'a [u8]),
    /// A list of texts.
    Texts(&'a [&'a [u8]]),
    /// Any other value: the caller has to look at it.
    Other,
}

impl Cell<'_> {
    /// The bytes of text in it.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Texts(texts) => texts.iter().map(|text| text.len()).sum(),
            Self::Other => 0,
        }
    }
}

/// Stands for a byte that belongs to no code point.
const MALFORMED: u32 = 0xfffd;

/// The first code point of `text`, and how many bytes it takes. Of the ways to write one only the shortest is its own.
#[must_use]
pub fn first(text: &[u8]) -> Option<(u32, usize)> {
    let tail = |byte: u8| u32::from(byte & 0x3f);
    Some(match *text {
        [] => return None,
        [a @ ..=0x7f, ..] => (u32::from(a), 1),
        [a @ 0xc2..=0xdf, b @ 0x80..=0xbf, ..] => (u32::from(a & 0x1f) << 6 | tail(b), 2),
        [a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..] if a > 0xe0 || b >= 0xa0 => {
            (u32::from(a & 0x0f) << 12 | tail(b) << 6 | tail(c), 3)
        }
        [a @ 0xf0..=0xf4, b @ 0x80..=0xbf, c @ 0x80..=0xbf, d @ 0x80..=0xbf, ..]
            if (a > 0xf0 || b >= 0x90) && (a < 0xf4 || b < 0x90) =>
        {
            (u32::from(a & 0x07) << 18 | tail(b) << 12 | tail(c) << 6 | tail(d), 4)
        }
        _ => (MALFORMED, 1),
    })
}

/// The last code point of `text`, and how many bytes it takes.
#[must_use]
pub fn last(text: &[u8]) -> Option<(u32, usize)> {
    let ascii = *text.last()?;
    if ascii < 0x80 {
        return Some((u32::from(ascii), 1));
    }
    let width = 1 + text.iter().rev().take(4).position(|byte| !is_continuation(*byte)).unwrap_or(0);
    first(&text[text.len() - width..]).filter(|found| found.1 == width).or(Some((MALFORMED, 1)))
}

/// The code points of `text`, in order.
pub fn code_points(mut text: &[u8]) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let (code_point, width) = first(text)?;
        text = &text[width..];
        Some(code_point)
    })
}

/// The code points of `text`, from the last to the first.
pub fn code_points_backwards(mut text: &[u8]) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let (code_point, width) = last(text)?;
        text = &text[..text.len() - width];
        Some(code_point)
    })
}

/// How many code points `text` has.
#[must_use]
pub fn count_code_points(text: &[u8]) -> usize {
    // Counted in bytes as far as a byte can hold the count, which is where vector registers count fastest.
    let count = |run: &[u8]| run.iter().fold(0, |count: u8, byte| count + u8::from(!is_continuation(*byte)));
    text.chunks(usize::from(u8::MAX)).map(|run| usize::from(count(run))).sum()
}

/// Whether a byte continues a code point that an earlier byte began.
#[must_use]
pub const fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Pinned whitespace: space, tab, LF, VT, FF, CR. Nothing else is whitespace to a tokenizer or a normaliser.
#[must_use]
pub const fn is_pinned_whitespace(byte: u8) -> bool {
    // Without a branch: where words end is not for the processor to predict.
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

/// Whether ECMAScript's `trim` removes a code point: the space separators, the line ends, the byte order mark.
#[must_use]
pub const fn is_ecmascript_whitespace(code_point: u32) -> bool {
    matches!(
        code_point,
        0x09..=0x0d | 0x20 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000 | 0xfeff
    )
}

/// `text` without what ECMAScript's `trim` removes at either end.
#[must_use]
pub fn trim(mut text: &[u8]) -> &[u8] {
    while let Some((_, width)) = first(text).filter(|found| is_ecmascript_whitespace(found.0)) {
        text = &text[width..];
    }
    while let Some((_, width)) = last(text).filter(|found| is_ecmascript_whitespace(found.0)) {
        text = &text[..text.len() - width];
    }
    text
}

/// Whether nothing of `text` is left after ECMAScript's `trim`.
#[must_use]
pub fn is_blank(text: &[u8]) -> bool {
    code_points(text).all(is_ecmascript_whitespace)
}

/// Zeros behind a text in lowercase, so that 64 bytes and some more can be read from every place of it. They are in no
/// word.
pub const PADDING: usize = 80;

/// A text in lowercase, which the graders of a row share.
#[derive(Debug, Default)]
pub struct Lowered {
    padded: Vec<u8>,
}

impl Lowered {
    /// Replaces it by `text` in lowercase.
    #[inline]
    pub fn read(&mut self, text: &[u8]) {
        self.padded.clear();
        lowercase_part(text, 0..text.len(), &mut self.padded);
        self.padded.extend([0; PADDING]);
    }

    /// Exchanges its bytes, padding included, for those of a buffer.
    pub fn swap(&mut self, buffer: &mut Vec<u8>) {
        std::mem::swap(&mut self.padded, buffer);
    }

    /// The bytes of the text in lowercase.
    #[must_use]
    pub fn len(&self) -> usize {
        self.padded.len().saturating_sub(PADDING)
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text in lowercase, and its padding.
    #[must_use]
    pub fn padded(&self) -> &[u8] {
        &self.padded
    }
}

/// `text` in lowercase: full Unicode mappings and the final-sigma rule, as `str::to_lowercase`.
#[must_use]
pub fn lowercase(text: &[u8]) -> Vec<u8> {
    let mut lowered = Vec::with_capacity(text.len());
    lowercase_part(text, 0..text.len(), &mut lowered);
    lowered
}

by_processor! {
    /// Appends to `lowered` the part of `text` in lowercase, as it is found in the lowercase of the whole.
    ///
    /// The part starts where a code point starts; it is prolonged to the end of its last one. Returns that end.
    pub fn lowercase_part(text: &[u8], part: Range<usize>, lowered: &mut Vec<u8>) -> usize => lowercase_part_anywhere;
}

#[inline(always)]
fn lowercase_part_anywhere(text: &[u8], part: Range<usize>, lowered: &mut Vec<u8>) -> usize {
    let mut at = part.start;
    let end = code_point_end(text, part.end);
    lowered.reserve(end.saturating_sub(at));
    while at < end {
        at += lowercase_bytes(&text[at..end], lowered);
        // Letters that need care stand beside each other, but for the spaces between their words.
        while at < end && !text[at].is_ascii() {
            let (code_point, width) = first(&text[at..]).unwrap_or((MALFORMED, 1));
            push_lowercase(text, at..at + width, code_point, lowered);
            at += width;
        }
    }
    at
}

/// Bytes that are looked at together, to see whether each can be lowercased by itself.
const STEP: usize = 32;

/// The same where all are ASCII, as nearly always.
const STRIDE: usize = 128;

/// Appends the lowercase of the start of `text` in which code points have that of their bytes; returns its length.
#[inline(always)]
fn lowercase_bytes(text: &[u8], lowered: &mut Vec<u8>) -> usize {
    let mut at = 0;
    while let Some(stride) = text[at..].first_chunk::<STRIDE>().filter(|stride| stride.is_ascii()) {
        lowered.extend_from_slice(&stride.map(|byte| byte.to_ascii_lowercase()));
        at += STRIDE;
    }
    while let Some(chunk) = text[at..].first_chunk::<STEP>().filter(|chunk| !needs_care(chunk)) {
        lowered.extend_from_slice(&chunk.map(|byte| byte.to_ascii_lowercase()));
        at += STEP;
    }
    let rest = &text[at..text.len().min(at + STEP)];
    let length = rest.iter().position(|byte| may_start_a_capital(*byte)).unwrap_or(rest.len());
    let mut last = [0; STEP];
    last[..length].copy_from_slice(&rest[..length]);
    lowered.extend_from_slice(&last.map(|byte| byte.to_ascii_lowercase())[..length]);
    at + length
}

#[inline(always)]
fn needs_care(chunk: &[u8; STEP]) -> bool {
    chunk.iter().fold(0, |any, byte| any | u8::from(may_start_a_capital(*byte))) != 0
}

/// The end of the code point that reaches over `end`; `end` if none does.
fn code_point_end(text: &[u8], end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    text.len().min(end) + rest.iter().take(3).take_while(|byte| is_continuation(**byte)).count()
}

/// Whether a byte that is not ASCII starts code points of which some have a lowercase: Latin, Greek, Cyrillic and
/// Armenian letters, and the blocks of three and four bytes in which others are. A test asks the library's table.
#[inline(always)]
const fn may_start_a_capital(byte: u8) -> bool {
    (byte.wrapping_sub(0xc3) < 0x14) | (byte == 0xe1) | (byte == 0xe2) | (byte == 0xea) | (byte >= 0xef)
}

/// Appends the lowercase of the non-ASCII code point at `place` of `text`.
fn push_lowercase(text: &[u8], place: Range<usize>, code_point: u32, lowered: &mut Vec<u8>) {
    if is_plainly_caseless(code_point) {
        return lowered.extend_from_slice(&text[place]);
    }
    match char::from_u32(code_point) {
        None => lowered.extend_from_slice(&text[place]),
        Some('Σ') => {
            let sigma = if is_final(&text[..place.start], &text[place.end..]) { 'ς' } else { 'σ' };
            push(sigma, lowered);
        }
        Some(character) => character.to_lowercase().for_each(|lower| push(lower, lowered)),
    }
}

fn push(character: char, lowered: &mut Vec<u8>) {
    lowered.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Spares the common non-capitals the search in the library's table. A test holds it against that table.
const fn is_plainly_caseless(code_point: u32) -> bool {
    matches!(
        code_point,
        0x80..=0xbf | 0xdf..=0xff | 0x430..=0x45f | 0x5d0..=0x109f | 0x2000..=0x2125 | 0x2190..=0x24b5
            | 0x2e80..=0xa63f | 0xac00..=0xff20 | 0xff5b..=0x103ff | 0x1f000..
    )
}

/// How a character bears on the sigma before or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Casing {
    Cased,
    Ignorable,
    Neither,
}

/// The final-sigma rule: a cased letter comes before, none comes after, ignorable characters not counted.
fn is_final(before: &[u8], after: &[u8]) -> bool {
    next_is_cased(code_points_backwards(before)) && !next_is_cased(code_points(after))
}

fn next_is_cased(code_points: impl Iterator<Item = u32>) -> bool {
    code_points.map(casing).find(|casing| *casing != Casing::Ignorable) == Some(Casing::Cased)
}

fn casing(code_point: u32) -> Casing {
    match u8::try_from(code_point) {
        Ok(b'a'..=b'z' | b'A'..=b'Z') => Casing::Cased,
        Ok(b'\'' | b'.' | b':' | b'^' | b'`') => Casing::Ignorable,
        Ok(..=0x7f) => Casing::Neither,
        _ => char::from_u32(code_point).map_or(Casing::Neither, casing_in_library),
    }
}

/// Asks the library, which keeps both properties to itself, through what its own sigmas become.
fn casing_in_library(character: char) -> Casing {
    let is_final = |word: String| word.to_lowercase().starts_with("aς");
    if !is_final(format!("aΣ{character}")) {
        Casing::Cased
    } else if !is_final(format!("aΣ{character}a")) {
        Casing::Ignorable
    } else {
        Casing::Neither
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SURROGATE: &[u8] = b"\xed\xa0\x80";

    /// Characters that bear on casing in every way: cased, ignorable, both, neither, one to many, wide and narrow.
    const TELLING: &str =
        "aZkK\u{212a}İıßẞΣσςΑά.'’:^`·\u{345}\u{301}\u{ad}ʰⅠⒶǅ0- _\n\u{a0}\u{2028}中𐐀𝐀😀\u{e0001}ȺꞭ";

    fn telling_text(longest: usize) -> impl Strategy<Value = String> {
        let characters: Vec<char> = TELLING.chars().collect();
        proptest::collection::vec(proptest::sample::select(characters), 0..=longest)
            .prop_map(String::from_iter)
    }

    fn characters() -> impl Iterator<Item = char> {
        ('\0'..=char::MAX).filter(|character| *character != 'Σ')
    }

    #[test]
    fn code_points_of_every_width_are_read_both_ways() {
        let cases: [(&[u8], &[u32]); 13] = [
            (b"", &[]),
            (b"a", &[0x61]),
            (
                "\0é\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}".as_bytes(),
                &[0, 0xe9, 0x7ff, 0x800, 0xffff, 0x10000, 0x10_ffff],
            ),
            (SURROGATE, &[0xd800]),
            (b"a\xed\xbf\xbfb", &[0x61, 0xdfff, 0x62]),
            (b"\xed\xa0\x80\xed\xb0\x80", &[0xd800, 0xdc00]),
            ("\u{fffd}a".as_bytes(), &[MALFORMED, 0x61]),
            (b"\x80", &[MALFORMED]),
            (b"a\xff\xe4b", &[0x61, MALFORMED, MALFORMED, 0x62]),
            (b"\xc1\x81", &[MALFORMED; 2]),
            (b"\xe0\x81\x81", &[MALFORMED; 3]),
            (b"\xf0\x81\x81\x81", &[MALFORMED; 4]),
            (b"\xf4\x90\x80\x80", &[MALFORMED; 4]),
        ];
        for (text, expected) in cases {
            assert_eq!(code_points(text).collect::<Vec<_>>(), expected, "{text:x?}");
            let mut backwards: Vec<u32> = code_points_backwards(text).collect();
            backwards.reverse();
            assert_eq!(backwards, expected, "{text:x?}");
        }
        for count in [0, 1, 254, 255, 256, 1000] {
            assert_eq!(count_code_points("aé中😀".repeat(count).as_bytes()), 4 * count);
        }
        assert_eq!(count_code_points(SURROGATE), 1);
    }

    #[test]
    fn trim_removes_what_ecmascript_removes() {
        let removed =
            "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2000}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
        assert!(is_blank(removed.as_bytes()) && is_blank(b""));
        assert_eq!(trim(removed.as_bytes()), b"");
        assert_eq!(
            trim(format!("{removed}a{removed}b{removed}").as_bytes()),
            format!("a{removed}b").as_bytes()
        );
        for kept in ['\u{85}', '\u{1c}', '\u{1f}', '\u{180e}', '\u{200b}', '\u{2060}', '\0'] {
            let text = format!("{kept}");
            assert_eq!(trim(text.as_bytes()), text.as_bytes(), "{kept:?}");
            assert!(!is_blank(text.as_bytes()), "{kept:?}");
        }
        assert_eq!(trim(b" \xed\xa0\x80 "), SURROGATE);
    }

    #[test]
    fn pinned_whitespace_is_six_characters() {
        let whitespace: Vec<u8> = (0..=255).filter(|byte| is_pinned_whitespace(*byte)).collect();
        assert_eq!(whitespace, b"\t\n\x0b\x0c\r ");
    }

    #[test]
    fn every_character_lowercases_as_in_the_library() {
        for character in characters() {
            let text = character.to_string();
            assert_eq!(lowercase(text.as_bytes()), text.to_lowercase().as_bytes(), "{character:?}");
        }
    }

    #[test]
    fn a_sigma_sees_every_character_as_in_the_library() {
        // Planes 2 to 13 hold ideographs at most; the tags of plane 14 are case-ignorable.
        let planes = characters().filter(|character| matches!(u32::from(*character) >> 16, 0 | 1 | 14));
        for character in planes {
            for text in [
                format!("aΣ{character}"),
                format!("aΣ{character}a"),
                format!("{character}Σ"),
                format!("a{character}Σ"),
            ] {
                assert_eq!(lowercase(text.as_bytes()), text.to_lowercase().as_bytes(), "{text:?}");
            }
        }
    }

    #[test]
    fn the_table_of_ascii_casing_is_the_library_s() {
        for character in '\0'..='\x7f' {
            assert_eq!(casing(u32::from(character)), casing_in_library(character), "{character:?}");
        }
    }

    #[test]
    fn a_surrogate_ends_the_word_of_a_sigma() {
        let cases: [(&[&str], &[&str]); 5] = [
            (&["aΣ", "a"], &["aς", "a"]),
            (&["a", "Σ"], &["a", "σ"]),
            (&["Σ", "Σ"], &["σ", "σ"]),
            (&["aΣ'", "A"], &["aς'", "a"]),
            (&["AΣ", "", "ΑΣΑΣ."], &["aς", "", "ασας."]),
        ];
        for (text, expected) in cases {
            assert_eq!(lowercase(&joined(text)), joined(expected));
        }
    }

    fn joined(parts: &[&str]) -> Vec<u8> {
        parts.iter().map(|part| part.as_bytes()).collect::<Vec<_>>().join(SURROGATE)
    }

    proptest! {
        #[test]
        fn lowercase_is_the_library_s(text in telling_text(40)) {
            prop_assert_eq!(lowercase(text.as_bytes()), text.to_lowercase().into_bytes());
        }

        #[test]
        fn surrogates_split_a_text(parts in proptest::collection::vec(telling_text(6), 1..5)) {
            let lowered: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let lowered: Vec<&str> = lowered.iter().map(String::as_str).collect();
            prop_assert_eq!(lowercase(&joined(&parts)), joined(&lowered));
        }

        #[test]
        fn parts_make_the_whole(text in telling_text(40), step in 1usize..80) {
            let text = text.as_bytes();
            let mut lowered = Vec::new();
            let mut at = 0;
            while at < text.len() {
                at = lowercase_part(text, at..at + step, &mut lowered);
            }
            prop_assert_eq!(lowered, lowercase(text));
        }

        #[test]
        fn any_bytes_are_survived(text in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert!(lowercase(&text).len() <= 2 * text.len());
            let mut in_parts = Vec::new();
            let mut at = 0;
            while at < text.len() {
                at = lowercase_part(&text, at..at + 1, &mut in_parts);
            }
            prop_assert_eq!(in_parts, lowercase(&text));
            prop_assert!(trim(&text).len() <= text.len());
            prop_assert_eq!(code_points(&text).count() >= count_code_points(&text), true);
        }
    }
}
