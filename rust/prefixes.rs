//! Where one of many terms may begin, 64 bytes of a text at a time.
//!
//! A term begins where a word does, and with its own first four bytes. The terms are dealt into eight groups of like
//! beginnings; for each of the four bytes two tables say, by the half of the byte that is looked up, which groups have
//! such a byte there. One shuffle looks up 32 bytes, and what all eight tables agree on is left: of ten terms hardly
//! anything but the terms, of a hundred every sixth word, of a thousand nearly every word. ("Teddy", from Hyperscan.)
//!
//! Processors without AVX2 let every word through: what comes after is right without this, only slower.

use crate::classes::{BLOCK, alphanumeric};

/// Bytes of a beginning.
const LENGTH: usize = 4;

const GROUPS: usize = 8;

/// The beginnings of terms.
#[derive(Debug)]
pub struct Prefixes {
    /// By place and by the lower half of the byte: the groups that have such a byte there, one bit each.
    low: [[u8; 16]; LENGTH],
    /// The same by the upper half.
    high: [[u8; 16]; LENGTH],
}

impl Prefixes {
    /// Learns the terms.
    #[must_use]
    pub fn new(terms: &[Vec<u8>]) -> Self {
        let mut sorted: Vec<&[u8]> = terms.iter().map(Vec::as_slice).collect();
        sorted.sort_unstable();
        let mut prefixes = Self { low: [[0; 16]; LENGTH], high: [[0; 16]; LENGTH] };
        for (group, terms) in sorted.chunks(sorted.len().div_ceil(GROUPS).max(1)).enumerate() {
            terms.iter().for_each(|term| prefixes.learn(term, 1 << group));
        }
        prefixes
    }

    fn learn(&mut self, term: &[u8], group: u8) {
        for place in 0..LENGTH {
            match term.get(place) {
                Some(byte) => {
                    self.low[place][usize::from(byte & 15)] |= group;
                    self.high[place][usize::from(byte >> 4)] |= group;
                }
                // Behind a shorter term anything may stand.
                None => {
                    self.low[place].iter_mut().for_each(|groups| *groups |= group);
                    self.high[place].iter_mut().for_each(|groups| *groups |= group);
                }
            }
        }
    }
}

/// Bytes of which a window tells the first 64: a term may begin with the last of those.
pub const WINDOW: usize = BLOCK + LENGTH - 1;

/// The bytes of a block that are in words, and those with which one of the terms may begin.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// `[a-z0-9]`.
    pub words: u64,
    /// The places that are left.
    pub begins: u64,
}

/// The words of 64 bytes; a term may begin with each.
#[inline(always)]
#[must_use]
pub fn read_words(window: &[u8; WINDOW]) -> Block {
    let block = window.first_chunk().unwrap_or(&[0; BLOCK]);
    Block { words: alphanumeric(block), begins: u64::MAX }
}

/// The tables in registers, for processors with AVX2.
#[cfg(target_arch = "x86_64")]
pub(crate) mod vector {
    use super::{Block, LENGTH, Prefixes, WINDOW};
    use crate::classes::wide::{BYTES, load, masks, words};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_set_epi64x, _mm256_set1_epi8,
        _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    };

    /// By place in the beginning: the tables by the lower and by the upper half of the byte.
    #[derive(Clone, Copy)]
    pub struct Tables([[__m256i; 2]; LENGTH]);

    impl Tables {
        #[inline]
        #[target_feature(enable = "avx2")]
        pub fn new(prefixes: &Prefixes) -> Self {
            Self(std::array::from_fn(|place| [twice(&prefixes.low[place]), twice(&prefixes.high[place])]))
        }

        /// Looks at 64 bytes of lowercase text and the three behind them.
        #[inline]
        #[target_feature(enable = "avx2")]
        pub fn read(&self, window: &[u8; WINDOW]) -> Block {
            let [first, second] = [self.half::<0>(window), self.half::<BYTES>(window)];
            let none = masks(without_groups(first.1), without_groups(second.1));
            Block { words: masks(words(first.0), words(second.0)), begins: !none }
        }

        /// Thirty-two bytes, and the groups of which a term may begin at each.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn half<const FROM: usize>(&self, window: &[u8; WINDOW]) -> (__m256i, __m256i) {
            let bytes = |place: usize| load(window[FROM + place..].first_chunk().unwrap_or(&[0; BYTES]));
            let [one, two, three, four] = &self.0;
            let first = bytes(0);
            let groups = _mm256_and_si256(look_up(one, first), look_up(two, bytes(1)));
            let more = _mm256_and_si256(look_up(three, bytes(2)), look_up(four, bytes(3)));
            (first, _mm256_and_si256(groups, more))
        }
    }

    /// The groups that have such bytes there.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_up([low, high]: &[__m256i; 2], bytes: __m256i) -> __m256i {
        let nibble = _mm256_set1_epi8(15);
        let lower = _mm256_shuffle_epi8(*low, _mm256_and_si256(bytes, nibble));
        let upper = _mm256_shuffle_epi8(*high, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble));
        _mm256_and_si256(lower, upper)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn without_groups(groups: __m256i) -> __m256i {
        _mm256_cmpeq_epi8(groups, _mm256_setzero_si256())
    }

    /// A table in both halves of a register, since a shuffle stays within each.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn twice(table: &[u8; 16]) -> __m256i {
        let both = u128::from_le_bytes(*table);
        let [low, high] = [both as i64, (both >> 64) as i64];
        _mm256_set_epi64x(high, low, high, low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::{by_processor, is_modern};
    use proptest::prelude::*;

    by_processor! {
        fn read(prefixes: &Prefixes, window: &[u8; WINDOW]) -> Block => read_anywhere, read_modern;
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn read_modern(prefixes: &Prefixes, window: &[u8; WINDOW]) -> Block {
        vector::Tables::new(prefixes).read(window)
    }

    fn read_anywhere(_: &Prefixes, window: &[u8; WINDOW]) -> Block {
        read_words(window)
    }

    proptest! {
        #[test]
        fn no_beginning_is_dropped(
            terms in proptest::collection::vec("[a-d1é中]{1,5}", 1..40),
            text in "[a-d1é中 ]{0,40}",
            place in 0..BLOCK,
        ) {
            let terms: Vec<Vec<u8>> = terms.into_iter().map(String::into_bytes).collect();
            let prefixes = Prefixes::new(&terms);
            let mut window = [b' '; WINDOW + 8];
            for (byte, letter) in window[place..].iter_mut().zip(text.as_bytes().iter().chain(&terms[0])) {
                *byte = *letter;
            }
            let block = read(&prefixes, window.first_chunk().unwrap());
            prop_assert_eq!(block.words, read_words(window.first_chunk().unwrap()).words);
            for place in 0..BLOCK {
                let begins = terms.iter().any(|term| {
                    let beginning = &term[..term.len().min(LENGTH)];
                    window[place..].starts_with(beginning)
                });
                prop_assert!(!begins || block.begins >> place & 1 == 1, "{}", place);
            }
        }
    }

    #[test]
    fn what_begins_nothing_is_dropped() {
        let prefixes = Prefixes::new(&[b"kill".to_vec(), b"bomb".to_vec(), b"a".to_vec()]);
        let mut window = [b' '; WINDOW];
        window[..15].copy_from_slice(b"kick kill xylem");
        let begins = read(&prefixes, &window).begins;
        assert_eq!(begins, if is_modern() { 1 << 5 } else { u64::MAX });
    }
}
