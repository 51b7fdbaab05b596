//! Clipped n-gram counts: how many n-grams of the candidate the reference covers, each at most as often as it has it.
//!
//! An n-gram can only be shared if the (n-1)-gram at its start and the token at its end are. So each order goes on
//! from the places where the order before found something shared, and those soon become few: on real answers four
//! orders cost little more than one. An n-gram is known by a number: that of its first n-1 tokens and its last token
//! make the key under which the next number is found.
//!
//! Cost: expected linear in the tokens for each order. Tokens are small numbers, as the tokenizer gives them: the
//! tallies take memory for the largest one.

use crate::interner::Interner;

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
    numbers: Interner,
}

/// How often each side has an n-gram.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    candidate: u32,
    reference: u32,
}

/// One text while its n-grams grow.
#[derive(Default)]
struct Side {
    tokens: Vec<u32>,
    grams: Vec<Gram>,
}

#[derive(Clone, Copy)]
struct Gram {
    number: u32,
    /// The place of the token after the n-gram.
    next: u32,
}

impl Side {
    /// Begins with the tokens that the other side has too.
    fn start(&mut self, tokens: &[u32], is_shared: impl Fn(u32) -> bool) {
        self.tokens.clear();
        self.tokens.extend(tokens.iter().map(|token| if is_shared(*token) { *token } else { UNSHARED }));
        self.grams.clear();
        self.grams.extend(self.tokens.iter().zip(1..).map(|(token, next)| Gram { number: *token, next }));
        self.tokens.push(UNSHARED);
        self.prune(|token| token != UNSHARED);
    }

    /// Drops the n-grams that the other side lacks, and those that cannot grow into something shared.
    ///
    /// Each is moved before it is known whether it stays: a branch on that would be mispredicted all the time.
    fn prune(&mut self, is_shared: impl Fn(u32) -> bool) {
        let mut kept = 0;
        for place in 0..self.grams.len() {
            let gram = self.grams[place];
            self.grams[kept] = gram;
            kept += usize::from(is_shared(gram.number) & (self.tokens[gram.next as usize] != UNSHARED));
        }
        self.grams.truncate(kept);
    }

    /// Turns each n-gram into the (n+1)-gram that starts at the same place.
    fn grow(&mut self, numbers: &mut Interner) {
        numbers.reserve(self.grams.len());
        for gram in &mut self.grams {
            let token = self.tokens[gram.next as usize];
            gram.number = numbers.intern(u128::from(gram.number) << 32 | u128::from(token));
            gram.next += 1;
        }
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.grams.iter().map(|gram| gram.number)
    }
}

/// Clipped matches of the orders 1 to `ORDERS`; 0 where a side is shorter than the order.
#[must_use]
pub fn clipped(candidate: &[u32], reference: &[u32], scratch: &mut Scratch) -> [u32; ORDERS] {
    let Scratch { candidate: ours, reference: theirs, tallies, numbers } = scratch;
    let mut matches = [0; ORDERS];
    matches[0] = clipped_tokens(candidate, reference, tallies);
    ours.start(candidate, |token| tallies[token as usize].reference > 0);
    theirs.start(reference, |token| tallies[token as usize].candidate > 0);
    for matched in &mut matches[1..] {
        numbers.clear();
        ours.grow(numbers);
        theirs.grow(numbers);
        *matched = tally(ours.numbers(), theirs.numbers(), numbers.count(), tallies);
        ours.prune(|number| tallies[number as usize].reference > 0);
        theirs.prune(|number| tallies[number as usize].candidate > 0);
    }
    matches
}

/// Clipped matches of single tokens.
#[must_use]
pub fn clipped_tokens(candidate: &[u32], reference: &[u32], tallies: &mut Vec<Tally>) -> u32 {
    let count = candidate.iter().chain(reference).copied().max().map_or(0, |largest| largest + 1);
    tally(candidate.iter().copied(), reference.iter().copied(), count, tallies)
}

/// Counts both sides, and returns how many of the candidate's the reference covers.
fn tally(
    candidate: impl Iterator<Item = u32>,
    reference: impl Iterator<Item = u32>,
    count: u32,
    tallies: &mut Vec<Tally>,
) -> u32 {
    tallies.clear();
    tallies.resize(count as usize, Tally::default());
    candidate.for_each(|number| tallies[number as usize].candidate += 1);
    reference.for_each(|number| tallies[number as usize].reference += 1);
    tallies.iter().map(|tally| tally.candidate.min(tally.reference)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Name, candidate, reference, matches.
    type Case = (&'static str, &'static [u32], &'static [u32], [u32; ORDERS]);

    fn clipped_plainly(candidate: &[u32], reference: &[u32]) -> [u32; ORDERS] {
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
            assert_eq!(clipped(candidate, reference, &mut scratch), expected, "{name}");
            assert_eq!(clipped_plainly(candidate, reference), expected, "{name}");
        }
    }

    #[test]
    fn long_texts_fill_the_table() {
        let candidate: Vec<u32> = (0..4096).map(|place| place * place % 4093).collect();
        let reference: Vec<u32> = (0..4096).map(|place| (place + 7) * (place + 7) % 4093).collect();
        let mut scratch = Scratch::default();
        assert_eq!(clipped(&candidate, &reference, &mut scratch), clipped_plainly(&candidate, &reference));
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
                let expected = clipped_plainly(&candidate, &reference);
                prop_assert_eq!(clipped(&candidate, &reference, &mut scratch), expected);
                prop_assert_eq!(clipped_tokens(&candidate, &reference, &mut scratch.tallies), expected[0]);
            }
        }
    }
}
