//! Numbers for keys: the first new one is 0, the next 1, and a key that was met before keeps its number.
//!
//! Tokens, n-grams and the symbols of contexts are compared as such numbers. The table is open, with linear probing; its
//! hash is seeded anew for each interner, so that no text can be prepared in which all keys collide.

use std::hash::{BuildHasher, RandomState};
use std::hint::select_unpredictable;

/// What can be numbered.
pub trait Key: Copy + Eq + Default {
    /// A hash that nobody can foresee without the seeds.
    fn hash(self, seeds: [u64; 2]) -> u64;
}

#[allow(clippy::cast_possible_truncation, reason = "the halves are meant")]
#[inline(always)]
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a).wrapping_mul(u128::from(b));
    product as u64 ^ (product >> 64) as u64
}

impl Key for u128 {
    #[allow(clippy::cast_possible_truncation, reason = "the halves are meant")]
    #[inline(always)]
    fn hash(self, [low, high]: [u64; 2]) -> u64 {
        folded_product(self as u64 ^ low, (self >> 64) as u64 ^ high)
    }
}

impl Key for u64 {
    #[inline(always)]
    fn hash(self, [low, high]: [u64; 2]) -> u64 {
        folded_product(self ^ low, high)
    }
}

/// Numbers the distinct keys of a row from 0, in the order in which they are met.
pub struct Interner<K = u128> {
    /// The number of the key in each slot, plus one; 0 is a free slot. An open table, its length a power of two.
    slots: Vec<u32>,
    /// The keys by number plus one. The first holds the key that is looked for, so that a free slot matches it.
    keys: Vec<K>,
    count: u32,
    seeds: [u64; 2],
}

/// Slots that a row begins with: one of a few tokens should not pay for clearing a large table.
const FIRST_SLOTS: usize = 64;

/// Slots for each key there may be: a probe that meets a foreign key is a branch that was not predicted.
const SLOTS: usize = 4;

impl<K: Key> Default for Interner<K> {
    fn default() -> Self {
        let random = RandomState::new();
        Self {
            slots: vec![0; FIRST_SLOTS],
            keys: vec![K::default()],
            count: 0,
            // Even factors would lose bits of the key.
            seeds: [random.hash_one(0), random.hash_one(1) | 1],
        }
    }
}

impl<K: Key> Interner<K> {
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
            self.keys.resize(keys + 1, K::default());
        }
        if self.slots.len() < keys * SLOTS {
            self.grow((keys * SLOTS).next_power_of_two());
        }
    }

    fn grow(&mut self, slots: usize) {
        self.slots.fill(0);
        self.slots.resize(slots, 0);
        let mut table = self.table();
        let count = std::mem::take(&mut table.count);
        for number in 1..=count {
            table.intern(table.keys[number as usize]);
        }
    }

    /// The number of a key, the next free one if the key is new. Room for it must have been reserved.
    #[inline(always)]
    pub fn intern(&mut self, key: K) -> u32 {
        let mut table = self.table();
        let number = table.intern(key);
        self.count = table.count;
        number - 1
    }

    /// Appends the numbers of keys.
    #[inline(always)]
    pub fn intern_all(&mut self, keys: impl ExactSizeIterator<Item = K>, numbers: &mut Vec<u32>) {
        self.reserve(keys.len());
        let known = numbers.len();
        numbers.resize(known + keys.len(), 0);
        let mut table = self.table();
        for (number, key) in numbers[known..].iter_mut().zip(keys) {
            *number = table.intern(key).wrapping_sub(1);
        }
        self.count = table.count;
    }

    /// The keys as they are looked up.
    #[inline(always)]
    pub(crate) fn table(&mut self) -> Table<'_, K> {
        let Self { slots, keys, count, seeds } = self;
        Table { mask: slots.len() - 1, slots, keys, count: *count, seeds: *seeds }
    }
}

/// An interner while keys are looked up: what the compiler can keep in registers. Numbers are those plus one.
pub(crate) struct Table<'a, K> {
    slots: &'a mut [u32],
    mask: usize,
    keys: &'a mut [K],
    count: u32,
    seeds: [u64; 2],
}

impl<K: Key> Table<'_, K> {
    /// The number of a key, the next free one if the key is new.
    ///
    /// Every other token of a text is new, and no processor predicts which: there is no branch on it.
    #[inline(always)]
    pub fn intern(&mut self, key: K) -> u32 {
        let at = self.seek(key);
        let known = self.slots[at];
        let is_new = known == 0;
        let number = select_unpredictable(is_new, self.count.wrapping_add(1), known);
        self.slots[at] = number;
        self.keys[number as usize] = key;
        self.count = self.count.wrapping_add(u32::from(is_new));
        number
    }

    /// The number of a key, 0 if it has none.
    #[inline(always)]
    pub fn find(&mut self, key: K) -> u32 {
        let at = self.seek(key);
        self.slots[at]
    }

    /// The slot of a key, or the free one where it would be.
    #[inline(always)]
    fn seek(&mut self, key: K) -> usize {
        let mut at = key.hash(self.seeds) as usize & self.mask;
        self.keys[0] = key;
        while self.keys[self.slots[at] as usize] != key {
            at = at.wrapping_add(1) & self.mask;
        }
        at
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
