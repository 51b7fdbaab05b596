//! The pinned tokenizer: a text becomes a list of small numbers, equal tokens the same number.
//!
//! Lowercase; each maximal run of `[a-z0-9]` is a token; every other code point outside pinned whitespace is a
//! token. Lowercasing comes first because it can turn one character into several tokens (U+0130) or into a letter
//! that prolongs a run (U+212A).
//!
//! The lowercase text is read 64 bytes at a time. A block becomes two bit sets, where tokens start and where they end;
//! whatever its kind, a token is a start and the end of the same number, so that words, punctuation and other code
//! points take the same path without a branch to mispredict. A token of at most 16 bytes is its own key, one load; keys are numbered in an open table whose hash is seeded per scratch, so that no
//! text can be prepared in which all tokens collide.
//!
//! Cost: linear, a little over 1 ns a byte of English. Text is lowercased in windows that double, and nothing is read past
//! the window in which the limit is exceeded: 10 MB of words cost what their first 4097 tokens cost.

use crate::batch::Code;
#[cfg(target_arch = "x86_64")]
use crate::classes::wide;
use crate::classes::{BLOCK, Classes, Marks};
use crate::cpu::by_processor;
use crate::interner::Interner;
use crate::limits::MAX_TOKENS;
use crate::text::{self, Cell, Lowered};
use std::collections::HashMap;

/// Bytes that are lowercased at once at first: most texts are shorter, and it holds a few thousand tokens.
pub const FIRST_WINDOW: usize = 16 * 1024;

/// Bytes of the longest token that is its own key.
const KEY: usize = 16;

/// Tokens that a block may hold, most having some more.
const TOKENS: usize = 8;

/// `MASKS[n]` keeps the first n bytes of a little-endian key.
const MASKS: [u128; KEY + 1] = {
    let mut masks = [0; KEY + 1];
    let mut bytes = 1;
    while bytes <= KEY {
        masks[bytes] = masks[bytes - 1] << 8 | 0xff;
        bytes += 1;
    }
    masks
};

/// Where the tokens of a text begin and end, in order.
#[derive(Default)]
struct Places {
    /// The bytes that begin a token.
    starts: Marks,
    /// The bytes after a token's last.
    ends: Marks,
    /// Whether the byte before the next block is in a token, and whether it is in `[a-z0-9]`.
    in_token: bool,
    in_word: bool,
}

impl Places {
    /// Finds the tokens of a text, or somewhat more than `limit` of them.
    #[inline(always)]
    fn find(&mut self, text: &[u8], limit: usize, read: impl Fn(&[u8; BLOCK]) -> Classes) {
        self.starts.clear();
        self.ends.clear();
        (self.in_token, self.in_word) = (false, false);
        let (whole, rest) = text.as_chunks::<BLOCK>();
        let mut at = 0;
        for bytes in whole {
            self.add(read(bytes), at);
            at += BLOCK as u32;
            if self.ends.places().len() > limit {
                return;
            }
        }
        // One space at least, where the last token ends.
        let mut padded = [b' '; BLOCK];
        padded[..rest.len()].copy_from_slice(rest);
        self.add(read(&padded), at);
    }

    /// Goes on by a block of lowercase text that begins at `at`.
    #[inline(always)]
    fn add(&mut self, Classes { alphanumeric, space, continuation }: Classes, at: u32) {
        // A byte that continues nothing is in no text; it begins a token like any other.
        let continued = continuation & !(space << 1 | u64::from(!self.in_token));
        let follows = alphanumeric & (alphanumeric << 1 | u64::from(self.in_word)) | continued;
        let starts = !(follows | space);
        let tokens = starts | follows;
        let ends = (tokens << 1 | u64::from(self.in_token)) & !follows;
        self.in_word = alphanumeric >> (BLOCK - 1) == 1;
        self.in_token = tokens >> (BLOCK - 1) == 1;
        self.starts.push::<TOKENS>(starts, at);
        self.ends.push::<TOKENS>(ends, at);
    }
}

/// Splits texts into tokens and numbers them in one vocabulary.
#[derive(Default)]
pub struct Tokenizer {
    vocabulary: Interner,
    /// The tokens that are longer than a key, numbered among themselves.
    long: HashMap<Vec<u8>, u32>,
    lowered: Vec<u8>,
    places: Places,
}

impl Tokenizer {
    /// Forgets the vocabulary.
    pub fn clear(&mut self) {
        self.vocabulary.clear();
        self.long.clear();
    }

    /// How many distinct tokens the vocabulary holds; their numbers are those below it.
    #[must_use]
    pub fn distinct(&self) -> u32 {
        self.vocabulary.count()
    }

    /// Replaces `tokens` by the tokens of `text`. Ends early, somewhere after `limit` tokens, when there are more: how many
    /// there are is then told, and not which, since a sigma may not have seen what follows it.
    pub fn tokenize(&mut self, text: &[u8], limit: usize, tokens: &mut Vec<u32>) {
        tokens.clear();
        self.lowered.clear();
        let mut window = FIRST_WINDOW;
        let mut at = 0;
        while at < text.len() && tokens.len() <= limit {
            let end = at + window.min(text.len() - at);
            // A sigma may look far ahead, past characters of which each is a token: no further than the limit.
            let visible = text.len().min(end.saturating_add(limit.saturating_mul(4).saturating_add(8)));
            at = text::lowercase_part(&text[..visible], at..end, &mut self.lowered);
            let ready = if at == text.len() { self.lowered.len() } else { self.closed() };
            split(self, ready, limit, tokens);
            self.lowered.drain(..ready);
            window *= 2;
        }
    }

    /// Replaces `tokens` by the tokens of a text that is in lowercase already; see `tokenize`.
    pub fn tokenize_lowered(&mut self, text: &mut Lowered, limit: usize, tokens: &mut Vec<u32>) {
        tokens.clear();
        let length = text.len();
        text.swap(&mut self.lowered);
        split(self, length, limit, tokens);
        text.swap(&mut self.lowered);
    }

    /// Where the last token that more text could prolong begins.
    fn closed(&self) -> usize {
        self.lowered.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |last| last + 1)
    }
}

by_processor! {
    /// Appends the tokens of the first `ready` bytes of lowercase text, or somewhat more than `limit` of them.
    fn split(tokenizer: &mut Tokenizer, ready: usize, limit: usize, tokens: &mut Vec<u32>)
        => split_anywhere, split_modern;
}

#[inline(always)]
fn split_anywhere(tokenizer: &mut Tokenizer, ready: usize, limit: usize, tokens: &mut Vec<u32>) {
    split_by(tokenizer, ready, limit, tokens, Classes::read);
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn split_modern(tokenizer: &mut Tokenizer, ready: usize, limit: usize, tokens: &mut Vec<u32>) {
    split_by(tokenizer, ready, limit, tokens, |bytes| wide::classes(bytes));
}

#[inline(always)]
fn split_by(
    tokenizer: &mut Tokenizer,
    ready: usize,
    limit: usize,
    tokens: &mut Vec<u32>,
    read: impl Fn(&[u8; BLOCK]) -> Classes,
) {
    let Tokenizer { vocabulary, long, lowered, places } = tokenizer;
    places.find(&lowered[..ready], limit.saturating_sub(tokens.len()), read);
    let length = lowered.len();
    lowered.resize(length + KEY, 0);
    let text = lowered.as_slice();
    // A token that goes on where the limit was exceeded has no end yet: it is none.
    let bounds = places.starts.places().iter().zip(places.ends.places());
    let keys = bounds.map(|(start, end)| key(text, *start, *end, long));
    vocabulary.intern_all(keys, tokens);
    lowered.truncate(length);
}

/// What a token, from `start` to `end` of a padded text, is known by: its bytes, or the number of a long one.
#[inline(always)]
fn key(text: &[u8], start: u32, end: u32, long: &mut HashMap<Vec<u8>, u32>) -> u128 {
    let [start, length] = [start as usize, end.wrapping_sub(start) as usize];
    match (MASKS.get(length), text.get(start..start + KEY)) {
        (Some(mask), Some(bytes)) => {
            mask & bytes.first_chunk::<KEY>().map_or(0, |bytes| u128::from_le_bytes(*bytes))
        }
        _ => number_long(&text[start..][..length], long),
    }
}

#[cold]
fn number_long(token: &[u8], long: &mut HashMap<Vec<u8>, u32>) -> u128 {
    let next = u32::try_from(long.len()).expect("fewer than 2^32 tokens");
    let number = *long.entry(token.to_vec()).or_insert(next);
    // No token of a text begins with a byte that continues a code point, so this key is nobody else's.
    u128::from(number) << 8 | 0x80
}

/// A candidate and a reference as tokens of one vocabulary, those of the reference numbered first.
#[derive(Default)]
pub struct Pair {
    tokenizer: Tokenizer,
    /// The candidate's tokens.
    pub candidate: Vec<u32>,
    /// The reference's tokens.
    pub reference: Vec<u32>,
}

impl Pair {
    /// Reads a row of BLEU or ROUGE.
    ///
    /// # Errors
    /// Why the row cannot be scored: a cell that is no text, a blank reference or one without tokens, a candidate
    /// without tokens, either side over `MAX_TOKENS`; the first of these that holds.
    pub fn read(&mut self, cells: &(Cell<'_>, Cell<'_>)) -> Result<(), Code> {
        match cells {
            // A lone U+00A0 is a token, and blank all the same.
            (Cell::Text(_), Cell::Text(reference)) if text::is_blank(reference) => Err(Code::EmptyReference),
            _ => self.read_up_to(MAX_TOKENS, cells),
        }
    }

    /// Reads a row of a grader without a cap, for which a reference is empty only if it has no tokens.
    ///
    /// # Errors
    /// As `read`, but for the blank reference and the cap.
    pub fn read_uncapped(&mut self, cells: &(Cell<'_>, Cell<'_>)) -> Result<(), Code> {
        self.read_up_to(usize::MAX, cells)
    }

    /// As `read`, for a row whose candidate is wanted in lowercase by other graders too: `lowered` is the candidate's.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_lowered(&mut self, lowered: &mut Lowered, reference: &[u8]) -> Result<(), Code> {
        if text::is_blank(reference) {
            return Err(Code::EmptyReference);
        }
        self.read_sides(MAX_TOKENS, reference, |tokenizer, tokens| {
            tokenizer.tokenize_lowered(lowered, MAX_TOKENS, tokens);
        })
    }

    fn read_up_to(&mut self, limit: usize, cells: &(Cell<'_>, Cell<'_>)) -> Result<(), Code> {
        let (Cell::Text(candidate), Cell::Text(reference)) = *cells else {
            return Err(Code::NotText);
        };
        self.read_sides(limit, reference, |tokenizer, tokens| tokenizer.tokenize(candidate, limit, tokens))
    }

    fn read_sides(
        &mut self,
        limit: usize,
        reference: &[u8],
        read_candidate: impl FnOnce(&mut Tokenizer, &mut Vec<u32>),
    ) -> Result<(), Code> {
        self.tokenizer.clear();
        self.tokenizer.tokenize(reference, limit, &mut self.reference);
        if self.reference.is_empty() {
            return Err(Code::EmptyReference);
        }
        read_candidate(&mut self.tokenizer, &mut self.candidate);
        if self.candidate.is_empty() {
            return Err(Code::EmptyCandidate);
        }
        if self.candidate.len().max(self.reference.len()) > limit {
            return Err(Code::OverCap);
        }
        Ok(())
    }

    /// How many distinct tokens both sides have together.
    #[must_use]
    pub fn distinct(&self) -> u32 {
        self.tokenizer.distinct()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SURROGATE: &[u8] = b"\xed\xa0\x80";

    /// The definition, word for word.
    fn split_plainly(text: &[u8]) -> Vec<Vec<u8>> {
        let lowered = text::lowercase(text);
        let mut tokens: Vec<Vec<u8>> = Vec::new();
        let mut in_run = false;
        let mut rest = lowered.as_slice();
        while let Some((code_point, width)) = text::first(rest) {
            let bytes = &rest[..width];
            rest = &rest[width..];
            let continues = in_run;
            in_run = u8::try_from(code_point).is_ok_and(|byte| byte.is_ascii_alphanumeric());
            match tokens.last_mut() {
                Some(run) if in_run && continues => run.extend_from_slice(bytes),
                _ if text::is_pinned_whitespace(bytes[0]) => {}
                _ => tokens.push(bytes.to_vec()),
            }
        }
        tokens
    }

    fn number_plainly(tokens: &[Vec<u8>]) -> Vec<u32> {
        let mut numbers = HashMap::new();
        let number = |token| {
            let next = u32::try_from(numbers.len()).unwrap();
            *numbers.entry(token).or_insert(next)
        };
        tokens.iter().map(number).collect()
    }

    fn assert_as_defined(tokenizer: &mut Tokenizer, text: &[u8]) {
        let mut tokens = Vec::new();
        tokenizer.clear();
        tokenizer.tokenize(text, usize::MAX, &mut tokens);
        assert_eq!(tokens, number_plainly(&split_plainly(text)), "{}", text.escape_ascii());
    }

    #[test]
    fn texts_are_split_as_the_contract_says() {
        let cases: [(&str, &[&str]); 16] = [
            ("", &[]),
            (" \t\n\u{b}\u{c}\r", &[]),
            ("Hello, World!", &["hello", ",", "world", "!"]),
            ("don't a_b", &["don", "'", "t", "a", "_", "b"]),
            ("x\r\ny", &["x", "y"]),
            ("a\u{a0}b\u{85}c\u{1c}d", &["a", "\u{a0}", "b", "\u{85}", "c", "\u{1c}", "d"]),
            ("\u{feff}a\u{2028}b", &["\u{feff}", "a", "\u{2028}", "b"]),
            ("1\u{212a}B", &["1kb"]),
            ("xİx", &["xi", "\u{307}", "x"]),
            ("ΟΔΟΣ Σ", &["ο", "δ", "ο", "ς", "σ"]),
            ("aΣ aΣb", &["a", "ς", "a", "σ", "b"]),
            ("naïve Ⅷ", &["na", "ï", "ve", "ⅷ"]),
            ("中文😀😀", &["中", "文", "😀", "😀"]),
            ("٣٤ ½", &["٣", "٤", "½"]),
            ("\0\0a", &["\0", "\0", "a"]),
            ("e\u{301}", &["e", "\u{301}"]),
        ];
        let mut tokenizer = Tokenizer::default();
        for (text, expected) in cases {
            let expected: Vec<Vec<u8>> = expected.iter().map(|token| token.as_bytes().to_vec()).collect();
            assert_eq!(split_plainly(text.as_bytes()), expected, "{text:?}");
            assert_as_defined(&mut tokenizer, text.as_bytes());
        }
        assert_as_defined(&mut tokenizer, &[b"ab", SURROGATE, SURROGATE, b"ab"].concat());
        assert_as_defined(&mut tokenizer, &["aΣ".as_bytes(), SURROGATE, "aΣ".as_bytes()].concat());
    }

    #[test]
    fn tokens_of_every_length_are_whole_at_every_place() {
        let mut tokenizer = Tokenizer::default();
        for length in [1, 2, 7, 8, 15, 16, 17, 18, 32, 63, 64, 65, 66, 127, 128, 129, 300] {
            for place in 0..=BLOCK + 1 {
                let [word, space, points] = ["a".repeat(length), " ".repeat(place), ".".repeat(place)];
                let text =
                    format!("{space}{word}b {word} é{word}c😀{points}{word}{word}\u{212a}{word} {word}b");
                assert_as_defined(&mut tokenizer, text.as_bytes());
            }
        }
    }

    #[test]
    fn windows_do_not_cut() {
        let mut tokenizer = Tokenizer::default();
        for edge in [FIRST_WINDOW, 3 * FIRST_WINDOW] {
            for before in edge - 5..=edge + 5 {
                for (filling, across) in
                    [("b ", "word"), ("ab", "word "), (" ", "aΣ"), ("b ", "aΣ''b"), ("b ", "İ中😀\u{212a}")]
                {
                    let mut text = filling.repeat(before.div_ceil(2));
                    text.truncate(before);
                    text.push_str(across);
                    text.push_str(" the end");
                    assert_as_defined(&mut tokenizer, text.as_bytes());
                }
            }
        }
    }

    #[test]
    fn an_excess_of_tokens_is_noticed_and_not_read() {
        let mut tokenizer = Tokenizer::default();
        let mut tokens = Vec::new();
        for limit in [1, 63, 64, 65, 4096] {
            for count in limit - 1..=limit + 1 {
                tokenizer.tokenize("w ".repeat(count).as_bytes(), limit, &mut tokens);
                assert_eq!(tokens.len(), count);
            }
            tokenizer.tokenize("w ".repeat(1_000_000).as_bytes(), limit, &mut tokens);
            assert!(tokens.len() > limit && tokens.len() <= limit + BLOCK, "{}", tokens.len());
            assert!(tokenizer.lowered.len() <= FIRST_WINDOW);
        }
    }

    #[test]
    fn a_sigma_looks_as_far_as_the_limit() {
        let mut tokenizer = Tokenizer::default();
        let mut tokens = Vec::new();
        for ignorable in ["'", "·", "\u{e0001}"] {
            let text = format!("aς aΣ{}b", ignorable.repeat(6000));
            tokenizer.clear();
            tokenizer.tokenize(text.as_bytes(), 6005, &mut tokens);
            assert_eq!(tokens.len(), 6005);
            assert_ne!(tokens[3], tokens[1], "a letter follows, if far away");
            tokenizer.tokenize(text.as_bytes(), 4096, &mut tokens);
            assert!(tokens.len() > 4096);
        }
    }

    /// Candidate, reference, what a capped grader says, what an uncapped one says.
    type Case<'a> = (Option<&'a str>, Option<&'a str>, Result<(), Code>, Result<(), Code>);

    fn cell(text: Option<&str>) -> Cell<'_> {
        text.map_or(Cell::Other, |text| Cell::Text(text.as_bytes()))
    }

    #[test]
    fn rows_that_cannot_be_scored_say_why() {
        let full = "a ".repeat(MAX_TOKENS);
        let over = "a ".repeat(MAX_TOKENS + 1);
        let cases: [Case<'_>; 12] = [
            (None, Some(""), Err(Code::NotText), Err(Code::NotText)),
            (Some("a"), None, Err(Code::NotText), Err(Code::NotText)),
            (Some(""), Some(""), Err(Code::EmptyReference), Err(Code::EmptyReference)),
            (Some("a"), Some(" \t"), Err(Code::EmptyReference), Err(Code::EmptyReference)),
            (Some("a"), Some("\u{a0}\u{feff}"), Err(Code::EmptyReference), Ok(())),
            (Some("\u{a0}"), Some("\u{85}"), Ok(()), Ok(())),
            (Some(" \r\n"), Some("a"), Err(Code::EmptyCandidate), Err(Code::EmptyCandidate)),
            (Some(" "), Some(&over), Err(Code::EmptyCandidate), Err(Code::EmptyCandidate)),
            (Some(&over), Some(" "), Err(Code::EmptyReference), Err(Code::EmptyReference)),
            (Some("a"), Some(&over), Err(Code::OverCap), Ok(())),
            (Some(&over), Some("a"), Err(Code::OverCap), Ok(())),
            (Some(&full), Some(&full), Ok(()), Ok(())),
        ];
        let mut pair = Pair::default();
        for (candidate, reference, capped, uncapped) in cases {
            let cells = (cell(candidate), cell(reference));
            assert_eq!(pair.read(&cells), capped, "{candidate:.9?} {reference:.9?}");
            assert_eq!(pair.read_uncapped(&cells), uncapped, "{candidate:.9?} {reference:.9?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_split_as_the_contract_says(
            text in "[ab0 .,'\\n\\u{a0}Kk\u{212a}Σσςİé中😀-]{0,200}",
            cut in 0usize..200,
        ) {
            let mut tokenizer = Tokenizer::default();
            assert_as_defined(&mut tokenizer, text.as_bytes());
            let (before, after) = text.split_at(text.floor_char_boundary(cut));
            assert_as_defined(&mut tokenizer, &[before.as_bytes(), SURROGATE, after.as_bytes()].concat());
        }

        #[test]
        fn any_bytes_are_survived(text in proptest::collection::vec(any::<u8>(), 0..300), limit in 0usize..40) {
            let mut tokens = Vec::new();
            Tokenizer::default().tokenize(&text, limit, &mut tokens);
            prop_assert!(tokens.len() <= limit + BLOCK);
        }
    }
}
