//! Whether Levenshtein distances are within a limit, 64 cells of the table and several texts at a time.
//!
//! The bit-parallel form of Myers (1999) in the diagonal version of Hyyrö (2003): two bits a cell tell how a column of
//! the dynamic programme steps there, up or down, and some fifteen instructions lead to the next column. Only the
//! diagonals are kept on which a path within the limit can lie: a window of rows that moves down by one from column
//! to column, one word for most sentences. What lies outside is taken as too high, never as too low, so a value
//! within the limit is exact. The value on the diagonal that ends in the last cell never falls; once it exceeds the
//! limit, the comparison ends.
//!
//! One pattern is compared with several texts at once. Their columns do not wait for each other, as the steps of a
//! single one do, and the compiler puts them into vector registers.
//!
//! Cost: |text| * (limit / 64 + 1) steps at most, and memory for the alphabet times |pattern| / 64 words: symbols are
//! small numbers, as `context` gives them. Two texts of 8192 symbols take a few milliseconds.

use std::array::from_fn;

/// Bits of a word of the window.
const WORD: usize = 64;

/// Columns between two looks at the values: a look costs about as much as a column.
const STRETCH: usize = 8;

/// A text prepared for being compared with others.
#[derive(Default)]
pub struct Pattern {
    length: usize,
    /// By word, and in it by symbol: the places where the symbol stands. An empty word comes first, and one last.
    places: Vec<Vec<u64>>,
}

impl Pattern {
    /// Prepares `symbols` for texts whose symbols are all below `alphabet`, as its own must be.
    #[inline(always)]
    pub fn set(&mut self, symbols: &[u32], alphabet: usize) {
        self.length = symbols.len();
        self.places.resize_with(symbols.len().div_ceil(WORD) + 2, Vec::new);
        for word in &mut self.places {
            word.clear();
            word.resize(alphabet, 0);
        }
        for (symbols, word) in symbols.chunks(WORD).zip(&mut self.places[1..]) {
            for (place, symbol) in symbols.iter().enumerate() {
                word[*symbol as usize] |= 1 << place;
            }
        }
    }

    /// For each text, whether its distance is at most its limit.
    #[must_use]
    #[inline(always)]
    pub fn are_within<const TEXTS: usize>(
        &self,
        texts: [&[u32]; TEXTS],
        limits: [usize; TEXTS],
    ) -> [bool; TEXTS] {
        let lengths = texts.map(<[u32]>::len);
        let mut open = from_fn(|text| self.length.abs_diff(lengths[text]) <= limits[text]);
        let mut within = [false; TEXTS];
        let mut window = Window::new(self.length, lengths, limits, open);
        let mut place = 0;
        loop {
            for text in 0..TEXTS {
                if open[text] {
                    let is_within = window.value(text, self.length, lengths[text]) <= limits[text];
                    let is_last = place == lengths[text];
                    within[text] = is_last && is_within;
                    open[text] = !is_last && is_within;
                }
            }
            let Some(end) = (0..TEXTS).filter(|text| open[*text]).map(|text| lengths[text]).min() else {
                return within;
            };
            let stop = end.min(place + STRETCH);
            for place in place..stop {
                let symbols = texts.map(|text| text.get(place).copied().unwrap_or(0));
                window.advance(self, place, symbols);
            }
            place = stop;
        }
    }
}

/// The rows of a column that matter, for each text.
struct Window<const TEXTS: usize> {
    /// From row to row.
    steps: Vec<Steps<TEXTS>>,
    /// The value in the row above.
    top: [u64; TEXTS],
    /// Rows of the window before the one that the first symbol of the pattern has in the first column.
    above: usize,
}

impl<const TEXTS: usize> Window<TEXTS> {
    /// The window before the first column.
    ///
    /// A path within the limit goes no further down from the main diagonal than it can come back up to the last cell,
    /// and the other way round. Rows before the first have the value of the column: there is no step between them.
    #[inline(always)]
    fn new(pattern: usize, lengths: [usize; TEXTS], limits: [usize; TEXTS], open: [bool; TEXTS]) -> Self {
        let [mut above, mut below] = [0, 0];
        for text in (0..TEXTS).filter(|text| open[*text]) {
            let limit = limits[text].min(pattern.max(lengths[text]));
            above = above.max((limit + lengths[text] - pattern) / 2);
            below = below.max((limit + pattern - lengths[text]) / 2);
        }
        let words = (above + below + 1).div_ceil(WORD);
        let steps = (0..words)
            .map(|word| match above.saturating_sub(word * WORD) {
                rows @ 0..WORD => Steps { up: [u64::MAX << rows; TEXTS], down: [0; TEXTS] },
                _ => Steps { up: [0; TEXTS], down: [0; TEXTS] },
            })
            .collect();
        Self { steps, top: [0; TEXTS], above }
    }

    /// The value on the diagonal that ends in the last cell.
    #[inline(always)]
    fn value(&self, text: usize, pattern: usize, length: usize) -> usize {
        let mut value = self.top[text] as usize;
        let mut down = 0;
        let mut rows = self.above + pattern - length;
        for steps in &self.steps {
            let kept = if rows < WORD { (1 << rows) - 1 } else { u64::MAX };
            value += (steps.up[text] & kept).count_ones() as usize;
            down += (steps.down[text] & kept).count_ones() as usize;
            rows = rows.saturating_sub(WORD);
        }
        value - down
    }

    /// Goes to the next column, that of the symbol at `place` of each text, and down by one row.
    #[inline(always)]
    fn advance(&mut self, pattern: &Pattern, place: usize, symbols: [u32; TEXTS]) {
        // Words with nothing but rows before the first or after the last need no work.
        let first = self.above.saturating_sub(place + 1) / WORD;
        let last = (pattern.length + self.above).saturating_sub(place + 1) / WORD;
        let last = last.min(self.steps.len() - 1);
        let offset = WORD * (first + 1) + place - self.above;
        let shift = offset % WORD;
        let words = &mut self.steps[first..=last];
        let places = &pattern.places[offset / WORD..][..words.len() + 1];
        let mut above = Steps::RAISED;
        let mut level_at_top = [0; TEXTS];
        for word in 0..words.len() {
            let [low, high] = [&places[word], &places[word + 1]];
            let matches = symbols.map(|symbol| {
                low[symbol as usize] >> shift | high[symbol as usize] << 1 << (WORD - 1 - shift)
            });
            let (across, level) = words[word].advance(matches, above);
            above = across.of_last_row();
            if word > 0 {
                words[word - 1] = words[word - 1].moved_down(words[word]);
            } else if first == 0 {
                level_at_top = level;
            }
        }
        if let Some(last) = words.last_mut() {
            *last = last.moved_down(Steps::RISING);
        }
        self.top = from_fn(|text| self.top[text].wrapping_add(!level_at_top[text] & 1));
    }
}

/// Steps of -1, 0 or 1 between neighbouring cells of 64 rows: the rows with a step up, and those with a step down.
#[derive(Clone, Copy)]
struct Steps<const TEXTS: usize> {
    up: [u64; TEXTS],
    down: [u64; TEXTS],
}

impl<const TEXTS: usize> Steps<TEXTS> {
    /// What is assumed of the row above the window: a step up from column to column.
    const RAISED: Self = Self { up: [1; TEXTS], down: [0; TEXTS] };

    /// What is assumed of the rows below the window: steps up from row to row.
    const RISING: Self = Self { up: [u64::MAX; TEXTS], down: [0; TEXTS] };

    /// Takes steps from row to row to the next column, in which `matches` marks the rows that match.
    ///
    /// `above` is the step of the row above to that column. Returns the steps of the rows to it, and the rows whose
    /// value is that of the row above in the column before.
    #[inline(always)]
    fn advance(&mut self, matches: [u64; TEXTS], above: Self) -> (Self, [u64; TEXTS]) {
        let mut across = Self::RAISED;
        let mut level = matches;
        for text in 0..TEXTS {
            let [up, down] = [self.up[text], self.down[text]];
            let equal = matches[text] | above.down[text];
            level[text] = ((equal & up).wrapping_add(up) ^ up) | equal | down;
            across.up[text] = down | !(level[text] | up);
            across.down[text] = level[text] & up;
            let above_up = across.up[text] << 1 | above.up[text];
            let above_down = across.down[text] << 1 | above.down[text];
            self.up[text] = above_down | !(level[text] | above_up);
            self.down[text] = above_up & level[text];
        }
        (across, level)
    }

    /// The step of the last row, as the step above the next word.
    #[inline(always)]
    fn of_last_row(self) -> Self {
        let last = |bits: [u64; TEXTS]| bits.map(|bits| bits >> (WORD - 1));
        Self { up: last(self.up), down: last(self.down) }
    }

    /// The steps of the rows from the second on, and of the first of the word below.
    #[inline(always)]
    fn moved_down(self, below: Self) -> Self {
        let mut moved = self;
        for text in 0..TEXTS {
            moved.up[text] = self.up[text] >> 1 | below.up[text] << (WORD - 1);
            moved.down[text] = self.down[text] >> 1 | below.down[text] << (WORD - 1);
        }
        moved
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The whole table, cell by cell.
    pub(crate) fn distance_plainly(a: &[u32], b: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (place, symbol) in a.iter().enumerate() {
            let mut diagonal = place;
            row[0] = place + 1;
            for (other, replacement) in b.iter().zip(1..) {
                let above = row[replacement];
                let replaced = diagonal + usize::from(symbol != other);
                row[replacement] = replaced.min(above + 1).min(row[replacement - 1] + 1);
                diagonal = above;
            }
        }
        row[b.len()]
    }

    /// Compares `a` with every text at every limit round its distance, alone and beside the others.
    fn assert_limits(pattern: &mut Pattern, a: &[u32], texts: [&[u32]; 4]) {
        pattern.set(a, 300);
        let distances = texts.map(|text| distance_plainly(a, text));
        let longest = texts.map(|text| text.len().max(a.len()));
        for (text, distance) in texts.iter().zip(distances) {
            for limit in [
                0,
                distance / 2,
                distance.saturating_sub(1),
                distance,
                distance + 1,
                2 * distance,
                usize::MAX,
            ] {
                assert_eq!(
                    pattern.are_within([*text], [limit]),
                    [distance <= limit],
                    "{a:?} {text:?} {limit}"
                );
            }
        }
        for limits in
            [[0; 4], distances, distances.map(|d| d.saturating_sub(1)), distances.map(|d| d + 1), longest]
        {
            let expected = from_fn(|text| distances[text] <= limits[text]);
            assert_eq!(pattern.are_within(texts, limits), expected, "{a:?} {texts:?} {limits:?}");
        }
        let mixed = from_fn(|text| (distances[text] + text % 2).saturating_sub(text / 2));
        let expected = from_fn(|text| distances[text] <= mixed[text]);
        assert_eq!(pattern.are_within(texts, mixed), expected, "{a:?} {texts:?} {mixed:?}");
    }

    #[test]
    fn named_cases() {
        let kitten: &[u32] = &[107, 105, 116, 116, 101, 110];
        let sitting: &[u32] = &[115, 105, 116, 116, 105, 110, 103];
        assert_eq!(distance_plainly(kitten, sitting), 3);
        let texts: [&[u32]; 5] = [&[], &[1], kitten, sitting, &[105, 116]];
        let mut pattern = Pattern::default();
        for a in texts {
            for start in 0..texts.len() {
                assert_limits(&mut pattern, a, from_fn(|text| texts[(start + text) % texts.len()]));
            }
        }
    }

    #[test]
    fn words_join_without_a_seam() {
        let mut pattern = Pattern::default();
        for length in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 300] {
            let a: Vec<u32> = (0..length).map(|place| place * place % 11).collect();
            let inserted: Vec<u32> = [7, 7].into_iter().chain(a.iter().copied()).collect();
            let replaced: Vec<u32> =
                a.iter().zip(0..).map(|(symbol, place)| symbol + u32::from(place % 5 == 3)).collect();
            let other: Vec<u32> = (0..length + 9).map(|place| place * 7 % 13).collect();
            assert_limits(&mut pattern, &a, [&inserted, &replaced, &other, &a[a.len() / 3..]]);
            assert_limits(&mut pattern, &other, [&a, &a, &replaced, &inserted]);
        }
    }

    proptest! {
        #[test]
        fn limits_hold_as_with_the_plain_table(
            a in proptest::collection::vec(0u32..4, 0..150),
            texts in proptest::array::uniform4(proptest::collection::vec(0u32..5, 0..150)),
        ) {
            assert_limits(&mut Pattern::default(), &a, from_fn(|text| texts[text].as_slice()));
        }

        #[test]
        fn few_changes_are_found(
            a in proptest::collection::vec(0u32..20, 60..200),
            changes in proptest::array::uniform4(proptest::collection::vec((0usize..200, 0u32..3, 0u32..20), 0..12)),
        ) {
            let texts = changes.map(|changes| {
                let mut text = a.clone();
                for (place, change, symbol) in changes {
                    let place = place % text.len();
                    match change {
                        0 => text[place] = symbol,
                        1 => text.insert(place, symbol),
                        _ => drop(text.remove(place)),
                    }
                }
                text
            });
            assert_limits(&mut Pattern::default(), &a, from_fn(|text| texts[text].as_slice()));
        }
    }
}
