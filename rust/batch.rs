//! The batch: many rows, one kernel, a few threads that end with the call.
//!
//! A kernel is built once from checked options and then sees one row after the other. Rows are handed out in small
//! runs from a shared counter, so that a few long rows do not starve a thread, and results are written in row
//! order. There is no global pool: nothing survives the call, which is what makes a fork afterwards safe.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many integers a kernel may report for a row (BLEU needs all six).
pub const STATS: usize = 6;

/// Rows a thread takes at a time: large enough to make the counter's cost vanish, small enough to balance long rows.
const RUN: usize = 64;

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

/// One grader's inner loop. `Input` is what it sees of a row: usually a text, or a pair of texts.
pub trait Kernel<Input: ?Sized>: Sync {
    /// Buffers that one thread reuses from row to row. Nothing that it holds may influence a verdict.
    type Scratch: Default;

    /// Grades one row.
    fn grade(&self, input: &Input, scratch: &mut Self::Scratch) -> Row;
}

/// Grades every input, in order, on at most `threads` threads. Ends early, with what it has, once `stop` is set.
///
/// A row on which the kernel panics, which is a bug of the kernel, is an internal error; the other rows are graded.
pub fn run<Input, K>(kernel: &K, inputs: &[Input], threads: usize, stop: &AtomicBool) -> Vec<Row>
where
    Input: Sync,
    K: Kernel<Input>,
{
    let threads = threads.clamp(1, inputs.len().div_ceil(RUN).max(1));
    if threads == 1 {
        let mut scratch = K::Scratch::default();
        return inputs
            .iter()
            .take_while(|_| !stop.load(Ordering::Relaxed))
            .map(|input| guarded(kernel, input, &mut scratch))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut scratch = K::Scratch::default();
        let mut runs = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let start = next.fetch_add(RUN, Ordering::Relaxed);
            if start >= inputs.len() {
                break;
            }
            let end = (start + RUN).min(inputs.len());
            let rows: Vec<Row> =
                inputs[start..end].iter().map(|input| guarded(kernel, input, &mut scratch)).collect();
            runs.push((start, rows));
        }
        runs
    };
    let mut runs: Vec<(usize, Vec<Row>)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mut runs = worker();
        for handle in handles {
            match handle.join() {
                Ok(more) => runs.extend(more),
                // Not a kernel's panic, those are caught a row at a time: the batch would have a hole.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        runs
    });
    runs.sort_unstable_by_key(|(start, _)| *start);
    runs.into_iter().flat_map(|(_, rows)| rows).collect()
}

/// Grades one row and turns a panic into its verdict. The scratch is thrown away then: it may be half written.
fn guarded<Input, K: Kernel<Input>>(kernel: &K, input: &Input, scratch: &mut K::Scratch) -> Row {
    let attempt = catch_unwind(AssertUnwindSafe(|| kernel.grade(input, scratch)));
    attempt.unwrap_or_else(|_| {
        *scratch = K::Scratch::default();
        Row::plain(Code::InternalError)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fragile;

    impl Kernel<u32> for Fragile {
        type Scratch = Vec<u32>;

        fn grade(&self, input: &u32, scratch: &mut Vec<u32>) -> Row {
            scratch.push(*input);
            assert!(*input != 13, "unlucky");
            let seen = scratch.len();
            scratch.clear();
            Row { stats: [u32::try_from(seen).unwrap(), 0, 0, 0, 0, 0], ..Row::plain(Code::Ok) }
        }
    }

    #[test]
    fn a_panic_is_the_verdict_of_its_row_alone() {
        let go = AtomicBool::new(false);
        for threads in [1, 2] {
            let inputs: Vec<u32> = (0..200).collect();
            let rows = run(&Fragile, &inputs, threads, &go);
            let broken: Vec<_> = rows.iter().filter(|row| row.code == Code::InternalError).collect();
            assert_eq!((rows.len(), broken.len()), (200, 1));
            assert_eq!((rows[13].code, rows[13].score), (Code::InternalError, 0.0));
            assert!(rows.iter().all(|row| row.code == Code::InternalError || row.stats[0] == 1));
        }
    }

    struct Double;

    impl Kernel<u32> for Double {
        type Scratch = ();

        fn grade(&self, input: &u32, (): &mut ()) -> Row {
            Row::scored(f64::from(*input) * 2.0, 0.0, [*input, 0, 0, 0, 0, 0])
        }
    }

    #[test]
    fn order_and_answers_do_not_depend_on_threads() {
        let go = AtomicBool::new(false);
        for count in [0, 1, RUN - 1, RUN, RUN + 1, 10 * RUN + 7] {
            let inputs: Vec<u32> = (0..u32::try_from(count).unwrap()).collect();
            let single = run(&Double, &inputs, 1, &go);
            assert_eq!(single.len(), count);
            assert!(single.iter().zip(&inputs).all(|(row, input)| row.stats[0] == *input));
            for threads in [2, 3, 8] {
                assert_eq!(run(&Double, &inputs, threads, &go), single);
            }
        }
    }

    #[test]
    fn a_stop_ends_the_batch() {
        let stop = AtomicBool::new(true);
        assert!(run(&Double, &[1, 2, 3], 1, &stop).is_empty());
        assert!(run(&Double, &vec![1; 1000], 2, &stop).is_empty());
    }

    #[test]
    fn every_code_has_its_name() {
        assert_eq!(Code::NAMES[Code::PiiFound as usize], "pii_found");
        assert_eq!(Code::NAMES[Code::OverCap as usize], "over_cap");
        assert_eq!(Code::NAMES[Code::InternalError as usize], "internal_error");
        assert_eq!(Code::NAMES.len(), Code::InternalError as usize + 1);
    }
}
