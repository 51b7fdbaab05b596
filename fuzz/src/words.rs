//! Vocabularies: texts as lists of words that bear on what a kernel decides, a byte each.
//!
//! Plain bytes hardly ever make a valid card number, or two texts that share a word of seventeen letters.

use crate::Text;

/// No text out of a vocabulary is longer: three words of 64 bits, and some.
const LONGEST: usize = 200;

/// From this byte on, the word before is repeated.
const REPEATS: u8 = 0xc0;

/// The words of a vocabulary.
pub struct Vocabulary {
    /// A byte each.
    pub words: &'static [&'static str],
    /// Whether they make texts of any kind, in which other words would do as well.
    pub is_prose: bool,
}

impl Vocabulary {
    /// The text that a field makes: a byte under 0xc0 is a word, another repeats the last one, up to 63 times.
    #[must_use]
    pub fn expand(&self, field: &[u8]) -> Text {
        let mut text = Text::new();
        let mut last = Text::new();
        for byte in field {
            let times = match byte {
                ..REPEATS => {
                    last = self.word(usize::from(*byte) % self.words.len());
                    1
                }
                _ => usize::from(*byte - REPEATS) + 1,
            };
            for _ in 0..times {
                if text.len() + last.len() <= LONGEST {
                    text.extend(&last);
                }
            }
        }
        text
    }

    fn word(&self, index: usize) -> Text {
        self.words[index].chars().map(symbol).collect()
    }
}

/// A string cannot hold a lone surrogate: the first four characters for private use stand for some.
fn symbol(character: char) -> u32 {
    match character {
        '\u{e000}' => 0xd800,
        '\u{e001}' => 0xdbff,
        '\u{e002}' => 0xdc00,
        '\u{e003}' => 0xdfff,
        other => u32::from(other),
    }
}

/// Words, borders, every sort of character that bears on lowercase, and lengths at the seams of keys and blocks.
#[rustfmt::skip]
pub static PROSE: Vocabulary = Vocabulary { is_prose: true, words: &[
    "a", "b", "c", "a ", "b ", "c ", "d ", "e ", "A", "B ", "Z", "z", "0", "9", "1 ", "the ", "The ", "cat ", "CAT",
    " ", "  ", "\t", "\n", "\r\n", "\u{b}", "\u{c}", "\r", "\u{a0}", "\u{85}", "\u{1c}", "\u{2028}", "\u{feff}", "\u{3000}",
    "\u{180e}", "\u{200b}", "\0", "\u{7f}", ".", ",", "'", "’", ":", "^", "`", "-", "_", "/", "@", "[", "{", "!", "~", "+", "C++",
    "Σ", "σ", "ς", "aΣ", "ΑΣ", "Σ ", "İ", "i\u{307}", "ı", "\u{212a}", "\u{212b}", "K", "k", "ß", "ẞ", "é", "É", "e\u{301}",
    "\u{301}", "\u{345}", "\u{ad}", "·", "ʰ", "Ⅷ", "Ⓐ", "ǅ", "Ⱥ", "Ꞛ", "\u{a7dc}", "\u{a7cb}", "\u{1c89}", "\u{10d50}",
    "\u{16ea0}", "𐐀", "𝐀", "中", "文", "😀", "٣", "½", "\u{e0001}", "\u{10ffff}", "\u{ffff}", "\u{fffd}",
    "\u{e000}", "\u{e001}", "\u{e002}", "\u{e003}", "\u{e000}\u{e002}",
    "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopQ", "abcdefghijklmnopr",
    "kill", "kills", "skill", "as an ai", "ai", "an ai", "привет", "ПРИВЕТ", "naïve",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "                                                               ",
] };

/// What personal data are made of.
#[rustfmt::skip]
pub static PERSONAL: Vocabulary = Vocabulary { is_prose: false, words: &[
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "f", "g", "l", "z", "A", "F", "G", "I", "O", "Z", "@", ".", "-", "+",
    "(", ")", ":", "::", " ", "\t", "\n", "\r", "\u{b}", "\u{c}", "_", "%", ",", "/", ";", "é", "\u{a0}", "\u{e000}", "\0", "\u{7f}", "中",
    "25", "255", "256", "199", "01", "00", "1.", "1.2.", "1.2.3.", "1.2.3.4", "127.0.0.1", ".com", ".co", "@b", "a@b.co", "x.y@", "..", "@.",
    "4111 1111 1111 1111", "4111-1111-1111-111", "4222222222222", "6304000000000000000", "378282246310005", "4111111111111", "1 ", "1-", " -", "0000",
    "GB82", "GB82WEST12345698765432", "NO93", "NO9386011117947", "86011117947", "WEST", "DE89", "DE89370400440532013000", "gb82west", "AB12", "Z9",
    "fe80::", "12ab:", "1:", "a:", "ffff", "12345", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:", "::1", ":::", "std::vector",
    "+1", "+49 ", "+1234567", "(0)", "12 34 ", "+123456789012345", "7946-0958",
    "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "1BoatSLRHtKNngkdXEeobR7", "3b9", "bc1", "bc1q", "BC1", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "q0",
] };

/// Pieces of lines of JSON, sound and broken.
#[rustfmt::skip]
pub static LINES: Vocabulary = Vocabulary { is_prose: false, words: &[
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\r\n", " ", "\t", "\u{b}", "\r", "\u{feff}", "\"a\":", "\"b\":", "\"x\":", "\"\\u0061\":", "\"no_pii\":",
    "\"é\":", "\"\":", "{\"a\":", "{\"b\":", "{\"x\":", "\"one\"", "\"\"", "\"é\"", "\"tw\\u00f6\\n\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00\"",
    "\\n", "\\\"", "\\\\", "\\/", "\\u0000", "\\ud83d", "\\ude00", "\\u00E9", "\\x", "\\u12", "\0", "\u{1f}", "\u{7f}", "😀", "null", "true", "false", "nul", "NaN",
    "Infinity", "-Infinity", "-", "+1", "0", "-0", "1", "12", "01", "1.5", "1.", ".5", "1e5", "1E-5", "12345678901234567", "123456789012345678",
    "-1234567890.12345", "[]", "{}", "[[", "]]", "[1,2]", "{\"a\":\"one\"}", "{\"b\":1,\"a\":null}\n", "\"k\":1,", "//", "'a'", "1,", "\"x\":{\"y\":1,\"y\":2},",
    "{\"a\":\"", "\"}", "\"}\n", "\",\"b\":\"",
] };

/// Atoms of patterns, and marks that make a text out of them; see `targets::regex`.
#[rustfmt::skip]
pub static MATCHED: Vocabulary = Vocabulary { is_prose: false, words: &[
    "a", "b", "c", "ab", "A", "_", "0", "7", " ", "\n", "\r\n", "\r", "\t", "-", ".", "é", "中", "😀", "\u{e000}", "\0", "\u{212a}", "K", "k", "aaaaaaaa",
] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_repeated_and_no_text_grows_without_end() {
        assert_eq!(PROSE.expand(&[0, 1, 0xc2]), [0x61, 0x62, 0x62, 0x62, 0x62]);
        assert_eq!(PROSE.expand(&[0, 0xff - 0x01]).len(), 64);
        assert!(PROSE.expand(&[0xfe; 100]).is_empty());
        assert!(PROSE.expand(&[120; 100]).len() <= LONGEST);
    }

    #[test]
    fn every_word_has_a_byte() {
        for vocabulary in [&PROSE, &PERSONAL, &LINES, &MATCHED] {
            assert!(vocabulary.words.len() <= usize::from(REPEATS));
        }
    }
}
