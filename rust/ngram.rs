//! Clipped n-gram counts: how many n-grams of the candidate the reference covers, each at most as often as it has it.
//!
//! An n-gram can only be shared if the (n-1)-gram at its start and the token at its end are. So each order goes on
//! from the places where the order before found something shared, and those soon become few: on real answers four
//! orders cost little more than one. An n-gram is known by a number: that of its first n-1 tokens and its last token
//! make the key under which the next number is found.
//!
//! Cost: expected linear in the tokens for each order. Tokens are small numbers, as the tokenizer gives them: the
//! tallies take memory for the largest one.

use crate::cpu::by_processor;
use crate::interner::Interner;
use std::hint::select_unpredictable;

/// Orders of n-grams that are counted.
pub const ORDERS: usize = 4;

/// Stands for a token that the other side lacks, and for the end of the text.
const UNSHARED: u32 = u32::MAX;

/// Buffers for counting.
#[derive(Default)]
pub struct Scratch {
    candidate: Side,
    reference: Side,
    tallies: Vec<Tally>,
    numbers: Interner<u64>,
}

/// What is known of an n-gram that the reference has.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    /// How often the reference has it.
    reference: u32,
    /// How often the candidate has it, at most as often as the reference.
    covered: u32,
}

impl Tally {
    /// Counts an n-gram of the candidate; 1 if the reference covers it.
    #[inline(always)]
    fn cover(&mut self) -> u32 {
        let is_covered = u32::from(self.covered < self.reference);
        self.covered = self.covered.wrapping_add(is_covered);
        is_covered
    }
}

/// One text while its n-grams grow.
#[derive(Default)]
struct Side {
    tokens: Vec<u32>,
    grams: Vec<Gram>,
}

#[derive(Clone, Copy, Default)]
struct Gram {
    number: u32,
    /// The place of the token after the n-gram.
    next: u32,
}

impl Gram {
    #[inline(always)]
    fn key(self, tokens: &[u32]) -> u64 {
        u64::from(self.number) << 32 | u64::from(tokens[self.next as usize])
    }

    #[inline(always)]
    const fn grown(self, number: u32) -> Self {
        Self { number, next: self.next.wrapping_add(1) }
    }
}

impl Side {
    /// Begins with the tokens that the other side has too and that another such token follows.
    #[inline(always)]
    fn start(&mut self, tokens: &[u32], is_shared: impl Fn(u32) -> bool) {
        self.tokens.clear();
        self.tokens.resize(tokens.len() + 1, UNSHARED);
        self.grams.clear();
        self.grams.resize(tokens.len(), Gram::default());
        let (mut before, mut kept) = (UNSHARED, 0usize);
        for ((token, copy), next) in tokens.iter().zip(&mut self.tokens).zip(0..) {
            let token = select_unpredictable(is_shared(*token), *token, UNSHARED);
            *copy = token;
            self.grams[kept] = Gram { number: before, next };
            kept = kept.wrapping_add(usize::from((before != UNSHARED) & (token != UNSHARED)));
            before = token;
        }
        self.grams.truncate(kept);
    }

    /// Keeps the n-grams that are shared and whose next token is.
    ///
    /// Each is moved before it is known whether it stays: a branch on that would be mispredicted all the time.
    #[inline(always)]
    fn retain(&mut self, mut is_shared: impl FnMut(&mut Gram, &[u32]) -> bool) {
        let Self { tokens, grams } = self;
        let mut kept = 0;
        for place in 0..grams.len() {
            let mut gram = grams[place];
            let stays = is_shared(&mut gram, tokens) & (tokens[gram.next as usize] != UNSHARED);
            grams[kept] = gram;
            kept = kept.wrapping_add(usize::from(stays));
        }
        grams.truncate(kept);
    }
}

by_processor! {
    /// Clipped matches of the orders 1 to `ORDERS`; 0 where a side is shorter than the order. All tokens are below
    /// `distinct`.
    #[must_use]
    pub fn clipped(candidate: &[u32], reference: &[u32], distinct: u32, scratch: &mut Scratch) -> [u32; ORDERS]
        => clipped_anywhere;
}

#[inline(always)]
fn clipped_anywhere(
    candidate: &[u32],
    reference: &[u32],
    distinct: u32,
    scratch: &mut Scratch,
) -> [u32; ORDERS] {
    let Scratch { candidate: ours, reference: theirs, tallies, numbers } = scratch;
    let mut matches = [0; ORDERS];
    matches[0] = tally_tokens(candidate, reference, distinct, tallies);
    ours.start(candidate, |token| tallies[token as usize].reference > 0);
    theirs.start(reference, |token| tallies[token as usize].covered > 0);
    for matched in &mut matches[1..] {
        *matched = grow(ours, theirs, numbers, tallies);
    }
    matches
}

/// Turns each n-gram into the (n+1)-gram that starts at the same place, drops those that cannot grow into something
/// shared, and returns the clipped matches.
#[inline(always)]
fn grow(ours: &mut Side, theirs: &mut Side, numbers: &mut Interner<u64>, tallies: &mut Vec<Tally>) -> u32 {
    numbers.clear();
    numbers.reserve(theirs.grams.len());
    // The first is that of all n-grams which the reference lacks.
    tallies.clear();
    tallies.resize(theirs.grams.len() + 1, Tally::default());
    let mut table = numbers.table();
    for gram in &mut theirs.grams {
        *gram = gram.grown(table.intern(gram.key(&theirs.tokens)));
        let tally = &mut tallies[gram.number as usize];
        tally.reference = tally.reference.wrapping_add(1);
    }
    let mut matched = 0u32;
    ours.retain(|gram, tokens| {
        *gram = gram.grown(table.find(gram.key(tokens)));
        let tally = &mut tallies[gram.number as usize];
        matched = matched.wrapping_add(tally.cover());
        tally.reference > 0
    });
    theirs.retain(|gram, _| tallies[gram.number as usize].covered > 0);
    matched
}

by_processor! {
    /// Clipped matches of single tokens, all below `distinct`.
    #[must_use]
    pub fn clipped_tokens(candidate: &[u32], reference: &[u32], distinct: u32, tallies: &mut Vec<Tally>) -> u32
        => tally_tokens;
}

#[inline(always)]
fn tally_tokens(candidate: &[u32], reference: &[u32], distinct: u32, tallies: &mut Vec<Tally>) -> u32 {
    tallies.clear();
    tallies.resize(distinct as usize, Tally::default());
    for token in reference {
        let tally = &mut tallies[*token as usize];
        tally.reference = tally.reference.wrapping_add(1);
    }
    candidate.iter().fold(0, |matched: u32, token| matched.wrapping_add(tallies[*token as usize].cover()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Name, candidate, reference, matches.
    type Case = (&'static str, &'static [u32], &'static [u32], [u32; ORDERS]);

    fn by_definition(candidate: &[u32], reference: &[u32]) -> [u32; ORDERS] {
        std::array::from_fn(|index| {
            let mut left: HashMap<&[u32], u32> = HashMap::new();
            reference.windows(index + 1).for_each(|gram| *left.entry(gram).or_default() += 1);
            let mut covered = 0;
            for gram in candidate.windows(index + 1) {
                if let Some(count) = left.get_mut(gram).filter(|count| **count > 0) {
                    *count -= 1;
                    covered += 1;
                }
            }
            covered
        })
    }

    #[test]
    fn named_cases() {
        let cases: [Case; 9] = [
            ("nothing at all", &[], &[], [0, 0, 0, 0]),
            ("an empty side", &[0, 1], &[], [0, 0, 0, 0]),
            ("the same", &[0, 1, 2, 3, 4], &[0, 1, 2, 3, 4], [5, 4, 3, 2]),
            ("nothing shared", &[0, 1, 2], &[3, 4, 5], [0, 0, 0, 0]),
            ("a token too often", &[0, 0, 0, 0], &[0, 1], [1, 0, 0, 0]),
            ("repeats on both sides", &[0, 0, 0, 0], &[0, 0, 0], [3, 2, 1, 0]),
            ("shorter than the orders", &[0, 1], &[0, 1], [2, 1, 0, 0]),
            ("the order of tokens", &[1, 0, 2], &[0, 1, 2], [3, 0, 0, 0]),
            ("a bigram twice, once in the reference", &[0, 1, 9, 0, 1], &[0, 1, 2], [2, 1, 0, 0]),
        ];
        let mut scratch = Scratch::default();
        for (name, candidate, reference, expected) in cases {
            assert_eq!(clipped(candidate, reference, 10, &mut scratch), expected, "{name}");
            assert_eq!(by_definition(candidate, reference), expected, "{name}");
        }
    }

    #[test]
    fn long_texts_fill_the_table() {
        let candidate: Vec<u32> = (0..4096).map(|place| place * place % 4093).collect();
        let reference: Vec<u32> = (0..4096).map(|place| (place + 7) * (place + 7) % 4093).collect();
        let mut scratch = Scratch::default();
        assert_eq!(
            clipped(&candidate, &reference, 4093, &mut scratch),
            by_definition(&candidate, &reference)
        );
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_definition(
            rows in proptest::collection::vec(
                (proptest::collection::vec(0u32..4, 0..60), proptest::collection::vec(0u32..5, 0..60)),
                1..4,
            ),
        ) {
            let mut scratch = Scratch::default();
            for (candidate, reference) in rows {
                let expected = by_definition(&candidate, &reference);
                prop_assert_eq!(clipped(&candidate, &reference, 5, &mut scratch), expected);
                prop_assert_eq!(super::clipped_anywhere(&candidate, &reference, 5, &mut scratch), expected);
                prop_assert_eq!(clipped_tokens(&candidate, &reference, 5, &mut scratch.tallies), expected[0]);
            }
        }
    }
}
