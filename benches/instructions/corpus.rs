//! Answers that are made up, always the same ones, in the shape of real ones.
//!
//! A candidate has some 1.2 KB and its reference some 1.8 KB of words, figures, punctuation and line ends; some 44 % of
//! the rows hold symbols beyond ASCII, few of them each. A candidate takes some sentences of its reference over, with
//! or without a change, as answers to one question do. Here and there stands what looks like personal data.

use std::fmt::Write;

/// Numbers that look random and are the same in every run (splitmix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits fit") % bound
    }

    /// Holds in so many cases of a hundred.
    fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// Words, the frequent ones first.
pub fn words(count: usize, chance: &mut Chance) -> Vec<String> {
    let syllables =
        ["ba", "con", "de", "er", "fi", "ing", "ka", "lo", "men", "no", "o", "per", "re", "s", "ti"];
    let word = |index: usize| {
        // The more frequent, the shorter.
        let most = if index < 30 { 2 } else { 4 };
        (0..=chance.below(most)).map(|_| chance.of(&syllables)).collect()
    };
    (0..count).map(word).collect()
}

/// Symbols beyond ASCII as answers have them: typographic ones, letters of words, a few of other scripts.
const SYMBOLS: [&str; 8] = ["\u{2019}", "\u{2014}", "é", "ü", "°", "→", "中", "😀"];

/// What wakes a detector of personal data, or nearly does.
const FIGURES: [&str; 8] =
    ["3.14", "2024-05-17", "10:30", "a@b", "192.168.0", "jo@example.org", "+44 20 7946 0958", "(1)"];

struct Writer<'a> {
    chance: Chance,
    words: &'a [String],
    /// Whether the row has symbols beyond ASCII.
    is_wide: bool,
}

impl Writer<'_> {
    /// A frequent word mostly: the chance falls with the square of its number.
    fn word(&mut self) -> &str {
        let count = self.words.len();
        let within = self.chance.below(count) + 1;
        let within = self.chance.below(within) + 1;
        &self.words[self.chance.below(within)]
    }

    fn sentence(&mut self) -> String {
        let mut sentence = String::new();
        for place in 0..6 + self.chance.below(14) {
            let word = self.word().to_owned();
            if place == 0 {
                sentence.push_str(&word[..1].to_uppercase());
                sentence.push_str(&word[1..]);
                continue;
            }
            sentence.push_str(if self.chance.percent(6) { ", " } else { " " });
            match self.chance.below(100) {
                0..3 => sentence.push_str(self.chance.of(&FIGURES)),
                3..6 => {
                    write!(sentence, "{}", self.chance.below(2000)).expect("a string takes what is written")
                }
                6..10 if self.is_wide => {
                    sentence.push_str(&word);
                    sentence.push_str(self.chance.of(&SYMBOLS));
                }
                _ => sentence.push_str(&word),
            }
        }
        sentence + self.chance.of(&[".", ".", ".", ":", "?"])
    }

    /// The sentence once more, one word of it another.
    fn changed(&mut self, sentence: &str) -> String {
        let mut words: Vec<&str> = sentence.split(' ').collect();
        let place = self.chance.below(words.len());
        let other = self.word().to_owned();
        words[place] = &other;
        words.join(" ")
    }

    fn sentences(&mut self, bytes: usize) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut written = 0;
        while written < bytes {
            sentences.push(self.sentence());
            written += sentences.last().map_or(0, String::len) + 1;
        }
        sentences
    }

    fn joined(&mut self, sentences: &[String]) -> String {
        let mut text = String::new();
        for sentence in sentences {
            text.push_str(sentence);
            text.push_str(self.chance.of(&[" ", " ", " ", "\n", "\n\n- "]));
        }
        text
    }
}

/// A candidate and its reference, as texts and as lists of sixteen contexts.
pub struct Pair {
    pub candidate: String,
    pub reference: String,
    pub retrieved: Vec<String>,
    pub expected: Vec<String>,
}

/// Contexts on each side of a row.
const CONTEXTS: usize = 16;

pub fn pairs(count: usize) -> Vec<Pair> {
    let words = words(3000, &mut Chance::new(1));
    (0..count).map(|row| pair(row, &words)).collect()
}

fn pair(row: usize, words: &[String]) -> Pair {
    let mut chance = Chance::new(row as u64 + 2);
    let is_wide = chance.percent(44);
    // From less than half to one and a half times the mean length.
    let bytes = 500 + chance.below(1200);
    let mut writer = Writer { chance, words, is_wide };
    let mut reference = writer.sentences(bytes * 3 / 2);
    reference.resize_with(reference.len().max(CONTEXTS), || writer.sentence());
    let mut candidate = Vec::new();
    let mut written = 0;
    while written < bytes {
        let theirs = candidate.len() % reference.len();
        let sentence = match writer.chance.below(10) {
            0 => reference[theirs].clone(),
            1..4 => writer.changed(&reference[theirs]),
            _ => writer.sentence(),
        };
        written += sentence.len() + 1;
        candidate.push(sentence);
    }
    candidate.resize_with(candidate.len().max(CONTEXTS), || writer.sentence());
    Pair {
        candidate: writer.joined(&candidate),
        reference: writer.joined(&reference),
        retrieved: candidate[..CONTEXTS].to_vec(),
        expected: reference[..CONTEXTS].to_vec(),
    }
}
