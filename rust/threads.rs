//! Work shared among a few threads that end with the call, its results in order.
//!
//! Runs of rows are handed out from a shared counter; a run shrinks as the work does, so that a few long rows do not
//! keep the others waiting. There is no global pool: nothing survives the call, which is what makes a fork safe.
//! The calling thread works too, and asks now and then whether to go on (Ctrl-C); a stop reaches every thread at its
//! next row.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Rows that a thread takes at most: enough to make the counter's cost vanish.
const RUN: usize = 64;

/// Every thread's share of what is left is cut in so many runs.
const RUNS_A_THREAD: usize = 4;

/// Bytes of work, roughly a microsecond a kilobyte and more, after which the clock is looked at.
const GLANCE: usize = 4096;

/// What a row costs beside its bytes.
const ROW: usize = 256;

/// How long the calling thread works before it asks whether to go on.
const PATIENCE: Duration = Duration::from_millis(25);

/// Tells whether to go on: asked by the calling thread alone.
pub type Poll<'a> = &'a mut (dyn FnMut() -> bool + Send);

/// When the calling thread asked last. Kept from one piece of work to the next.
#[derive(Debug)]
pub struct Clock(Instant);

impl Default for Clock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock {
    fn has_run_out(&mut self) -> bool {
        if self.0.elapsed() < PATIENCE {
            return false;
        }
        self.0 = Instant::now();
        true
    }
}

/// What a thread asks before each row.
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    asks: Option<(&'a mut Clock, Poll<'a>)>,
    spent: usize,
}

impl<'a> Watch<'a> {
    /// The watch of a thread that only sees whether another one stopped the work.
    #[must_use]
    pub fn follower(stop: &'a AtomicBool) -> Self {
        Self { stop, asks: None, spent: 0 }
    }

    /// The watch of the calling thread, which asks `poll` now and then.
    #[must_use]
    pub fn leader(stop: &'a AtomicBool, clock: &'a mut Clock, poll: Poll<'a>) -> Self {
        Self { stop, asks: Some((clock, poll)), spent: 0 }
    }

    /// Whether the next row, of about `bytes`, is to be worked on.
    pub fn goes_on(&mut self, bytes: usize) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let Some((clock, poll)) = &mut self.asks else { return true };
        self.spent += ROW + bytes;
        if self.spent < GLANCE {
            return true;
        }
        self.spent = 0;
        if !clock.has_run_out() || poll() {
            return true;
        }
        self.stop.store(true, Ordering::Relaxed);
        false
    }
}

/// Shares `count` rows among as many threads as there are scratches, the calling one among them.
///
/// `work` gets a run of rows and its thread's own scratch, and must ask its watch before each row. `beside` runs in
/// the calling thread while the others are at work already; `lead` runs the job that it is given, in which the
/// calling thread works too and waits for the others. Returns what `work` gave, in the order of the rows, and what
/// `beside` gave.
pub fn share<S, T, B, W, F, L>(
    count: usize,
    scratches: &mut [S],
    stop: &AtomicBool,
    work: W,
    beside: F,
    lead: L,
) -> (Vec<T>, B)
where
    S: Send,
    T: Send,
    W: Fn(Range<usize>, &mut S, &mut Watch<'_>) -> T + Sync,
    F: FnOnce() -> B,
    L: FnOnce(&mut (dyn FnMut(&mut Watch<'_>) + Send)),
{
    let next = AtomicUsize::new(0);
    let threads = scratches.len();
    let labour = |scratch: &mut S, watch: &mut Watch<'_>| {
        let mut runs = Vec::new();
        while let Some(run) = take(&next, count, threads) {
            runs.push((run.start, work(run, scratch, watch)));
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        runs
    };
    let (first, others) = scratches.split_first_mut().expect("a scratch for the calling thread");
    let mut runs = Vec::new();
    let beside = std::thread::scope(|scope| {
        let helpers = others.iter_mut().take(count.saturating_sub(1));
        let mut handles: Vec<_> =
            helpers.map(|scratch| scope.spawn(|| labour(scratch, &mut Watch::follower(stop)))).collect();
        let beside = beside();
        lead(&mut |watch| {
            runs = labour(first, watch);
            for handle in handles.drain(..) {
                match handle.join() {
                    Ok(more) => runs.extend(more),
                    // Not a kernel's panic, those are caught a row at a time: the batch would have a hole.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        beside
    });
    runs.sort_unstable_by_key(|(start, _)| *start);
    (runs.into_iter().map(|(_, result)| result).collect(), beside)
}

fn take(next: &AtomicUsize, count: usize, threads: usize) -> Option<Range<usize>> {
    let share = |start: usize| ((count - start) / (threads * RUNS_A_THREAD)).clamp(1, RUN);
    let end = |start: usize| (start < count).then(|| start + share(start));
    let start = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end).ok()?;
    Some(start..start + share(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(count: usize, threads: usize, stop: &AtomicBool, poll: Poll<'_>) -> Vec<usize> {
        let mut clock = Clock::default();
        let work = |rows: Range<usize>, seen: &mut usize, watch: &mut Watch<'_>| {
            let square = |row| watch.goes_on(1 << 20).then(|| row * row);
            let squares: Vec<usize> = rows.map_while(square).collect();
            *seen += squares.len();
            squares
        };
        let mut scratches = vec![0; threads];
        let (runs, beside) = share(
            count,
            &mut scratches,
            stop,
            work,
            || "beside",
            |job| {
                job(&mut Watch::leader(stop, &mut clock, poll));
            },
        );
        assert_eq!(beside, "beside");
        assert_eq!(scratches.iter().sum::<usize>(), runs.concat().len());
        runs.concat()
    }

    #[test]
    fn order_does_not_depend_on_threads() {
        for count in [0, 1, 2, RUN - 1, RUN, RUN + 1, 10 * RUN + 7] {
            let expected: Vec<usize> = (0..count).map(|row| row * row).collect();
            for threads in [1, 2, 3, 8] {
                let found = squares(count, threads, &AtomicBool::new(false), &mut || true);
                assert_eq!(found, expected, "{count} rows, {threads} threads");
            }
        }
    }

    #[test]
    fn a_stop_ends_the_work() {
        for threads in [1, 2] {
            assert!(squares(1000, threads, &AtomicBool::new(true), &mut || true).is_empty());
        }
    }

    #[test]
    fn the_calling_thread_asks_and_stops_all() {
        let mut asked = 0;
        let stop = AtomicBool::new(false);
        let mut clock = Clock(Instant::now() - 2 * PATIENCE);
        let mut poll = || {
            asked += 1;
            false
        };
        let mut watch = Watch::leader(&stop, &mut clock, &mut poll);
        assert!(watch.goes_on(0), "a short row is not worth a look at the clock");
        assert!(!watch.goes_on(GLANCE));
        assert!(!watch.goes_on(0));
        assert!(!Watch::follower(&stop).goes_on(0));
        assert_eq!(asked, 1);
    }

    #[test]
    fn runs_shrink_towards_the_end() {
        let next = AtomicUsize::new(0);
        let runs: Vec<usize> = std::iter::from_fn(|| take(&next, 100, 2)).map(|run| run.len()).collect();
        assert_eq!(runs.iter().sum::<usize>(), 100);
        assert_eq!((runs[0], *runs.last().unwrap()), (12, 1));
        assert!(runs.windows(2).all(|pair| pair[0] >= pair[1]));
    }
}
