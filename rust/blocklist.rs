//! `blocklist`: which of many terms stand in a text on their own.
//!
//! # What is decided
//! Text and terms are lowercased. A term hits where it occurs and neither neighbour is in `[a-z0-9]`. Occurrences
//! may overlap: a term inside a longer one is judged on its own. Only whether a term hits is reported, not how often.
//!
//! # Why Aho-Corasick on atoms
//! Cut a text into *atoms*: a maximal run of `[a-z0-9]` (a word) is one, every other byte is one. Where a term hits,
//! the borders make its first and last word whole words of the text, so its atoms stand in a row among those of the
//! text. The automaton therefore reads atoms instead of bytes: a word that is in no term sends it back to its root, and
//! at the root, where it nearly always is, whole words are dismissed by one probe of a bit set, and before that, if the
//! terms are few, by their first bytes (see [`crate::prefixes`]), 64 bytes being cut at a time. An automaton on bytes
//! takes a dependent load a byte, and misses the cache as the list grows: on answers of 1.2 KB it takes twice as long,
//! for ten terms as for a thousand. It is as fast only where most words of the text start some longer term.
//!
//! # Cost
//! Linear in the text plus the number of terms, also where occurrences abound (`a`, `aa`, … in `aaaa…`; a thousand
//! terms that are suffixes of each other and of the text, and all lack a border):
//! - each atom moves the automaton once, or twice if some term starts outside a word, and it cannot fall back more often than it has advanced;
//! - the terms that end at a place are chained from the longest to the shortest. All but the first lie inside the
//!   first, so what stands before them is the same wherever it occurs: the chain behind a node is walked once a
//!   text, and after that only the node itself is judged, in constant time.
//!
//! # Limits
//! Bytes are compared, which is sound in UTF-8 and for lone surrogates in their three-byte form: no character is
//! found inside another. The final-sigma rule sees a term by itself, and the text in its context.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::batch::{Code, Kernel, Row};
use crate::classes::{BLOCK, Marks, alphanumeric};
use crate::cpu::by_processor;
use crate::prefixes::{self, Block, Prefixes, WINDOW};
use crate::text::{self, Cell, Lowered, PADDING};

/// The kernel of `blocklist`: [`Code::BlockedTerm`] with the terms that hit, or [`Code::Ok`].
///
/// The hits are indices into the list as given. A string that is repeated there is reported at its first index only;
/// different strings that are equal in lowercase are all reported. An empty term never hits.
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::blocklist::{Blocklist, Scratch};
/// use gradestone::text::Cell;
///
/// let kernel = Blocklist::new(&["kill", "C++", "skills"]);
/// let row = kernel.grade(&Cell::Text(b"My skills: c++"), &mut Scratch::default());
/// assert_eq!((row.code, row.hits), (Code::BlockedTerm, vec![1, 2]));
/// ```
#[derive(Debug)]
pub struct Blocklist {
    starts: Filter,
    /// None where there are too many terms to tell any text from them.
    prefixes: Option<Box<Prefixes>>,
    words: Words,
    automaton: Automaton,
    /// For each distinct lowercased term, the indices at which it was given.
    given: Vec<Vec<u32>>,
    /// Whether some term starts outside a word.
    starts_bare: bool,
}

/// What a thread reuses from text to text.
#[derive(Debug, Default)]
pub struct Scratch {
    lowered: Lowered,
    seen: Seen,
}

/// What is known of a text so far.
#[derive(Debug, Default)]
pub struct Seen {
    /// The terms that hit.
    terms: FxHashSet<u32>,
    /// The nodes behind which the chain of shorter terms has been walked.
    chains: FxHashSet<u32>,
    scan: Scan,
}

/// Blocks that are looked at before any automaton runs.
const BLOCKS: usize = 64;

/// The bytes of them.
const STRETCH: usize = BLOCKS * BLOCK;

/// The words of a stretch of text. They are gathered before each is looked at, and what may start a term before it is
/// followed: how many of them a block holds is not for a branch to predict.
#[derive(Debug)]
struct Scan {
    /// The bytes in words, by block; behind the last block one more.
    words: [u64; BLOCKS + 1],
    /// Where words begin, and with the bytes that a term begins with.
    begins: Marks,
    /// Where words begin that probably start a term.
    found: Marks,
}

impl Default for Scan {
    fn default() -> Self {
        Self { words: [0; BLOCKS + 1], begins: Marks::default(), found: Marks::default() }
    }
}

impl Scan {
    #[inline(always)]
    fn read(
        &mut self,
        starts: &Filter,
        stretch: &[u8],
        after_word: &mut bool,
        read: &impl Fn(&[u8; WINDOW]) -> Block,
    ) {
        self.begins.clear();
        let mut at = 0;
        for words in &mut self.words[..BLOCKS] {
            let Some(window) = stretch[at..].first_chunk() else { break };
            let block = read(window);
            *words = block.words;
            let first = block.words & !(block.words << 1 | u64::from(*after_word));
            *after_word = block.words >> (BLOCK - 1) == 1;
            self.begins.push::<4>(first & block.begins, at as u32);
            at += BLOCK;
        }
        self.words[at / BLOCK] = stretch[at..].first_chunk().map_or(0, alphanumeric);
        self.found.clear();
        self.found.reserve(self.begins.places().len());
        for place in self.begins.places() {
            let start = *place as usize;
            self.found.push_if(*place, starts.may_hold(&stretch[start..], self.length(start)));
        }
    }

    /// The length of the word that starts there, or 64 of a longer one.
    #[inline(always)]
    fn length(&self, start: usize) -> usize {
        let (block, bit) = (start / BLOCK, start % BLOCK);
        let rest = self.words[block] >> bit | self.words[block + 1] << 1 << (BLOCK - 1 - bit);
        rest.trailing_ones() as usize
    }
}

/// Terms of which some have a beginning of their own: with more, nearly every word begins like one of them.
const FEW: usize = 256;

by_processor! {
    /// Runs the automaton from the words that may start a term.
    fn search_words(list: &Blocklist, padded: &[u8], seen: &mut Seen)
        => search_words_anywhere, search_words_modern;
}

#[inline(always)]
fn search_words_anywhere(list: &Blocklist, padded: &[u8], seen: &mut Seen) {
    list.search_words(padded, seen, prefixes::read_words);
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn search_words_modern(list: &Blocklist, padded: &[u8], seen: &mut Seen) {
    let Some(prefixes) = &list.prefixes else { return search_words_anywhere(list, padded, seen) };
    let tables = prefixes::vector::Tables::new(prefixes);
    list.search_words(padded, seen, |window| tables.read(window));
}

impl Blocklist {
    /// Compiles a list of terms; linear in their total length.
    ///
    /// # Panics
    /// If the list has 2^32 bytes or more.
    #[must_use]
    pub fn new<T: AsRef<[u8]>>(terms: &[T]) -> Self {
        let mut seen = FxHashSet::default();
        let mut numbers = FxHashMap::default();
        let mut distinct: Vec<Vec<u8>> = Vec::new();
        let mut given: Vec<Vec<u32>> = Vec::new();
        for (index, term) in terms.iter().map(AsRef::as_ref).enumerate() {
            if term.is_empty() || !seen.insert(term) {
                continue;
            }
            let lowered = text::lowercase(term);
            let number = *numbers.entry(lowered.clone()).or_insert(given.len());
            if number == given.len() {
                distinct.push(lowered);
                given.push(Vec::new());
            }
            given[number].push(small(index));
        }
        let mut words = Words::default();
        let automaton = Automaton::new(&distinct, &mut words);
        let starts_bare = automaton.root[..FIRST_WORD].iter().any(|node| *node != ROOT);
        let prefixes = (distinct.len() <= FEW).then(|| Box::new(Prefixes::new(&distinct)));
        Self { starts: Filter::new(&distinct), prefixes, words, automaton, given, starts_bare }
    }

    /// Runs the automaton from each place where a term may start: at a word that probably starts one, and at a byte
    /// outside words that does.
    fn search(&self, padded: &[u8], seen: &mut Seen) {
        search_words(self, padded, seen);
        if self.starts_bare {
            self.search_bare(padded, seen);
        }
    }

    /// Runs the automaton from the words that may start a term; `read` looks at each block.
    #[inline(always)]
    fn search_words(&self, padded: &[u8], seen: &mut Seen, read: impl Fn(&[u8; WINDOW]) -> Block) {
        let end = padded.len() - PADDING;
        let (mut after_word, mut resume) = (false, 0);
        for at in (0..end).step_by(STRETCH) {
            let stretch = &padded[at..padded.len().min(at + STRETCH + WINDOW)];
            seen.scan.read(&self.starts, stretch, &mut after_word, &read);
            for place in 0..seen.scan.found.places().len() {
                let start = at + seen.scan.found.places()[place] as usize;
                if start >= resume {
                    resume = self.follow(padded, start, seen);
                }
            }
        }
    }

    /// The same for the places outside words.
    fn search_bare(&self, padded: &[u8], seen: &mut Seen) {
        let mut at = 0;
        while at < padded.len() - PADDING {
            let byte = padded[at];
            let starts_term = !is_word(byte) && self.automaton.root[usize::from(byte)] != ROOT;
            at = if starts_term { self.follow(padded, at, seen) } else { at + 1 };
        }
    }

    /// Runs the automaton from `start` until it is back at its root; returns that place.
    fn follow(&self, padded: &[u8], start: usize, seen: &mut Seen) -> usize {
        let (mut at, mut node) = (start, ROOT);
        while at < padded.len() - PADDING {
            let end = word_end(padded, at).max(at + 1);
            let atom = self.words.atom(&padded[at..], end - at);
            node = atom.map_or(ROOT, |atom| self.automaton.step(node, atom));
            at = end;
            if node == ROOT {
                break;
            }
            if !is_word(padded[end]) {
                self.judge(node, &padded[..end], seen);
            }
        }
        at
    }

    /// Judges the terms that `text` ends with, the automaton being at `node`.
    fn judge(&self, node: u32, text: &[u8], seen: &mut Seen) {
        let mut at = node;
        while at != ROOT {
            let Node { term, length, shorter, .. } = self.automaton.nodes[at as usize];
            if let Some(term) = term {
                let before = &text[..text.len() - length as usize];
                if !before.last().is_some_and(|byte| is_word(*byte)) {
                    seen.terms.insert(term);
                }
                if !seen.chains.insert(at) {
                    return;
                }
            }
            at = shorter;
        }
    }
}

impl Kernel<Cell<'_>> for Blocklist {
    type Scratch = Scratch;

    fn grade(&self, input: &Cell<'_>, scratch: &mut Scratch) -> Row {
        let Cell::Text(text) = input else { return Row::plain(Code::NotText) };
        scratch.lowered.read(text);
        self.grade_lowered(&scratch.lowered, &mut scratch.seen)
    }
}

impl Blocklist {
    /// Grades a text that is in lowercase already.
    pub fn grade_lowered(&self, text: &Lowered, seen: &mut Seen) -> Row {
        seen.terms.clear();
        seen.chains.clear();
        self.search(text.padded(), seen);
        if seen.terms.is_empty() {
            return Row::plain(Code::Ok);
        }
        let given = |term: &u32| &self.given[*term as usize];
        let mut hits: Vec<u32> = seen.terms.iter().flat_map(given).copied().collect();
        hits.sort_unstable();
        Row { hits, ..Row::plain(Code::BlockedTerm) }
    }
}

const fn is_word(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9')
}

/// The end of the word that starts here; `start` if there is none.
fn word_end(padded: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(block) = padded[at..].first_chunk() {
        let length = alphanumeric(block).trailing_ones() as usize;
        at += length;
        if length < BLOCK {
            break;
        }
    }
    at
}

/// The first eight bytes, zeros where there are fewer.
#[inline(always)]
fn first_eight(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => few(bytes),
    }
}

#[cold]
fn few(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte))
}

/// `HEADS[n]` keeps the first n of eight bytes.
const HEADS: [u64; 9] = {
    let mut heads = [0; 9];
    let mut length = 1;
    while length < heads.len() {
        heads[length] = heads[length - 1] << 8 | 0xff;
        length += 1;
    }
    heads
};

/// The first eight bytes of a word, without what may stand behind it. Different words of at most eight bytes have
/// different heads, as no word holds a zero.
#[inline(always)]
fn head(bytes: &[u8], length: usize) -> u64 {
    first_eight(bytes) & HEADS[length.min(8)]
}

/// The atoms of a term, in order.
fn split(term: &[u8]) -> impl Iterator<Item = &[u8]> {
    term.chunk_by(|one, other| is_word(*one) && is_word(*other))
}

/// The words that terms start with, as a set of hashes of their heads.
#[derive(Debug)]
struct Filter(Vec<u64>);

impl Filter {
    fn new(terms: &[Vec<u8>]) -> Self {
        // Sixty-four bits a word let about one foreign word in sixty-four through, and each is a branch mispredicted.
        let mut filter = Self(vec![0; terms.len().next_power_of_two().max(16)]);
        for word in terms.iter().filter_map(|term| split(term).next()) {
            let (index, bit) = filter.place(word, word.len());
            filter.0[index] |= bit;
        }
        filter
    }

    #[inline(always)]
    fn place(&self, bytes: &[u8], length: usize) -> (usize, u64) {
        // Fibonacci hashing: the high bits of the product are the well mixed ones.
        let hash = head(bytes, length).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        ((hash >> 6) as usize & (self.0.len() - 1), 1 << (hash & 63))
    }

    /// Whether a term may start with the word that these bytes start with: always if one does, else seldom.
    #[inline(always)]
    fn may_hold(&self, bytes: &[u8], length: usize) -> bool {
        let (index, bit) = self.place(bytes, length);
        self.0[index] & bit != 0
    }
}

/// The first atom that is a word: those below are the bytes outside words.
const FIRST_WORD: usize = 256;

/// The words of the terms, numbered as atoms.
#[derive(Debug, Default)]
struct Words {
    /// Words of at most eight bytes, by their heads.
    short: FxHashMap<u64, u32>,
    long: FxHashMap<Box<[u8]>, u32>,
}

impl Words {
    fn next_atom(&self) -> usize {
        FIRST_WORD + self.short.len() + self.long.len()
    }

    fn intern(&mut self, atom: &[u8]) -> u32 {
        let next = small(self.next_atom());
        if !is_word(atom[0]) {
            return u32::from(atom[0]);
        }
        if atom.len() <= 8 {
            return *self.short.entry(head(atom, atom.len())).or_insert(next);
        }
        *self.long.entry(atom.into()).or_insert(next)
    }

    /// The atom of this length that these bytes start with; `None` for a word that is in no term.
    fn atom(&self, bytes: &[u8], length: usize) -> Option<u32> {
        if !is_word(bytes[0]) {
            return Some(u32::from(bytes[0]));
        }
        if length <= 8 {
            return self.short.get(&head(bytes, length)).copied();
        }
        self.long.get(&bytes[..length]).copied()
    }
}

const ROOT: u32 = 0;

/// A node of the automaton: atoms that start some term.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The term that the atoms are, if they are one.
    term: Option<u32>,
    /// Bytes from the root to here.
    length: u32,
    /// The longest proper suffix that starts a term.
    fail: u32,
    /// The longest proper suffix that is a term, else the root.
    shorter: u32,
}

/// Aho-Corasick over atoms.
#[derive(Debug)]
struct Automaton {
    nodes: Vec<Node>,
    edges: FxHashMap<(u32, u32), u32>,
    /// The edges out of the root by atom, back to it where no term starts with the atom.
    root: Vec<u32>,
}

/// An edge of the trie while the automaton is built.
struct Edge {
    depth: usize,
    parent: u32,
    atom: u32,
    child: u32,
}

impl Automaton {
    fn new(terms: &[Vec<u8>], words: &mut Words) -> Self {
        let mut automaton =
            Self { nodes: vec![Node::default()], edges: FxHashMap::default(), root: Vec::new() };
        let mut edges = Vec::new();
        for (number, term) in terms.iter().enumerate() {
            let node = automaton.insert(term, words, &mut edges);
            automaton.nodes[node as usize].term = Some(small(number));
        }
        automaton.root = vec![ROOT; words.next_atom()];
        // A link leads to a shallower node, whose own links have to be known first.
        edges.sort_by_key(|edge| edge.depth);
        for edge in &edges {
            automaton.link(edge);
        }
        automaton
    }

    fn insert(&mut self, term: &[u8], words: &mut Words, edges: &mut Vec<Edge>) -> u32 {
        let (mut node, mut length) = (ROOT, 0);
        for (depth, bytes) in split(term).enumerate() {
            let (parent, atom) = (node, words.intern(bytes));
            length += bytes.len();
            node = *self.edges.entry((parent, atom)).or_insert_with(|| {
                let child = small(self.nodes.len());
                self.nodes.push(Node { length: small(length), ..Node::default() });
                edges.push(Edge { depth, parent, atom, child });
                child
            });
        }
        node
    }

    fn link(&mut self, edge: &Edge) {
        if edge.parent == ROOT {
            self.root[edge.atom as usize] = edge.child;
            return;
        }
        let fail = self.step(self.nodes[edge.parent as usize].fail, edge.atom);
        let Node { term, shorter, .. } = self.nodes[fail as usize];
        let child = &mut self.nodes[edge.child as usize];
        child.fail = fail;
        child.shorter = if term.is_some() { fail } else { shorter };
    }

    /// Where an atom leads from a node.
    fn step(&self, mut node: u32, atom: u32) -> u32 {
        while node != ROOT {
            if let Some(next) = self.edges.get(&(node, atom)) {
                return *next;
            }
            node = self.nodes[node as usize].fail;
        }
        self.root[atom as usize]
    }
}

fn small(index: usize) -> u32 {
    u32::try_from(index).expect("a list of terms is shorter than 2^32 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SURROGATE: &[u8] = b"\xed\xa0\x80";

    fn hits<T: AsRef<[u8]>>(terms: &[T], text: &[u8]) -> Vec<u32> {
        let row = Blocklist::new(terms).grade(&Cell::Text(text), &mut Scratch::default());
        let code = if row.hits.is_empty() { Code::Ok } else { Code::BlockedTerm };
        assert_eq!((row.code, row.score == 1.0), (code, row.hits.is_empty()));
        row.hits
    }

    /// The definition, word for word.
    fn defined<T: AsRef<[u8]>>(terms: &[T], text: &[u8]) -> Vec<u32> {
        let text = text::lowercase(text);
        let free = |byte: Option<&u8>| !byte.is_some_and(|byte| is_word(*byte));
        let stands = |term: &[u8]| {
            let ends = term.len()..=text.len();
            ends.into_iter().any(|end| {
                let start = end - term.len();
                text[start..end] == *term && free(text[..start].last()) && free(text.get(end))
            })
        };
        let first = |index: usize| terms[..index].iter().all(|term| term.as_ref() != terms[index].as_ref());
        let blocked = (0..terms.len()).filter(|index| {
            let term = text::lowercase(terms[*index].as_ref());
            !term.is_empty() && first(*index) && stands(&term)
        });
        blocked.map(small).collect()
    }

    #[test]
    fn a_term_hits_where_it_stands_on_its_own() {
        let cases: [(&[&str], &str, &[u32]); 26] = [
            (&["kill"], "kill", &[0]),
            (&["kill"], "to KILL.", &[0]),
            (&["kill"], "skill kills kill7 7kill", &[]),
            (&["kill"], "_kill_", &[0]),
            (&["kill"], "ékillé", &[0]),
            (&["a"], "", &[]),
            (&["", "a"], "a", &[1]),
            (&["c++"], "C++!", &[0]),
            (&["c++"], "c++11 or xc++", &[]),
            (&[".net"], "a .NET", &[0]),
            (&[".net"], "asp.net", &[]),
            (&[" "], "a b", &[]),
            (&[" "], "a  b . c", &[]),
            (&[" "], "a .  . b", &[0]),
            (&["a b", "b", "b c", "a b c"], "a b c", &[0, 1, 2, 3]),
            (&["a b x", "b"], "a b c", &[1]),
            (&["a b c d", "b c", "c"], "a b c e", &[1, 2]),
            (&["x", "kill", "x", "Kill", "kill"], "KILL", &[1, 3]),
            (&["b", "a"], "a b", &[0, 1]),
            (&["kilo"], "\u{212a}ilo", &[0]),
            (&["i\u{307}"], "\u{130}", &[0]),
            (&["\u{307}"], "\u{130}", &[]),
            (&["привет"], "ПРИВЕТ", &[0]),
            (&["рив"], "привет", &[0]),
            (&["οδοσ", "οδος"], "ΟΔΟΣ", &[1]),
            (&["\0", "a\0", "\0\0"], "a", &[]),
        ];
        for (terms, text, expected) in cases {
            assert_eq!(hits(terms, text.as_bytes()), expected, "{terms:?} in {text:?}");
            assert_eq!(defined(terms, text.as_bytes()), expected, "{terms:?} in {text:?}");
        }
    }

    #[test]
    fn words_of_every_length_are_found_at_every_place() {
        for length in [1, 3, 4, 7, 8, 9, 16, 63, 64, 65, 130] {
            let word = "x".repeat(length);
            let longer = word.clone() + "x";
            for before in (0..70).chain([127, 128, 129]) {
                let text = ".".repeat(before) + &word;
                assert_eq!(hits(&[&word, &longer], text.as_bytes()), [0], "{length} after {before}");
                let text = text + " " + &longer;
                assert_eq!(hits(&[&word, &longer], text.as_bytes()), [0, 1], "{length} after {before}");
                let text = "a ".repeat(before) + "y" + &longer;
                assert_eq!(hits(&[&word, &longer], text.as_bytes()), [0; 0], "{length} after {before}");
            }
        }
    }

    #[test]
    fn lone_surrogates_are_symbols_and_borders() {
        let text = [SURROGATE, b"Kill", SURROGATE].concat();
        let terms = [b"kill".to_vec(), SURROGATE.to_vec(), text.clone(), b"\xed\xa0\x81".to_vec()];
        assert_eq!(hits(&terms, &text), [0, 2]);
        assert_eq!(hits(&terms, SURROGATE), [1]);
        assert_eq!(hits(&terms, "😀".as_bytes()), [0; 0]);
    }

    #[test]
    fn hostile_repeats_end() {
        let count = 300;
        let powers = |unit: &str| (1..=count).map(|power| unit.repeat(power)).collect::<Vec<_>>();
        let suffixes =
            |text: String| (0..text.len()).map(|start| text[start..].to_owned()).collect::<Vec<_>>();
        let cases = [
            (powers("a"), "a", 0),
            (powers("."), ".", count),
            (powers("a "), "a ", count),
            (powers("中"), "中", count),
            (suffixes("a..".repeat(count / 3)), "a..", 2 * count / 3),
            // Each ends at a border in every repeat of the text, and starts right behind a letter.
            (suffixes("..a".repeat(count / 3) + ".").into_iter().step_by(3).collect(), "..a", 0),
        ];
        for (terms, unit, expected) in cases {
            let text = "a".to_owned() + &unit.repeat(500_000 / unit.len());
            assert_eq!(hits(&terms, text.as_bytes()).len(), expected, "{unit:?}");
        }
    }

    #[test]
    fn a_scratch_carries_nothing_over() {
        let mut scratch = Scratch::default();
        let (one, other) = (Blocklist::new(&["a", "a b"]), Blocklist::new(&["b", "c a b"]));
        let mut grade = |kernel: &Blocklist, text: &[u8]| kernel.grade(&Cell::Text(text), &mut scratch).hits;
        assert_eq!(grade(&one, b"c a b"), [0, 1]);
        assert_eq!(grade(&other, b"c a b"), [0, 1]);
        assert_eq!(grade(&other, b"c a b"), [0, 1]);
        assert_eq!(grade(&other, b"a b"), [0]);
        assert_eq!(grade(&one, b"a b"), [0, 1]);
        assert_eq!(grade(&one, b""), [0; 0]);
        assert_eq!(one.grade(&Cell::Other, &mut scratch), Row::plain(Code::NotText));
        assert_eq!(Blocklist::new::<&str>(&[]).grade(&Cell::Text(b"a"), &mut scratch), Row::plain(Code::Ok));
    }

    proptest! {
        #[test]
        fn hits_are_as_defined(
            terms in proptest::collection::vec("[ab. ]{1,5}|[aZ中é\u{212a}\u{130}.]{1,3}|[ab]{6,12}", 1..8),
            text in "([ab. ]{0,30}|[ab]{6,12}|[aZ中é\u{212a}\u{130}.]{0,9}){0,6}",
        ) {
            prop_assert_eq!(hits(&terms, text.as_bytes()), defined(&terms, text.as_bytes()));
        }

        #[test]
        fn any_bytes_are_survived(
            terms in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..4), 0..4),
            text in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            prop_assert_eq!(hits(&terms, &text), defined(&terms, &text));
        }
    }
}
