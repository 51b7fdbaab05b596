//! Numbers for keys: the first new one is 0, the next 1, and a key that was met before keeps its number.
//!
//! Tokens, n-grams and the symbols of contexts are compared as such numbers. The table is open, with linear probing; its
//! hash is seeded anew for each interner, so that no text can be prepared in which all keys collide.

use std::hash::{BuildHasher, RandomState};
use std::hint::select_unpredictable;

/// Numbers the distinct keys of a row from 0, in the order in which they are met.
pub struct Interner {
    /// The number of the key in each slot, plus one; 0 is a free slot. An open table, its length a power of two.
    slots: Vec<u32>,
    /// The keys by number plus one. The first holds the key that is looked for, so that a free slot matches it.
    keys: Vec<u128>,
    count: u32,
    seeds: [u64; 2],
}

/// Slots that a row begins with: 8 KiB, and room enough for most rows.
const FIRST_SLOTS: usize = 2048;

impl Default for Interner {
    fn default() -> Self {
        let random = RandomState::new();
        Self {
            slots: vec![0; FIRST_SLOTS],
            keys: vec![0],
            count: 0,
            seeds: [random.hash_one(0), random.hash_one(1)],
        }
    }
}

impl Interner {
    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.slots.truncate(FIRST_SLOTS);
        self.slots.fill(0);
        self.count = 0;
    }

    /// How many keys have a number.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Makes room for so many new keys.
    pub fn reserve(&mut self, keys: usize) {
        let keys = self.count as usize + keys;
        if self.keys.len() <= keys {
            self.keys.resize(keys + 1, 0);
        }
        if self.slots.len() < keys * 2 {
            self.grow((keys * 2).next_power_of_two());
        }
    }

    fn grow(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, 0);
        for number in 1..=self.count {
            let at = self.seek(self.keys[number as usize]);
            self.slots[at] = number;
        }
    }

    /// The number of a key, the next free one if the key is new. Room for it must have been reserved.
    ///
    /// Every other token of a text is new, and no processor predicts which: there is no branch on it.
    #[inline]
    pub fn intern(&mut self, key: u128) -> u32 {
        let at = self.seek(key);
        let known = self.slots[at];
        let is_new = known == 0;
        let number = select_unpredictable(is_new, self.count + 1, known);
        self.slots[at] = number;
        self.keys[number as usize] = key;
        self.count += u32::from(is_new);
        number - 1
    }

    /// The slot of a key, or the free one where it would be.
    #[inline]
    fn seek(&mut self, key: u128) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.hash(key) as usize & mask;
        self.keys[0] = key;
        while self.keys[self.slots[at] as usize] != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The folded product of both halves, each mixed with its seed.
    #[allow(clippy::cast_possible_truncation, reason = "the halves are meant")]
    fn hash(&self, key: u128) -> u64 {
        let product = u128::from(key as u64 ^ self.seeds[0])
            .wrapping_mul(u128::from((key >> 64) as u64 ^ self.seeds[1]));
        product as u64 ^ (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_in_order_however_many() {
        let mut interner = Interner::default();
        for count in [10u32, 5000, 100, 20_000] {
            interner.clear();
            for key in (0..count).chain(0..count) {
                interner.reserve(1);
                assert_eq!(interner.intern(u128::from(key) << (key % 2 * 90)), key);
            }
            assert_eq!(interner.count(), count);
        }
    }
}
