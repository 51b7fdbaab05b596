//! Which of 64 bytes of lowercase text belong to which class, one bit a byte, the first byte lowest.
//!
//! Words end at unforeseeable places, so kernels do not look at bytes one after the other: they ask for the bit sets of
//! a block and count ones and zeros. x86-64 always has vector registers of 16 bytes (SSE2), and nearly always of 32
//! (AVX2); other machines classify eight bytes at a time in a plain integer. All give the same bits, which a test shows
//! for every byte at every place.

/// Bytes of a block: one bit each in a word.
pub const BLOCK: usize = 64;

/// The bytes of a block by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// `[a-z0-9]`.
    pub alphanumeric: u64,
    /// Pinned whitespace.
    pub space: u64,
    /// Bytes that continue a code point.
    pub continuation: u64,
}

impl Classes {
    /// Classifies a block.
    #[inline(always)]
    #[must_use]
    pub fn read(bytes: &[u8; BLOCK]) -> Self {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 processor has SSE2.
        return unsafe { vector::classes(bytes) };
        #[cfg(not(target_arch = "x86_64"))]
        return plain::classes(bytes);
    }
}

/// The digits, and the bytes that are one of three.
#[inline(always)]
#[must_use]
pub fn digits_and(bytes: &[u8; BLOCK], others: [u8; 3]) -> [u64; 2] {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as in `Classes::read`.
    return unsafe { vector::digits_and(bytes, others) };
    #[cfg(not(target_arch = "x86_64"))]
    return plain::digits_and(bytes, others);
}

/// The bytes in `[a-z0-9]` alone.
#[inline(always)]
#[must_use]
pub fn alphanumeric(bytes: &[u8; BLOCK]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as in `Classes::read`.
    return unsafe { vector::alphanumeric(bytes) };
    #[cfg(not(target_arch = "x86_64"))]
    return plain::alphanumeric(bytes);
}

/// Places in a text: the first `count` of `all`.
#[derive(Debug, Default)]
pub struct Marks {
    all: Vec<u32>,
    count: usize,
}

impl Marks {
    /// Appends the places of the ones of `bits`.
    ///
    /// `STEP` are written whether or not there are so many, and then again as many: how many a block holds is not for a
    /// branch to predict.
    #[inline(always)]
    pub fn push<const STEP: usize>(&mut self, mut bits: u64, at: u32) {
        const { assert!(BLOCK.is_multiple_of(STEP), "else the last ones are lost") };
        self.reserve(BLOCK);
        let room = &mut self.all[self.count..][..BLOCK];
        self.count += bits.count_ones() as usize;
        for eight in room.as_chunks_mut::<STEP>().0 {
            for place in eight {
                *place = at.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
    }

    /// Makes room for so many places more.
    #[inline(always)]
    pub fn reserve(&mut self, count: usize) {
        if self.all.len() < self.count + count {
            self.all.resize((self.count + count) * 2, 0);
        }
    }

    /// Appends a place, or not: nothing foresees which, so there is no branch on it. Room must have been made.
    #[inline(always)]
    pub fn push_if(&mut self, place: u32, wanted: bool) {
        self.all[self.count] = place;
        self.count = self.count.wrapping_add(usize::from(wanted));
    }

    /// Forgets the places.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// The places, in order.
    #[inline(always)]
    #[must_use]
    pub fn places(&self) -> &[u32] {
        &self.all[..self.count]
    }
}

/// Sixteen bytes at a time.
#[cfg(target_arch = "x86_64")]
mod vector {
    use super::{BLOCK, Classes};
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi8,
    };

    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn classes(bytes: &[u8; BLOCK]) -> Classes {
        let mut classes = Classes { alphanumeric: 0, space: 0, continuation: 0 };
        for (index, sixteen) in sixteens(bytes) {
            classes.alphanumeric |= mask(words(sixteen)) << (16 * index);
            classes.space |= mask(spaces(sixteen)) << (16 * index);
            // 0x80..=0xbf are the least of the signed bytes.
            classes.continuation |= mask(_mm_cmpgt_epi8(_mm_set1_epi8(-0x40), sixteen)) << (16 * index);
        }
        classes
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn alphanumeric(bytes: &[u8; BLOCK]) -> u64 {
        sixteens(bytes).fold(0, |bits, (index, sixteen)| bits | mask(words(sixteen)) << (16 * index))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub fn digits_and(bytes: &[u8; BLOCK], [one, two, three]: [u8; 3]) -> [u64; 2] {
        let is = |sixteen, byte: u8| _mm_cmpeq_epi8(sixteen, _mm_set1_epi8(byte as i8));
        sixteens(bytes).fold([0, 0], |[digits, others], (index, sixteen)| {
            let other = _mm_or_si128(_mm_or_si128(is(sixteen, one), is(sixteen, two)), is(sixteen, three));
            let digit = mask(within::<b'0', b'9'>(sixteen));
            [digits | digit << (16 * index), others | mask(other) << (16 * index)]
        })
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn sixteens(bytes: &[u8; BLOCK]) -> impl Iterator<Item = (usize, __m128i)> {
        let (sixteens, _) = bytes.as_chunks::<16>();
        sixteens.iter().enumerate().map(|(index, sixteen)| {
            let both = u128::from_le_bytes(*sixteen);
            (index, _mm_set_epi64x((both >> 64) as i64, both as i64))
        })
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn mask(bytes: __m128i) -> u64 {
        u64::from(_mm_movemask_epi8(bytes) as u16)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn words(bytes: __m128i) -> __m128i {
        _mm_or_si128(within::<b'a', b'z'>(bytes), within::<b'0', b'9'>(bytes))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn spaces(bytes: __m128i) -> __m128i {
        _mm_or_si128(within::<0x09, 0x0d>(bytes), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b' ' as i8)))
    }

    /// Shifted so that the range ends at the greatest signed byte, where one comparison tells.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn within<const LEAST: u8, const MOST: u8>(bytes: __m128i) -> __m128i {
        let shifted = _mm_add_epi8(bytes, _mm_set1_epi8((0x7f - MOST) as i8));
        _mm_cmpgt_epi8(shifted, _mm_set1_epi8((0x7e - (MOST - LEAST)) as i8))
    }
}

/// Thirty-two bytes at a time, for functions that are compiled for processors with AVX2.
#[cfg(target_arch = "x86_64")]
pub(crate) mod wide {
    use super::{BLOCK, Classes};
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_movemask_epi8,
        _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8,
    };

    /// Bytes of a register.
    pub const BYTES: usize = 32;

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn classes(bytes: &[u8; BLOCK]) -> Classes {
        let [low, high] = halves(bytes);
        Classes {
            alphanumeric: masks(words(low), words(high)),
            space: masks(spaces(low), spaces(high)),
            continuation: masks(continuations(low), continuations(high)),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn digits_and(bytes: &[u8; BLOCK], others: [u8; 3]) -> [u64; 2] {
        let [low, high] = halves(bytes);
        let [digits, more_digits] = [within::<b'0', b'9'>(low), within::<b'0', b'9'>(high)];
        [masks(digits, more_digits), masks(any_of(low, others), any_of(high, others))]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn words(bytes: __m256i) -> __m256i {
        _mm256_or_si256(within::<b'a', b'z'>(bytes), within::<b'0', b'9'>(bytes))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn spaces(bytes: __m256i) -> __m256i {
        _mm256_or_si256(within::<0x09, 0x0d>(bytes), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b' ' as i8)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn continuations(bytes: __m256i) -> __m256i {
        _mm256_cmpgt_epi8(_mm256_set1_epi8(-0x40), bytes)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn any_of(bytes: __m256i, [one, two, three]: [u8; 3]) -> __m256i {
        let is = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8));
        _mm256_or_si256(_mm256_or_si256(is(one), is(two)), is(three))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn within<const LEAST: u8, const MOST: u8>(bytes: __m256i) -> __m256i {
        let shifted = _mm256_add_epi8(bytes, _mm256_set1_epi8((0x7f - MOST) as i8));
        _mm256_cmpgt_epi8(shifted, _mm256_set1_epi8((0x7e - (MOST - LEAST)) as i8))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn masks(low: __m256i, high: __m256i) -> u64 {
        let [low, high] = [low, high].map(|bytes| u64::from(_mm256_movemask_epi8(bytes) as u32));
        high << BYTES | low
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(bytes: &[u8; BLOCK]) -> [__m256i; 2] {
        let (halves, _) = bytes.as_chunks::<BYTES>();
        [load(&halves[0]), load(&halves[1])]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load(bytes: &[u8; BYTES]) -> __m256i {
        let (words, _) = bytes.as_chunks::<8>();
        let [a, b, c, d] = std::array::from_fn(|index| i64::from_le_bytes(words[index]));
        _mm256_set_epi64x(d, c, b, a)
    }
}

/// Eight bytes at a time, a class in the high bit of each.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    use super::{BLOCK, Classes};

    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;

    pub fn classes(bytes: &[u8; BLOCK]) -> Classes {
        let space = |eight| within(eight, 0x09, 0x0d) | within(eight, b' ', b' ');
        Classes {
            alphanumeric: alphanumeric(bytes),
            space: gather(bytes, space),
            continuation: gather(bytes, |eight| eight & !(eight << 1)),
        }
    }

    pub fn alphanumeric(bytes: &[u8; BLOCK]) -> u64 {
        gather(bytes, |eight| within(eight, b'a', b'z') | within(eight, b'0', b'9'))
    }

    pub fn digits_and(bytes: &[u8; BLOCK], others: [u8; 3]) -> [u64; 2] {
        let other = |eight| others.iter().fold(0, |any, byte| any | within(eight, *byte, *byte));
        [gather(bytes, |eight| within(eight, b'0', b'9')), gather(bytes, other)]
    }

    /// Adding `128 - x` to a byte under 128 sets its high bit exactly when the byte is at least `x`.
    const fn within(eight: u64, least: u8, most: u8) -> u64 {
        const fn from(low: u64, byte: u8) -> u64 {
            low.wrapping_add(ONES.wrapping_mul(128 - byte as u64))
        }
        let low = eight & !HIGH;
        from(low, least) & !from(low, most + 1) & !eight
    }

    /// The high bits of each eight bytes, the first byte's lowest: the product moves that of byte i to bit 56 + i, and no
    /// two to one place.
    #[inline(always)]
    fn gather(bytes: &[u8; BLOCK], class: impl Fn(u64) -> u64) -> u64 {
        let eights = bytes.as_chunks::<8>().0.iter().rev();
        eights.fold(0, |bits, eight| {
            let marks = (class(u64::from_le_bytes(*eight)) & HIGH) >> 7;
            bits << 8 | marks.wrapping_mul(0x0102_0408_1020_4080) >> 56
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::by_processor;
    use crate::text::{is_continuation, is_pinned_whitespace};

    by_processor! {
        fn read(bytes: &[u8; BLOCK]) -> Classes => Classes::read, wide::classes;
    }

    by_processor! {
        fn read_rare(bytes: &[u8; BLOCK], others: [u8; 3]) -> [u64; 2] => digits_and, wide::digits_and;
    }

    #[test]
    fn every_byte_is_classified_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..BLOCK {
                for around in [0, b' ', b'a', 0x80, 0xff] {
                    let mut block = [around; BLOCK];
                    block[place] = byte;
                    let bits = |class: fn(u8) -> bool| {
                        block.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(class(*byte)))
                    };
                    let expected = Classes {
                        alphanumeric: bits(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
                        space: bits(is_pinned_whitespace),
                        continuation: bits(is_continuation),
                    };
                    assert_eq!(Classes::read(&block), expected, "{byte:#x} at {place}");
                    assert_eq!(read(&block), expected, "{byte:#x} at {place}");
                    assert_eq!(plain::classes(&block), expected, "{byte:#x} at {place}");
                    assert_eq!(alphanumeric(&block), expected.alphanumeric);
                    assert_eq!(plain::alphanumeric(&block), expected.alphanumeric);
                    let rare = [bits(|byte| byte.is_ascii_digit()), bits(|byte| b"@+:".contains(&byte))];
                    assert_eq!(digits_and(&block, *b"@+:"), rare);
                    assert_eq!(plain::digits_and(&block, *b"@+:"), rare);
                    assert_eq!(read_rare(&block, *b"@+:"), rare);
                }
            }
        }
    }
}
