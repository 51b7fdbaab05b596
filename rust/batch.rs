//! What a kernel is, and what it says of a row.
//!
//! A kernel is built once from checked options and then sees one row after the other. `set` gives it the rows of a
//! batch, `threads` shares them out.

/// How many integers a kernel may report for a row (BLEU needs all six).
pub const STATS: usize = 6;

/// Why a kernel decided as it did. The names are those of `gradestone/codes.py`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// Everything that the grader asks for holds.
    Ok,
    /// Not a verdict: a cell of the row is no text, so the caller has to look at it.
    NotText,
    /// Not a verdict: the row needs the slow pattern engine (its text holds a lone surrogate).
    NeedsEngine,
    /// The score is under the threshold.
    BelowThreshold,
    /// The candidate holds nothing to score.
    EmptyCandidate,
    /// The reference holds nothing to compare with.
    EmptyReference,
    /// Every retrieved context is empty.
    EmptyRetrieved,
    /// Every expected context is empty.
    EmptyExpected,
    /// An input exceeds a cap of `limits`.
    OverCap,
    /// The candidate is not the expected value.
    Mismatch,
    /// A required fragment is absent.
    MissingFragment,
    /// A forbidden fragment is present.
    ForbiddenFragment,
    /// The pattern matches nowhere.
    NoMatch,
    /// The forbidden pattern matches.
    ForbiddenMatch,
    /// A blocked term is present.
    BlockedTerm,
    /// Personal data was found.
    PiiFound,
    /// The kernel itself panicked on the row.
    InternalError,
}

impl Code {
    /// The slug of each code, in the order of their numbers.
    pub const NAMES: [&'static str; 17] = [
        "ok",
        "not_text",
        "needs_engine",
        "below_threshold",
        "empty_candidate",
        "empty_reference",
        "empty_retrieved",
        "empty_expected",
        "over_cap",
        "mismatch",
        "missing_fragment",
        "forbidden_fragment",
        "no_match",
        "forbidden_match",
        "blocked_term",
        "pii_found",
        "internal_error",
    ];
}

/// What a kernel says about one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The cause of the verdict.
    pub code: Code,
    /// 0..1, unrounded; 1.0 or 0.0 where the grader is not scored, 0.0 where nothing could be scored.
    pub score: f64,
    /// The kernel's integers; which is which is documented with each kernel. All zero where nothing was scored.
    pub stats: [u32; STATS],
    /// Indices into the kernel's list (fragments, terms, kinds), ascending, for the kernels that report hits.
    pub hits: Vec<u32>,
}

impl Row {
    /// A verdict without figures: 1.0 when it passes, else 0.0.
    #[must_use]
    pub fn plain(code: Code) -> Self {
        let score = if code == Code::Ok { 1.0 } else { 0.0 };
        Self { code, score, stats: [0; STATS], hits: Vec::new() }
    }

    /// A scored verdict: passes when the score reaches the threshold, compared on the double.
    #[must_use]
    pub fn scored(score: f64, threshold: f64, stats: [u32; STATS]) -> Self {
        let code = if score >= threshold { Code::Ok } else { Code::BelowThreshold };
        Self { code, score, stats, hits: Vec::new() }
    }
}

/// The hits of the rows of a batch, most of which have none.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// The rows that have hits, in order, and where the hits of each end.
    rows: Vec<(usize, usize)>,
    hits: Vec<u32>,
}

impl Hits {
    /// Adds those of a row, which comes after all rows that were added.
    pub fn add(&mut self, row: usize, hits: &[u32]) {
        if !hits.is_empty() {
            self.hits.extend_from_slice(hits);
            self.rows.push((row, self.hits.len()));
        }
    }

    /// Those of a row.
    #[must_use]
    pub fn of(&self, row: usize) -> &[u32] {
        let Ok(place) = self.rows.binary_search_by_key(&row, |(row, _)| *row) else {
            return &[];
        };
        let start = place.checked_sub(1).map_or(0, |before| self.rows[before].1);
        &self.hits[start..self.rows[place].1]
    }
}

/// One grader's inner loop. `Input` is what it sees of a row: usually a text, or a pair of texts.
pub trait Kernel<Input: ?Sized>: Sync {
    /// Buffers that one thread reuses from row to row. Nothing that it holds may influence a verdict.
    type Scratch: Default;

    /// Grades one row.
    fn grade(&self, input: &Input, scratch: &mut Self::Scratch) -> Row;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_own_hits() {
        let mut hits = Hits::default();
        for (row, of) in [(1, &[4, 7][..]), (2, &[]), (5, &[0])] {
            hits.add(row, of);
        }
        let found: Vec<&[u32]> = (0..7).map(|row| hits.of(row)).collect();
        assert_eq!(found, [&[][..], &[4, 7], &[], &[], &[], &[0], &[]]);
    }

    #[test]
    fn every_code_has_its_name() {
        assert_eq!(Code::NAMES[Code::PiiFound as usize], "pii_found");
        assert_eq!(Code::NAMES[Code::OverCap as usize], "over_cap");
        assert_eq!(Code::NAMES[Code::InternalError as usize], "internal_error");
        assert_eq!(Code::NAMES.len(), Code::InternalError as usize + 1);
    }
}
