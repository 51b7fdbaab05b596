//! `exact_match`, `contains`, `not_contains`, `regex`, `not_regex`: plain comparison and search.
//!
//! All but the patterns work on bytes: in UTF-8, and in its three-byte form of lone surrogates, no character is found
//! inside another, so a substring in bytes is one in code points. Substrings are searched by `memchr::memmem`, which
//! is linear; `contains` costs the length of the text times the number of fragments at worst.
//!
//! # The bound on a pattern's time
//! The pattern engine is linear in the text, but its factor is the size of the program: when a pattern has too many
//! deterministic states to remember (`a[ab]{160}[A-Z]`), every state of the program is stepped at every byte. The
//! program is therefore held to `PROGRAM_BYTES` and the memory for deterministic states to `STATE_BYTES`. Measured
//! over twenty-nine families of patterns (bounded repeats of wide, narrow and scattered classes, in rows, as optional
//! tails, beside alternations and word borders; runs of optional atoms and of `.*a`; lists of literals), each as large
//! as the limit lets it be, on ten texts of 65 536 characters, one to four bytes wide, on one core of a shared 2-core
//! server: at 12 KiB the worst takes 79 ms, at 16 KiB 130 to 240 ms, at 64 KiB 680 ms. 12 KiB are about 160 repeats
//! of a narrow class, or 12 of `.` or `[^…]`, which match a character of any width. With 2 MiB of states, the engine's
//! default, it spends up to twice as long before it gives up on them, and with half a mebibyte not.

use memchr::{memchr, memmem};
use regex::bytes::{Regex, RegexBuilder};

use crate::batch::{Code, Kernel, Row};
use crate::limits::MAX_REGEX_INPUT_CHARS;
use crate::text::{self, Cell};

/// The most that a compiled pattern may take.
const PROGRAM_BYTES: usize = 12 << 10;

/// The most that the deterministic states which are met in a search may take.
const STATE_BYTES: usize = 512 << 10;

/// Whether candidate and expected text are equal after normalisation: [`Code::Ok`] or [`Code::Mismatch`].
///
/// Both sides are trimmed as ECMAScript does, lowercased unless `case_sensitive`, and freed of the 32 ASCII
/// punctuation characters if `remove_punctuation`; nothing is trimmed again. Linear.
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::matching::ExactMatch;
/// use gradestone::text::Cell;
///
/// let kernel = ExactMatch { case_sensitive: false, remove_punctuation: true };
/// let row = kernel.grade(&(Cell::Text(b" Paris.\n"), Cell::Text(b"paris")), &mut Default::default());
/// assert_eq!(row.code, Code::Ok);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExactMatch {
    /// Tells `a` from `A`.
    pub case_sensitive: bool,
    /// Ignores ASCII punctuation.
    pub remove_punctuation: bool,
}

impl ExactMatch {
    fn normalize(self, text: &[u8], normal: &mut Vec<u8>) {
        let trimmed = text::trim(text);
        normal.clear();
        if self.case_sensitive {
            normal.extend_from_slice(trimmed);
        } else {
            text::lowercase_part(trimmed, 0..trimmed.len(), normal);
        }
        if self.remove_punctuation {
            normal.retain(|byte| !byte.is_ascii_punctuation());
        }
    }
}

impl Kernel<(Cell<'_>, Cell<'_>)> for ExactMatch {
    /// Both sides, normalised.
    type Scratch = [Vec<u8>; 2];

    fn grade(&self, input: &(Cell<'_>, Cell<'_>), scratch: &mut [Vec<u8>; 2]) -> Row {
        let (Cell::Text(candidate), Cell::Text(expected)) = input else { return Row::plain(Code::NotText) };
        let [left, right] = scratch;
        self.normalize(candidate, left);
        self.normalize(expected, right);
        Row::plain(if left == right { Code::Ok } else { Code::Mismatch })
    }
}

/// Whether all fragments are substrings of the text, or, if they are forbidden, none is.
///
/// [`Code::Ok`], or [`Code::MissingFragment`] with the absent ones as hits, or [`Code::ForbiddenFragment`] with the
/// present ones: indices into the list as given, repeats included. An empty fragment is in every text.
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::matching::Contains;
/// use gradestone::text::Cell;
///
/// let kernel = Contains::new(&["Seine", "Paris"], false);
/// let row = kernel.grade(&Cell::Text(b"the river of Paris"), &mut ());
/// assert_eq!((row.code, row.hits), (Code::MissingFragment, vec![0]));
/// ```
#[derive(Debug)]
pub struct Contains {
    fragments: Vec<memmem::Finder<'static>>,
    forbid: bool,
}

impl Contains {
    /// Prepares the search for each fragment.
    #[must_use]
    pub fn new<F: AsRef<[u8]>>(fragments: &[F], forbid: bool) -> Self {
        let finder = |fragment: &F| memmem::Finder::new(fragment.as_ref()).into_owned();
        Self { fragments: fragments.iter().map(finder).collect(), forbid }
    }
}

impl Kernel<Cell<'_>> for Contains {
    type Scratch = ();

    fn grade(&self, input: &Cell<'_>, (): &mut ()) -> Row {
        let Cell::Text(text) = input else { return Row::plain(Code::NotText) };
        let amiss = |finder: &memmem::Finder<'_>| finder.find(text).is_some() == self.forbid;
        let numbered = (0..).zip(&self.fragments);
        let hits: Vec<u32> = numbered.filter(|(_, finder)| amiss(finder)).map(|(index, _)| index).collect();
        if hits.is_empty() {
            return Row::plain(Code::Ok);
        }
        let code = if self.forbid { Code::ForbiddenFragment } else { Code::MissingFragment };
        Row { hits, ..Row::plain(code) }
    }
}

/// Whether a pattern matches somewhere in the text, or, if it is forbidden, nowhere.
///
/// [`Code::Ok`], or [`Code::NoMatch`], or [`Code::ForbiddenMatch`]. A text of more than
/// [`MAX_REGEX_INPUT_CHARS`] code points is [`Code::OverCap`]. One that holds a lone surrogate is
/// [`Code::NeedsEngine`]: this engine knows only characters. Before a forbidden pattern is searched, CRLF and lone
/// CR become LF, and one LF at the end is dropped; the cap counts the text as it was.
///
/// The pattern is one of this engine's dialect, ASCII classes spelt out: `[0-9]`, `(?-u:\b)`.
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::matching::Pattern;
/// use gradestone::text::Cell;
///
/// let kernel = Pattern::new("^[0-9]+$", true)?;
/// assert_eq!(kernel.grade(&Cell::Text(b"42\r\n"), &mut Vec::new()).code, Code::ForbiddenMatch);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    forbid: bool,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// If the pattern is not of the engine's dialect, or so large that a search could take longer than the module's
    /// bound: the caller has an engine that can be stopped.
    pub fn new(pattern: &str, forbid: bool) -> Result<Self, String> {
        let regex = RegexBuilder::new(pattern).size_limit(PROGRAM_BYTES).dfa_size_limit(STATE_BYTES).build();
        Ok(Self { regex: regex.map_err(|error| error.to_string())?, forbid })
    }
}

impl Kernel<Cell<'_>> for Pattern {
    /// The text with its line ends normalised.
    type Scratch = Vec<u8>;

    fn grade(&self, input: &Cell<'_>, scratch: &mut Vec<u8>) -> Row {
        let Cell::Text(text) = input else { return Row::plain(Code::NotText) };
        if text.len() > MAX_REGEX_INPUT_CHARS && text::count_code_points(text) > MAX_REGEX_INPUT_CHARS {
            return Row::plain(Code::OverCap);
        }
        if std::str::from_utf8(text).is_err() {
            return Row::plain(Code::NeedsEngine);
        }
        let text = if self.forbid { normalize_line_ends(text, scratch) } else { text };
        Row::plain(match (self.regex.is_match(text), self.forbid) {
            (true, true) => Code::ForbiddenMatch,
            (false, false) => Code::NoMatch,
            _ => Code::Ok,
        })
    }
}

/// CRLF and lone CR become LF, then one LF at the end is dropped.
fn normalize_line_ends<'a>(text: &'a [u8], buffer: &'a mut Vec<u8>) -> &'a [u8] {
    let unified = if memchr(b'\r', text).is_none() {
        text
    } else {
        buffer.clear();
        for (index, byte) in text.iter().enumerate() {
            match byte {
                b'\r' if text.get(index + 1) == Some(&b'\n') => {}
                b'\r' => buffer.push(b'\n'),
                byte => buffer.push(*byte),
            }
        }
        buffer
    };
    unified.strip_suffix(b"\n").unwrap_or(unified)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURROGATE: &[u8] = b"\xed\xa0\xbd";

    fn exact(options: (bool, bool), candidate: &[u8], expected: &[u8]) -> Code {
        let kernel = ExactMatch { case_sensitive: options.0, remove_punctuation: options.1 };
        let mut stale = [b"stale".to_vec(), b"stale".to_vec()];
        kernel.grade(&(Cell::Text(candidate), Cell::Text(expected)), &mut stale).code
    }

    #[test]
    fn exact_match_normalises_both_sides() {
        let (plain, cased, bare, both) = ((false, false), (true, false), (false, true), (true, true));
        let cases: [((bool, bool), &str, &str, bool); 18] = [
            (plain, "Hello World", "hello world", true),
            (cased, "Hello World", "hello world", false),
            (cased, "Hello", " Hello\u{feff}\u{2028}", true),
            (plain, "a\u{85}", "a", false),
            (plain, "\u{212a}ILO", "kilo", true),
            (plain, "\u{130}", "i\u{307}", true),
            (plain, "ΟΔΟΣ", "οδος", true),
            (plain, "ΟΔΟΣ", "οδοσ", false),
            (plain, "straße", "STRASSE", false),
            (plain, "Hello, world!", "hello world", false),
            (bare, "Hello, world!", "hello world", true),
            (both, "Hello, world!", "hello world", false),
            (bare, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "", true),
            (bare, "a – b", "a  b", false),
            (bare, "a !", "a", false),
            (bare, "( a )", " a ", false),
            (plain, "", " \t", true),
            (plain, "", "a", false),
        ];
        for (options, candidate, expected, equal) in cases {
            let code = if equal { Code::Ok } else { Code::Mismatch };
            assert_eq!(exact(options, candidate.as_bytes(), expected.as_bytes()), code, "{candidate:?}");
            assert_eq!(exact(options, expected.as_bytes(), candidate.as_bytes()), code, "{candidate:?}");
        }
    }

    #[test]
    fn exact_match_compares_lone_surrogates() {
        assert_eq!(exact((false, true), b" A\xed\xa0\xbd!", b"a\xed\xa0\xbd"), Code::Ok);
        assert_eq!(exact((false, false), SURROGATE, b"\xed\xa0\xbe"), Code::Mismatch);
    }

    fn contains(fragments: &[&[u8]], forbid: bool, text: &[u8]) -> (Code, Vec<u32>) {
        let row = Contains::new(fragments, forbid).grade(&Cell::Text(text), &mut ());
        assert_eq!(row.score, if row.code == Code::Ok { 1.0 } else { 0.0 });
        (row.code, row.hits)
    }

    #[test]
    fn contains_names_what_is_missing_and_its_opposite_what_is_there() {
        type Case<'a> = (&'a [&'a [u8]], &'a [u8], &'a [u32], &'a [u32]);
        let cases: [Case<'_>; 9] = [
            (&[b"a"], b"banana", &[], &[0]),
            (&[b"A"], b"banana", &[0], &[]),
            (&[b"x", b"an", b"y", b"ana"], b"banana", &[0, 2], &[1, 3]),
            (&[b"x", b"x", b"a", b"a"], b"a", &[0, 1], &[2, 3]),
            (&[b" ", b"\t"], b"a b", &[1], &[0]),
            (&[b""], b"", &[], &[0]),
            (&[b"a"], b"", &[0], &[]),
            // Half of a pair is no part of the character.
            (&[SURROGATE], "😀".as_bytes(), &[0], &[]),
            (&[SURROGATE], b"a\xed\xa0\xbda", &[], &[0]),
        ];
        for (fragments, text, missing, present) in cases {
            let code = if missing.is_empty() { Code::Ok } else { Code::MissingFragment };
            assert_eq!(contains(fragments, false, text), (code, missing.to_vec()), "{fragments:?}");
            let code = if present.is_empty() { Code::Ok } else { Code::ForbiddenFragment };
            assert_eq!(contains(fragments, true, text), (code, present.to_vec()), "{fragments:?}");
        }
    }

    fn search(pattern: &str, forbid: bool, text: &[u8]) -> Code {
        Pattern::new(pattern, forbid).unwrap().grade(&Cell::Text(text), &mut b"stale".to_vec()).code
    }

    #[test]
    fn a_pattern_is_searched_in_the_text_as_it_is() {
        let cases: [(&str, &str, bool); 9] = [
            ("[0-9]{2,}", "a 42", true),
            ("[0-9]{2,}", "a 4 2", false),
            ("[0-9]", "٣", false),
            ("^$", "", true),
            ("^.$", "😀", true),
            ("(?-u:\\b)42(?-u:\\b)", "é42é", true),
            ("a\\z", "a\n", false),
            ("\\r", "a\r\n", true),
            ("\\x00", "\0", true),
        ];
        for (pattern, text, found) in cases {
            let code = if found { Code::Ok } else { Code::NoMatch };
            assert_eq!(search(pattern, false, text.as_bytes()), code, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn a_forbidden_pattern_sees_unix_line_ends_and_one_fewer() {
        let cases: [(&str, &str); 11] = [
            ("", ""),
            ("a", "a"),
            ("a\n", "a"),
            ("a\r\n", "a"),
            ("a\r", "a"),
            ("a\n\n", "a\n"),
            ("a\r\n\r\n", "a\n"),
            ("a\n\r", "a\n"),
            ("\r\r\n\n", "\n\n"),
            ("a\rb\r\nc", "a\nb\nc"),
            ("\n", ""),
        ];
        for (text, seen) in cases {
            let mut stale = b"stale".to_vec();
            assert_eq!(normalize_line_ends(text.as_bytes(), &mut stale), seen.as_bytes(), "{text:?}");
        }
        assert_eq!(search("a\\z", true, b"a\r\n"), Code::ForbiddenMatch);
        assert_eq!(search("\\r", true, b"a\r\n"), Code::Ok);
        assert_eq!(search("^\\z", true, b""), Code::ForbiddenMatch);
    }

    #[test]
    fn the_cap_counts_code_points_before_line_ends_are_normalised() {
        for character in ["a", "é", "中", "😀", "\n"] {
            let full = character.repeat(MAX_REGEX_INPUT_CHARS);
            assert_eq!(search("b", false, full.as_bytes()), Code::NoMatch, "{character:?}");
            assert_eq!(search("b", true, full.as_bytes()), Code::Ok, "{character:?}");
            let over = full + "b";
            assert_eq!(search("b", false, over.as_bytes()), Code::OverCap, "{character:?}");
            assert_eq!(search("b", true, over.as_bytes()), Code::OverCap, "{character:?}");
        }
        let over = "\r\n".repeat(MAX_REGEX_INPUT_CHARS / 2) + "\n";
        assert_eq!(search("b", true, over.as_bytes()), Code::OverCap);
        assert_eq!(search("b", false, &SURROGATE.repeat(MAX_REGEX_INPUT_CHARS)), Code::NeedsEngine);
        assert_eq!(search("b", false, &SURROGATE.repeat(MAX_REGEX_INPUT_CHARS + 1)), Code::OverCap);
    }

    #[test]
    fn a_text_that_is_no_utf8_needs_the_other_engine() {
        for text in [SURROGATE, b"match \xed\xbf\xbf", b"\xff", b"match\x80"] {
            assert_eq!(search("match", false, text), Code::NeedsEngine, "{text:x?}");
            assert_eq!(search("match", true, text), Code::NeedsEngine, "{text:x?}");
        }
    }

    #[test]
    fn a_program_over_its_limit_is_refused() {
        let accepted = [
            "a[ab]{160}[A-Z]".to_owned(),
            "^.{0,10}$".to_owned(),
            "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}".to_owned(),
            "x".repeat(100),
            "(?i-u:the quick brown fox jumps over the lazy dog)".to_owned(),
            "first.*second.*third.*[^\"]*\"".to_owned(),
        ];
        for pattern in accepted {
            assert!(Pattern::new(&pattern, false).is_ok(), "{pattern}");
        }
        let refused = [
            "a[ab]{170}[A-Z]".to_owned(),
            ".{0,500}a.{0,500}b".to_owned(),
            "^.{0,80}$".to_owned(),
            "(?:(?:[ab]{100}){100}){100}".to_owned(),
            ".*a".repeat(50),
        ];
        for pattern in refused {
            let message = Pattern::new(&pattern, false).unwrap_err();
            assert!(message.contains("size limit"), "{pattern}: {message}");
        }
        for pattern in ["(", "[", "a{2,1}", "\\1", "(?=a)", "\\K"] {
            assert!(Pattern::new(pattern, false).is_err(), "{pattern}");
        }
    }

    #[test]
    fn a_cell_without_text_is_left_to_the_caller() {
        let exact = ExactMatch { case_sensitive: false, remove_punctuation: false };
        for pair in
            [(Cell::Other, Cell::Text(b"")), (Cell::Text(b""), Cell::Other), (Cell::Other, Cell::Other)]
        {
            assert_eq!(exact.grade(&pair, &mut Default::default()), Row::plain(Code::NotText));
        }
        let contains = Contains::new(&["a"], true);
        assert_eq!(contains.grade(&Cell::Other, &mut ()), Row::plain(Code::NotText));
        let pattern = Pattern::new("a", true).unwrap();
        assert_eq!(pattern.grade(&Cell::Other, &mut Vec::new()), Row::plain(Code::NotText));
    }
}
