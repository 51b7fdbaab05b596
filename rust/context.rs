//! F1 of retrieved contexts against expected ones, matched by similarity.
//!
//! A retrieved context counts as right when some expected one is similar enough, an expected one as found when some
//! retrieved one is. The similarity is `1 - distance / longer length` on normalised text, in code points. The largest
//! distance that is still similar enough is known beforehand, so that most pairs are told apart cheaply: by their
//! lengths, then by how often each has each symbol, and only then by a distance that stops when it is out of reach. A
//! pair of which both sides have their partner already is not looked at.
//!
//! Cost: the product of the code points of both lists over 64 at most. At the caps that is a few milliseconds, 20 of
//! them for two texts of 8192 different code points that may differ in all of them.

use crate::batch::{Code, Kernel, Row};
use crate::cpu::by_processor;
use crate::interner::Interner;
use crate::levenshtein::Pattern;
use crate::limits::{MAX_CONTEXT_CHARS, MAX_CONTEXT_MEMBERS};
use crate::rouge::Measure;
use crate::text::{self, Cell};
use std::array::from_fn;
use std::hint::select_unpredictable;
use std::ops::Range;

/// Expected contexts that a retrieved one is compared with at once.
const AT_ONCE: usize = 4;

/// The kernel of `context_f1`: [`Code::Ok`] or [`Code::BelowThreshold`], and the score.
///
/// Contexts are compared in lowercase, each run of pinned whitespace as one space, none at the ends; two empty ones
/// are alike. A list over a cap (as given) is [`Code::OverCap`]; one without anything left of any context is
/// [`Code::EmptyRetrieved`] or [`Code::EmptyExpected`]; a cell that is no list of texts is [`Code::NotText`].
/// Statistics: retrieved contexts with a partner, retrieved contexts, expected ones with a partner, expected ones.
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::context::ContextF1;
/// use gradestone::rouge::Measure;
/// use gradestone::text::Cell;
///
/// let kernel = ContextF1 { measure: Measure::Precision, similarity_threshold: 0.7, threshold: 0.5 };
/// let retrieved = Cell::Texts(&[b"Paris is in France.", b"Bread is baked."]);
/// let expected = Cell::Texts(&[b"paris  is in  france"]);
/// let row = kernel.grade(&(retrieved, expected), &mut Default::default());
/// assert_eq!((row.code, row.score), (Code::Ok, 0.5));
/// assert_eq!(row.stats[..4], [1, 2, 1, 1]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ContextF1 {
    /// Precision is over the retrieved contexts, recall over the expected ones.
    pub measure: Measure,
    /// The least similarity of partners, 0..1.
    pub similarity_threshold: f64,
    /// The least score that passes, 0..1.
    pub threshold: f64,
}

/// Buffers of `ContextF1`.
#[derive(Default)]
pub struct Scratch {
    alphabet: Alphabet,
    retrieved: List,
    expected: List,
    pattern: Pattern,
    rivals: Vec<Rival>,
}

impl<'a> Kernel<(Cell<'a>, Cell<'a>)> for ContextF1 {
    type Scratch = Scratch;

    fn grade(&self, input: &(Cell<'a>, Cell<'a>), scratch: &mut Scratch) -> Row {
        let (Cell::Texts(retrieved), Cell::Texts(expected)) = *input else {
            return Row::plain(Code::NotText);
        };
        if is_over_cap(retrieved) || is_over_cap(expected) {
            return Row::plain(Code::OverCap);
        }
        scratch.alphabet.clear();
        read_list(&mut scratch.retrieved, retrieved, self.similarity_threshold, &mut scratch.alphabet);
        read_list(&mut scratch.expected, expected, self.similarity_threshold, &mut scratch.alphabet);
        if scratch.retrieved.is_empty() {
            return Row::plain(Code::EmptyRetrieved);
        }
        if scratch.expected.is_empty() {
            return Row::plain(Code::EmptyExpected);
        }
        find_partners(scratch);
        let [right, retrieved] = scratch.retrieved.counts();
        let [found, expected] = scratch.expected.counts();
        let score = score(self.measure, [right, retrieved, found, expected]);
        Row::scored(score, self.threshold, [right, retrieved, found, expected, 0, 0])
    }
}

by_processor! {
    fn read_list(list: &mut List, contexts: &[&[u8]], threshold: f64, alphabet: &mut Alphabet) => List::read;
}

by_processor! {
    fn find_partners(scratch: &mut Scratch) => Scratch::find_partners;
}

/// The score that the numbers of contexts with a partner and of all contexts on both sides give.
#[must_use]
pub fn score(measure: Measure, [right, retrieved, found, expected]: [u32; 4]) -> f64 {
    measure.of(f64::from(right) / f64::from(retrieved), f64::from(found) / f64::from(expected))
}

/// The similarity of texts of which the longer has `longest` code points.
#[must_use]
pub fn similarity(distance: usize, longest: usize) -> f64 {
    if longest == 0 { 1.0 } else { 1.0 - distance as f64 / longest as f64 }
}

/// The largest distance at which texts of which the longer has `longest` code points are similar enough.
fn largest_distance(longest: usize, threshold: f64) -> usize {
    let reaches = |distance: usize| similarity(distance, longest) >= threshold;
    let mut distance = (((1.0 - threshold) * longest as f64) as usize).min(longest);
    // The estimate may be off by one where the division rounds; the similarity itself decides.
    while distance > 0 && !reaches(distance) {
        distance -= 1;
    }
    while distance < longest && reaches(distance + 1) {
        distance += 1;
    }
    distance
}

fn is_over_cap(contexts: &[&[u8]]) -> bool {
    contexts.len() > MAX_CONTEXT_MEMBERS
        || contexts.iter().map(|context| text::count_code_points(context)).sum::<usize>() > MAX_CONTEXT_CHARS
}

/// Numbers code points: those of ASCII are their own numbers, the others follow in the order of their appearance.
#[derive(Default)]
struct Alphabet {
    others: Interner,
    lowered: Vec<u8>,
}

const ASCII: u32 = 128;
const SPACE: u32 = 32;

impl Alphabet {
    fn clear(&mut self) {
        self.others.clear();
    }

    /// How many numbers there are.
    fn size(&self) -> usize {
        (ASCII + self.others.count()) as usize
    }

    /// Appends the symbols of a normalised context: lowercase, one space for each run of pinned whitespace, none at
    /// either end.
    #[inline(always)]
    fn read(&mut self, context: &[u8], symbols: &mut Vec<u32>) {
        self.lowered.clear();
        text::lowercase_part(context, 0..context.len(), &mut self.lowered);
        self.others.reserve(self.lowered.len());
        let start = symbols.len();
        symbols.resize(start + self.lowered.len(), SPACE);
        let mut end = start;
        let mut after_space = true;
        let mut at = 0;
        while let Some(&byte) = self.lowered.get(at) {
            let (symbol, width) = if byte.is_ascii() { (u32::from(byte), 1) } else { self.read_other(at) };
            // Everything is written, then counted or not: where words end is not for a branch to predict.
            let is_space = text::is_pinned_whitespace(byte);
            symbols[end] = select_unpredictable(is_space, SPACE, symbol);
            end += usize::from(!(is_space & after_space));
            after_space = is_space;
            at += width;
        }
        symbols.truncate(end - usize::from(after_space && end > start));
    }

    /// The symbol at a place of the lowercase text that is not ASCII, and how many bytes it takes.
    fn read_other(&mut self, at: usize) -> (u32, usize) {
        let (code_point, width) = text::first(&self.lowered[at..]).unwrap_or_default();
        (ASCII + self.others.intern(u128::from(code_point)), width)
    }
}

/// A list of contexts.
#[derive(Default)]
struct List {
    symbols: Vec<u32>,
    members: Vec<Member>,
}

struct Member {
    symbols: Range<usize>,
    histogram: Histogram,
    /// The largest distance at which a text that is no longer is similar enough.
    limit: usize,
    has_partner: bool,
}

impl List {
    #[inline(always)]
    fn read(&mut self, contexts: &[&[u8]], threshold: f64, alphabet: &mut Alphabet) {
        self.symbols.clear();
        self.members.clear();
        for context in contexts {
            let start = self.symbols.len();
            alphabet.read(context, &mut self.symbols);
            self.members.push(Member {
                symbols: start..self.symbols.len(),
                histogram: Histogram::of(&self.symbols[start..]),
                limit: largest_distance(self.symbols.len() - start, threshold),
                has_partner: false,
            });
        }
    }

    /// Whether nothing is left of any context.
    fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Contexts with a partner, and all contexts.
    fn counts(&self) -> [u32; 2] {
        let partnered = self.members.iter().filter(|member| member.has_partner).count();
        [partnered as u32, self.members.len() as u32]
    }
}

impl Member {
    /// The largest distance at which `other` would be a partner, unless it is plainly further away.
    #[inline(always)]
    fn limit_to(&self, other: &Self) -> Option<usize> {
        let [ours, theirs] = [self.symbols.len(), other.symbols.len()];
        let limit = if ours > theirs { self.limit } else { other.limit };
        let difference = ours.abs_diff(theirs);
        if difference > limit {
            return None;
        }
        // Symbols that only one side has, less those that the other has instead, are the difference of the lengths;
        // the greater of both is a lower bound of the distance.
        (self.histogram.difference(&other.histogram) + difference <= 2 * limit).then_some(limit)
    }
}

/// An expected context, by its place, that may be the partner of a retrieved one, and the distance that decides.
struct Rival {
    place: usize,
    limit: usize,
}

impl Scratch {
    #[inline(always)]
    fn find_partners(&mut self) {
        let Self { alphabet, retrieved, expected, pattern, rivals } = self;
        // Contexts of like length, compared at once, end at once.
        expected.members.sort_unstable_by_key(|member| member.symbols.len());
        for member in &mut retrieved.members {
            rivals.clear();
            for (place, other) in expected.members.iter().enumerate() {
                let matters = !(member.has_partner && other.has_partner);
                if let Some(limit) = member.limit_to(other).filter(|_| matters) {
                    rivals.push(Rival { place, limit });
                }
            }
            if rivals.is_empty() {
                continue;
            }
            pattern.set(&retrieved.symbols[member.symbols.clone()], alphabet.size());
            for rivals in rivals.chunks(AT_ONCE) {
                expected.compare(member, pattern, rivals);
            }
        }
    }
}

impl List {
    /// Compares a member of the other list, prepared as `pattern`, with some of this one.
    #[inline(always)]
    fn compare(&mut self, member: &mut Member, pattern: &Pattern, rivals: &[Rival]) {
        if member.has_partner && rivals.iter().all(|rival| self.members[rival.place].has_partner) {
            return;
        }
        let texts: [&[u32]; AT_ONCE] = from_fn(|index| {
            rivals
                .get(index)
                .map_or(&[][..], |rival| &self.symbols[self.members[rival.place].symbols.clone()])
        });
        let limits = from_fn(|index| rivals.get(index).map_or(0, |rival| rival.limit));
        for (rival, is_similar) in rivals.iter().zip(pattern.are_within(texts, limits)) {
            member.has_partner |= is_similar;
            self.members[rival.place].has_partner |= is_similar;
        }
    }
}

/// How often a text has each symbol, or one of those that share a place here.
struct Histogram([[u8; 16]; 8]);

impl Histogram {
    #[inline(always)]
    fn of(symbols: &[u32]) -> Self {
        let mut counts = [[0; 16]; 8];
        for symbol in symbols {
            let count: &mut u8 = &mut counts.as_flattened_mut()[(symbol % ASCII) as usize];
            *count = count.saturating_add(1);
        }
        Self(counts)
    }

    /// The sum of the differences: at most that of the exact counts.
    #[inline(always)]
    fn difference(&self, other: &Self) -> usize {
        let sixteen = |(ours, theirs): (&[u8; 16], &[u8; 16])| {
            ours.iter().zip(theirs).fold(0, |sum: u32, (a, b)| sum.wrapping_add(u32::from(a.abs_diff(*b))))
        };
        self.0.iter().zip(&other.0).map(sixteen).sum::<u32>() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levenshtein::tests::distance_plainly;
    use proptest::prelude::*;

    /// Name, least similarity, retrieved, expected, statistics.
    type Case = (&'static str, f64, &'static [&'static str], &'static [&'static str], [u32; 4]);

    /// A row; `None` stands for a cell that is no list of texts.
    struct Lists<'a> {
        retrieved: Option<Vec<&'a [u8]>>,
        expected: Option<Vec<&'a [u8]>>,
    }

    fn input<'a>(retrieved: &[&'a str], expected: &[&'a str]) -> Lists<'a> {
        let bytes = |texts: &[&'a str]| Some(texts.iter().map(|text| text.as_bytes()).collect());
        Lists { retrieved: bytes(retrieved), expected: bytes(expected) }
    }

    fn grade(similarity_threshold: f64, lists: &Lists<'_>) -> Row {
        let kernel = ContextF1 { measure: Measure::Fmeasure, similarity_threshold, threshold: 0.5 };
        let [retrieved, expected] = [&lists.retrieved, &lists.expected]
            .map(|list| list.as_ref().map_or(Cell::Other, |texts| Cell::Texts(texts)));
        kernel.grade(&(retrieved, expected), &mut Scratch::default())
    }

    fn normalised(text: &[u8]) -> Vec<u32> {
        let mut symbols = Vec::new();
        Alphabet::default().read(text, &mut symbols);
        symbols
    }

    /// Every pair in full, the similarity compared as the contract says.
    fn stats_plainly(threshold: f64, [retrieved, expected]: [&[String]; 2]) -> [u32; 4] {
        let mut alphabet = Alphabet::default();
        let [retrieved, expected] = [retrieved, expected].map(|texts| {
            let read = |text: &String| {
                let mut symbols = Vec::new();
                alphabet.read(text.as_bytes(), &mut symbols);
                symbols
            };
            texts.iter().map(read).collect::<Vec<_>>()
        });
        let are_partners = |a: &[u32], b: &[u32]| {
            let longest = a.len().max(b.len());
            similarity(distance_plainly(a, b), longest) >= threshold
        };
        let right = retrieved.iter().filter(|a| expected.iter().any(|b| are_partners(a, b))).count();
        let found = expected.iter().filter(|b| retrieved.iter().any(|a| are_partners(a, b))).count();
        [right, retrieved.len(), found, expected.len()].map(|count| u32::try_from(count).unwrap())
    }

    #[test]
    fn contexts_are_normalised() {
        let cases = [
            ("  The\t\r\nCat  ", "the cat"),
            (" ", ""),
            ("", ""),
            ("\u{a0}a\u{a0} b", "\u{a0}a\u{a0} b"),
            ("a\u{b}\u{c}b", "a b"),
            ("\u{212a}İ", "ki\u{307}"),
        ];
        for (text, expected) in cases {
            assert_eq!(normalised(text.as_bytes()), normalised(expected.as_bytes()), "{text:?}");
            assert_eq!(normalised(text.as_bytes()).len(), expected.chars().count(), "{text:?}");
        }
        assert_eq!(normalised(b"a \xed\xa0\x80\xed\xa0\x80"), [97, 32, 128, 128]);
    }

    #[test]
    fn named_cases() {
        let cases: [Case; 9] = [
            ("the same", 1.0, &["a b", "c"], &["C", "A  B"], [2, 2, 2, 2]),
            ("nothing alike", 0.7, &["aaaa"], &["bbbb"], [0, 1, 0, 1]),
            ("three of ten differ", 0.7, &["abcdefghij"], &["abcdefgxyz"], [1, 1, 1, 1]),
            ("four of ten differ", 0.7, &["abcdefghij"], &["abcdefwxyz"], [0, 1, 0, 1]),
            ("one serves several", 0.5, &["ab", "ac", "xx"], &["aa"], [2, 3, 1, 1]),
            ("empty members are alike, and count", 0.7, &["", "a"], &[" ", "b"], [1, 2, 1, 2]),
            ("an empty one is unlike any other", 0.1, &["", "a"], &["a"], [1, 2, 1, 1]),
            ("everything is alike", 0.0, &["", "a"], &["b"], [2, 2, 1, 1]),
            ("astral characters count one", 0.5, &["😀a"], &["😀b"], [1, 1, 1, 1]),
        ];
        for (name, threshold, retrieved, expected, stats) in cases {
            let row = grade(threshold, &input(retrieved, expected));
            assert_eq!(row.stats[..4], stats, "{name}");
            assert_eq!(row.score, score(Measure::Fmeasure, stats), "{name}");
        }
    }

    #[test]
    fn rows_that_cannot_be_scored_say_why() {
        let members = vec!["a"; MAX_CONTEXT_MEMBERS + 1];
        let [long, longer] = [MAX_CONTEXT_CHARS, MAX_CONTEXT_CHARS + 1].map(|length| "é".repeat(length));
        let spaces = " ".repeat(MAX_CONTEXT_CHARS + 1);
        let cases: [(&str, Lists<'_>, Code); 12] = [
            ("no list", Lists { retrieved: None, ..input(&["a"], &["a"]) }, Code::NotText),
            ("no other list", Lists { expected: None, ..input(&[], &[]) }, Code::NotText),
            ("too many", input(&members, &["a"]), Code::OverCap),
            ("too many expected", input(&[""], &members), Code::OverCap),
            ("as many as may be", input(&members[1..], &members[1..]), Code::Ok),
            ("too long", input(&[&longer], &["a"]), Code::OverCap),
            ("too long together", input(&["a"], &[&long, "a"]), Code::OverCap),
            ("too long as given", input(&["a"], &[&spaces, "a"]), Code::OverCap),
            ("as long as may be", input(&[&long], &[&long]), Code::Ok),
            ("nothing retrieved", input(&[], &[]), Code::EmptyRetrieved),
            ("nothing left of it", input(&[" ", ""], &[""]), Code::EmptyRetrieved),
            ("nothing expected", input(&["a"], &["\t"]), Code::EmptyExpected),
        ];
        for (name, input, code) in cases {
            assert_eq!(grade(0.7, &input).code, code, "{name}");
        }
    }

    #[test]
    fn the_largest_distance_is_where_the_similarity_says() {
        for longest in 0..300 {
            for threshold in
                (0..=100).map(|percent| f64::from(percent) / 100.0).chain([1e-17, 0.3 - 1e-17, 1.0 / 3.0])
            {
                let largest = largest_distance(longest, threshold);
                assert!(similarity(largest, longest) >= threshold, "{longest} {threshold}");
                assert!(
                    largest == longest || similarity(largest + 1, longest) < threshold,
                    "{longest} {threshold}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn shortcuts_change_nothing(
            retrieved in proptest::collection::vec("[abé ]{0,12}|[a-f 中]{60,140}", 1..7),
            expected in proptest::collection::vec("[abé ]{0,12}|[a-f 中]{60,140}", 1..7),
            percent in 0u32..=100,
        ) {
            let threshold = f64::from(percent) / 100.0;
            let [ours, theirs]: [Vec<&str>; 2] =
                [&retrieved, &expected].map(|list| list.iter().map(String::as_str).collect());
            let row = grade(threshold, &input(&ours, &theirs));
            let is_scored = matches!(row.code, Code::Ok | Code::BelowThreshold);
            let expected = stats_plainly(threshold, [&retrieved, &expected]);
            prop_assert!(!is_scored || row.stats[..4] == expected, "{:?} {:?}", row, expected);
        }
    }
}
