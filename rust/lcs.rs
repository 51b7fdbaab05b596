//! The length of the longest common subsequence, 64 cells of the table at a time.
//!
//! The bit-parallel form of Hyyrö (2004): one bit a row, holding whether the column of the dynamic programme does
//! *not* step up there; with M the rows that hold the column's token, a column is `V = (V + (V & M)) | (V & !M)`, and
//! the zeros left at the end are the length. Before that the problem is made smaller, which changes no length: common
//! beginnings and ends are counted and cut off, then tokens that the other side lacks are dropped. On real answers
//! half of the tokens go.
//!
//! Cost: |a| * |b| / 64 steps of five instructions at most, and memory for the distinct tokens times |a| / 64 words:
//! at 4096 tokens a side, 2 MB and half a millisecond. Tokens are small numbers, as the tokenizer gives them.

use crate::cpu::by_processor;
use std::hint::select_unpredictable;

/// Bits of a word of the column.
const WORD: usize = 64;

/// Buffers for a comparison.
#[derive(Default)]
pub struct Scratch {
    /// By token: the sides that have it.
    sides: Vec<u8>,
    /// By token: which row of `masks` is its.
    rows: Vec<u32>,
    a: Vec<u32>,
    b: Vec<u32>,
    masks: Vec<u64>,
    column: Vec<u64>,
}

by_processor! {
    /// The length of the longest common subsequence of `a` and `b`.
    #[must_use]
    pub fn length(a: &[u32], b: &[u32], scratch: &mut Scratch) -> usize => length_anywhere;
}

#[inline(always)]
fn length_anywhere(a: &[u32], b: &[u32], scratch: &mut Scratch) -> usize {
    let (a, b, affixes) = strip_affixes(a, b);
    let Scratch { sides, rows, a: kept_a, b: kept_b, masks, column } = scratch;
    keep_shared(a, b, sides, [kept_a, kept_b]);
    let cost = |pattern: &[u32], text: &[u32]| pattern.len().div_ceil(WORD) * text.len();
    let (pattern, text) =
        if cost(kept_a, kept_b) <= cost(kept_b, kept_a) { (kept_a, kept_b) } else { (kept_b, kept_a) };
    let words = pattern.len().div_ceil(WORD);
    if rows.len() < sides.len() {
        rows.resize(sides.len(), 0);
    }
    set_masks(pattern, words, rows, masks);
    text.iter_mut().for_each(|token| *token = rows[*token as usize]);
    affixes
        + match words {
            0 => 0,
            1 => fixed::<1>(text, masks),
            2 => fixed::<2>(text, masks),
            3 => fixed::<3>(text, masks),
            4 => fixed::<4>(text, masks),
            5 => fixed::<5>(text, masks),
            6 => fixed::<6>(text, masks),
            7 => fixed::<7>(text, masks),
            8 => fixed::<8>(text, masks),
            _ => any(text, masks, words, column),
        }
}

/// Both sides without their common beginning and end, and how many tokens these have.
#[inline(always)]
fn strip_affixes<'a>(a: &'a [u32], b: &'a [u32]) -> (&'a [u32], &'a [u32], usize) {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (&a[..a.len() - suffix], &b[..b.len() - suffix], prefix + suffix)
}

/// Copies of both sides without the tokens that the other one lacks.
#[inline(always)]
fn keep_shared(a: &[u32], b: &[u32], sides: &mut Vec<u8>, [kept_a, kept_b]: [&mut Vec<u32>; 2]) {
    sides.clear();
    sides.resize(a.iter().chain(b).copied().max().map_or(0, |largest| largest as usize + 1), 0);
    a.iter().for_each(|token| sides[*token as usize] |= 1);
    b.iter().for_each(|token| sides[*token as usize] |= 2);
    for (tokens, kept) in [(a, kept_a), (b, kept_b)] {
        // Moved on by the answer, not by a branch that would be mispredicted all the time.
        let mut count = 0;
        kept.clear();
        kept.resize(tokens.len(), 0);
        for token in tokens {
            kept[count] = *token;
            count = count.wrapping_add(usize::from(sides[*token as usize] == 3));
        }
        kept.truncate(count);
    }
}

/// Numbers the tokens of the pattern, and marks in the masks of each the places where it stands.
#[inline(always)]
fn set_masks(pattern: &[u32], words: usize, rows: &mut [u32], masks: &mut Vec<u64>) {
    const NONE: u32 = u32::MAX;
    pattern.iter().for_each(|token| rows[*token as usize] = NONE);
    // As many rows as there could be: a branch for each new token would be mispredicted all the time.
    masks.clear();
    masks.resize(pattern.len() * words, 0);
    let mut next = 0u32;
    for (place, token) in pattern.iter().enumerate() {
        let row = &mut rows[*token as usize];
        let is_new = *row == NONE;
        *row = select_unpredictable(is_new, next, *row);
        next = next.wrapping_add(u32::from(is_new));
        masks[*row as usize * words + place / WORD] |= 1 << (place % WORD);
    }
}

#[inline(always)]
fn fixed<const WORDS: usize>(text: &[u32], masks: &[u64]) -> usize {
    let (masks, _) = masks.as_chunks::<WORDS>();
    let mut column = [u64::MAX; WORDS];
    for row in text {
        advance(&mut column, &masks[*row as usize]);
    }
    zeros(&column)
}

#[inline(always)]
fn any(text: &[u32], masks: &[u64], words: usize, column: &mut Vec<u64>) -> usize {
    column.clear();
    column.resize(words, u64::MAX);
    for row in text {
        advance(column, &masks[*row as usize * words..][..words]);
    }
    zeros(column)
}

/// Goes on by one token of the text.
#[inline(always)]
fn advance(column: &mut [u64], masks: &[u64]) {
    let mut carry = false;
    for (bits, mask) in column.iter_mut().zip(masks) {
        let (sum, over) = bits.carrying_add(*bits & mask, carry);
        *bits = sum | (*bits & !mask);
        carry = over;
    }
}

#[inline(always)]
fn zeros(column: &[u64]) -> usize {
    column.iter().map(|bits| bits.count_zeros() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn length_plainly(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for token in a {
            let mut diagonal = 0;
            for (place, other) in b.iter().enumerate() {
                let above = row[place + 1];
                row[place + 1] = if token == other { diagonal + 1 } else { above.max(row[place]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    /// Tokens that look random, the same in every run.
    fn noise(seed: u32, length: usize, alphabet: u32) -> Vec<u32> {
        let step = |state: &mut u32| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*state >> 16) % alphabet)
        };
        std::iter::repeat_n((), length).scan(seed, |state, ()| step(state)).collect()
    }

    #[test]
    fn named_cases() {
        let cases: [(&str, &[u32], &[u32], usize); 9] = [
            ("nothing at all", &[], &[], 0),
            ("an empty side", &[1, 2], &[], 0),
            ("the same", &[1, 2, 3], &[1, 2, 3], 3),
            ("nothing shared", &[1, 2, 3], &[4, 5], 0),
            ("turned round", &[1, 2, 3, 4], &[4, 3, 2, 1], 1),
            ("the one within the other", &[1, 2, 3, 4, 5], &[2, 4], 2),
            ("beginnings and ends that overlap", &[1, 1, 1], &[1, 1, 1, 1, 1], 3),
            ("a common beginning and end", &[1, 2, 9, 8, 3], &[1, 2, 7, 3], 3),
            ("repeats", &[1, 2, 1, 2, 1, 2], &[2, 1, 2, 1], 4),
        ];
        let mut scratch = Scratch::default();
        for (name, a, b, expected) in cases {
            assert_eq!(length(a, b, &mut scratch), expected, "{name}");
            assert_eq!(length(b, a, &mut scratch), expected, "{name}, sides changed");
        }
    }

    #[test]
    fn words_join_without_a_seam() {
        let mut scratch = Scratch::default();
        let lengths =
            [1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 257, 320, 384, 448, 511, 512, 513, 700];
        for (index, a) in lengths.into_iter().enumerate() {
            for b in [lengths[lengths.len() - 1 - index], a, 150] {
                for alphabet in [1, 2, 5, 300] {
                    let [a, b] = [noise(1, a, alphabet), noise(2, b, alphabet)];
                    assert_eq!(
                        length(&a, &b, &mut scratch),
                        length_plainly(&a, &b),
                        "{} {}",
                        a.len(),
                        b.len()
                    );
                }
            }
        }
    }

    #[test]
    fn the_cap_is_reached() {
        let mut scratch = Scratch::default();
        let forwards: Vec<u32> = (0..4096).collect();
        let shifted: Vec<u32> = (1..4096).chain([0]).collect();
        let backwards: Vec<u32> = (0..4096).rev().collect();
        assert_eq!(length(&forwards, &forwards, &mut scratch), 4096);
        assert_eq!(length(&forwards, &shifted, &mut scratch), 4095);
        assert_eq!(length(&forwards, &backwards, &mut scratch), 1);
    }

    proptest! {
        #[test]
        fn the_length_is_that_of_the_plain_table(
            rows in proptest::collection::vec(
                (proptest::collection::vec(0u32..6, 0..150), proptest::collection::vec(0u32..7, 0..150)),
                1..4,
            ),
        ) {
            let mut scratch = Scratch::default();
            for (a, b) in rows {
                prop_assert_eq!(length(&a, &b, &mut scratch), length_plainly(&a, &b));
            }
        }
    }
}
