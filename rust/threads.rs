//! Work shared among a few threads that end with the call, its results in order.
//!
//! Chunks of rows are pushed by the calling thread while the others are at work on those before, so that nobody waits
//! for a chunk to be made: waking a thread may take as long as grading hundreds of rows. Of a chunk, runs of rows are
//! handed out from a shared counter; a run shrinks as the work does, so that a few long rows do not keep the others
//! waiting. There is no global pool: nothing survives the call, which is what makes a fork safe. The calling thread
//! works too, and asks now and then whether to go on (Ctrl-C); a stop reaches every thread at its next row. Where a row
//! may take long the calling thread only asks, so that the user waits for one such row and not for two.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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

/// How long a thread that has nothing to do waits before it looks round.
const NAP: Duration = Duration::from_millis(10);

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
    fn has_run_out(&mut self, patience: Duration) -> bool {
        if self.0.elapsed() < patience {
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
        if self.asks.is_none() {
            return true;
        }
        self.spent += ROW + bytes;
        if self.spent < GLANCE {
            return true;
        }
        self.spent = 0;
        self.ask(PATIENCE)
    }

    /// Asks whether to go on, unless it is not that long since the last time.
    fn ask(&mut self, patience: Duration) -> bool {
        let Some((clock, poll)) = &mut self.asks else { return true };
        if !clock.has_run_out(patience) || poll() {
            return true;
        }
        self.stop.store(true, Ordering::Relaxed);
        false
    }
}

/// Some rows that are worked on: what they are, which of them are still to be handed out, and what came of the others.
struct Piece<C, T> {
    chunk: C,
    rows: usize,
    next: AtomicUsize,
    /// Apart from the piece, which a thread lets go before it reports.
    results: Arc<Mutex<Results<T>>>,
}

/// Rows of a piece, for one thread.
type Run<C, T> = (Arc<Piece<C, T>>, Range<usize>);

struct Results<T> {
    /// The rows that no run has ended with so far.
    missing: usize,
    /// The first row of each run, and what came of it.
    runs: Vec<(usize, T)>,
}

impl<T> Results<T> {
    fn of(rows: usize) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self { missing: rows, runs: Vec::new() }))
    }
}

impl<C, T> Piece<C, T> {
    /// The next run of rows, if there are any left.
    fn take(&self, threads: usize) -> Option<Range<usize>> {
        let share = |start: usize| ((self.rows - start) / (threads * RUNS_A_THREAD)).clamp(1, RUN);
        let end = |start: usize| (start < self.rows).then(|| start + share(start));
        let start = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end).ok()?;
        Some(start..start + share(start))
    }

    fn results(&self) -> MutexGuard<'_, Results<T>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_more(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.rows
    }

    fn is_done(&self) -> bool {
        self.results().missing == 0
    }
}

/// The pieces that threads work on, in order, and how they wait for more.
struct Queue<C, T> {
    pieces: VecDeque<Arc<Piece<C, T>>>,
    is_closed: bool,
}

/// Threads at work on chunks of rows that are pushed one after the other.
pub struct Crew<'a, C, T> {
    queue: Mutex<Queue<C, T>>,
    /// Told of every change: a new piece, a run that is done, the end.
    changed: Condvar,
    stop: &'a AtomicBool,
    threads: usize,
    /// Whether the calling thread leaves the work to the others.
    only_leads: AtomicBool,
}

impl<C, T> Crew<'_, C, T> {
    fn queue(&self) -> MutexGuard<'_, Queue<C, T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a chunk of so many rows.
    pub fn push(&self, chunk: C, rows: usize) {
        let piece = Piece { chunk, rows, next: AtomicUsize::new(0), results: Results::of(rows) };
        self.queue().pieces.push_back(Arc::new(piece));
        self.changed.notify_all();
    }

    /// How many chunks were pushed and not popped.
    pub fn pending(&self) -> usize {
        self.queue().pieces.len()
    }

    /// What came of the first chunk, in the order of its rows, once `finish_first` saw it done.
    pub fn pop(&self) -> Option<Vec<T>> {
        let piece = self.queue().pieces.pop_front()?;
        let mut runs = std::mem::take(&mut piece.results().runs);
        runs.sort_unstable_by_key(|(start, _)| *start);
        Some(runs.into_iter().map(|(_, result)| result).collect())
    }

    /// Works until the first chunk is done, or the work is stopped.
    pub fn finish_first<S, W>(&self, scratch: &mut S, watch: &mut Watch<'_>, work: &W)
    where
        W: Fn(&C, Range<usize>, &mut S, &mut Watch<'_>) -> T,
    {
        loop {
            let first = self.queue().pieces.front().cloned();
            let is_done = first.is_none_or(|first| first.is_done());
            if is_done || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let task = if self.only_leads.load(Ordering::Relaxed) { None } else { self.take() };
            match task {
                Some(task) => self.run(task, scratch, watch, work),
                None => {
                    self.wait(|queue| queue.pieces.front().is_none_or(|first| first.is_done()));
                    // Whatever the others are at may take long: who waits for them hears the user all the same.
                    watch.ask(NAP);
                }
            }
        }
    }

    /// Works until there will be no more chunks.
    fn follow<S, W>(&self, scratch: &mut S, work: &W)
    where
        W: Fn(&C, Range<usize>, &mut S, &mut Watch<'_>) -> T,
    {
        let mut watch = Watch::follower(self.stop);
        while !self.stop.load(Ordering::Relaxed) {
            match self.take() {
                Some(task) => self.run(task, scratch, &mut watch, work),
                None if self.queue().is_closed => return,
                None => {
                    self.wait(|queue| queue.is_closed || queue.pieces.iter().any(|piece| piece.has_more()))
                }
            }
        }
    }

    fn take(&self) -> Option<Run<C, T>> {
        let queue = self.queue();
        queue.pieces.iter().find_map(|piece| piece.take(self.threads).map(|rows| (Arc::clone(piece), rows)))
    }

    fn run<S, W>(&self, (piece, rows): Run<C, T>, scratch: &mut S, watch: &mut Watch<'_>, work: &W)
    where
        W: Fn(&C, Range<usize>, &mut S, &mut Watch<'_>) -> T,
    {
        let alarm = Alarm(self.stop);
        let result = work(&piece.chunk, rows.clone(), scratch, watch);
        drop(alarm);
        let results = Arc::clone(&piece.results);
        // Before anybody hears that the piece is done: its chunk then ends with whoever pops it, and never here. What
        // a chunk borrows from the interpreter is given back under the interpreter's lock alone.
        drop(piece);
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        results.missing -= rows.len();
        results.runs.push((rows.start, result));
        let is_done = results.missing == 0;
        drop(results);
        if is_done || self.stop.load(Ordering::Relaxed) {
            // Under the lock, so that nobody who has just looked goes to sleep without having heard of it.
            let _queue = self.queue();
            self.changed.notify_all();
        }
    }

    /// Waits until `is_so` or the work is stopped. A change that nobody told of is noticed all the same, later.
    fn wait(&self, is_so: impl Fn(&Queue<C, T>) -> bool) {
        let queue = self.queue();
        if !is_so(&queue) && !self.stop.load(Ordering::Relaxed) {
            drop(self.changed.wait_timeout(queue, NAP));
        }
    }

    fn close(&self) {
        self.queue().is_closed = true;
        self.changed.notify_all();
    }
}

/// Stops the work when a thread breaks: what it was at will never be done, and nobody must wait for that.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Closes the crew whatever happens: threads that wait for more would keep the scope open.
struct Closing<'a, 'b, C, T>(&'a Crew<'b, C, T>);

impl<C, T> Drop for Closing<'_, '_, C, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Runs `lead` in this thread beside as many threads as there are scratches, which do `work` on what it pushes.
///
/// `threads` is how many work, this one among them if it is one more than the scratches; else it only leads.
///
/// `work` gets a chunk, a run of its rows and its thread's own scratch, and must ask its watch before each row. Where
/// the system has no more threads to give, those that are there do the work. All chunks are dropped by this thread.
pub fn with_crew<C, S, T, R, W>(
    scratches: &mut [S],
    threads: usize,
    stop: &AtomicBool,
    work: &W,
    lead: impl FnOnce(&Crew<'_, C, T>) -> R,
) -> R
where
    C: Send + Sync,
    S: Send,
    T: Send,
    W: Fn(&C, Range<usize>, &mut S, &mut Watch<'_>) -> T + Sync,
{
    let queue = Mutex::new(Queue { pieces: VecDeque::new(), is_closed: false });
    let only_leads = AtomicBool::new(threads == scratches.len());
    let crew = Crew { queue, changed: Condvar::new(), stop, threads, only_leads };
    std::thread::scope(|scope| {
        for scratch in scratches {
            let crew = &crew;
            let thread = std::thread::Builder::new();
            if thread.spawn_scoped(scope, move || crew.follow(scratch, work)).is_err() {
                crew.only_leads.store(false, Ordering::Relaxed);
                break;
            }
        }
        let _closing = Closing(&crew);
        let _alarm = Alarm(stop);
        lead(&crew)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of the numbers below `count`, in chunks of `size`.
    fn squares(
        count: usize,
        size: usize,
        (threads, only_leads): (usize, bool),
        stop: &AtomicBool,
        poll: Poll<'_>,
    ) -> Vec<usize> {
        let mut clock = Clock::default();
        let mut watch = Watch::leader(stop, &mut clock, poll);
        let work = |first: &usize, rows: Range<usize>, seen: &mut usize, watch: &mut Watch<'_>| {
            let square = |row| watch.goes_on(1 << 20).then(|| (first + row) * (first + row));
            let squares: Vec<usize> = rows.map_while(square).collect();
            *seen += squares.len();
            squares
        };
        let mut scratches = vec![0; threads + usize::from(only_leads)];
        let (own, others) = scratches.split_first_mut().unwrap();
        let found = with_crew(others, threads, stop, &work, |crew| {
            let mut found = Vec::new();
            let mut starts = (0..count).step_by(size);
            loop {
                if crew.pending() < 3
                    && let Some(start) = starts.next()
                {
                    crew.push(start, size.min(count - start));
                    continue;
                }
                crew.finish_first(own, &mut watch, &work);
                match crew.pop() {
                    Some(runs) => found.extend(runs.concat()),
                    None => return found,
                }
            }
        });
        assert_eq!(scratches.iter().sum::<usize>(), found.len());
        assert!(!only_leads || scratches[0] == 0);
        found
    }

    #[test]
    fn order_does_not_depend_on_threads() {
        for count in [0, 1, 2, RUN - 1, RUN, RUN + 1, 10 * RUN + 7] {
            let expected: Vec<usize> = (0..count).map(|row| row * row).collect();
            for (threads, size) in [(1, 1000), (1, 7), (2, 1000), (2, 100), (3, 1), (8, 64)] {
                for only_leads in [false, true] {
                    let stop = AtomicBool::new(false);
                    let found = squares(count, size, (threads, only_leads), &stop, &mut || true);
                    assert_eq!(found, expected, "{count} rows by {size}, {threads} threads, {only_leads}");
                }
            }
        }
    }

    #[test]
    fn a_stop_ends_the_work() {
        for threads in [1, 2] {
            let stop = AtomicBool::new(true);
            assert!(squares(1000, 100, (threads, false), &stop, &mut || true).is_empty());
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
        let piece =
            Piece { chunk: (), rows: 100, next: AtomicUsize::new(0), results: Results::<()>::of(100) };
        let runs: Vec<usize> = std::iter::from_fn(|| piece.take(2)).map(|run| run.len()).collect();
        assert_eq!(runs.iter().sum::<usize>(), 100);
        assert_eq!((runs[0], *runs.last().unwrap()), (12, 1));
        assert!(runs.windows(2).all(|pair| pair[0] >= pair[1]));
    }

    #[test]
    fn a_thread_that_breaks_ends_the_work() {
        let stop = AtomicBool::new(false);
        let work = |(): &(), _: Range<usize>, (): &mut (), _: &mut Watch<'_>| panic!("a bug");
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            with_crew(&mut [()], 2, &stop, &work, |crew: &Crew<'_, (), ()>| {
                crew.push((), 1);
                while crew.queue().pieces[0].has_more() {
                    std::thread::yield_now();
                }
                let mut clock = Clock::default();
                let mut poll = || true;
                crew.finish_first(&mut (), &mut Watch::leader(&stop, &mut clock, &mut poll), &work);
            });
        }));
        assert!(broken.is_err());
    }

    /// Rows that end when the work is stopped; `is_late` when it ought to have been long ago.
    fn long_rows(is_late: &AtomicBool) -> impl Fn(&(), Range<usize>, &mut (), &mut Watch<'_>) + Sync {
        let start = Instant::now();
        move |(), rows, (), watch| {
            for _ in rows {
                while watch.goes_on(0) && !is_late.load(Ordering::Relaxed) {
                    is_late.store(start.elapsed() > Duration::from_secs(20), Ordering::Relaxed);
                }
            }
        }
    }

    #[test]
    fn a_leader_that_breaks_ends_the_work() {
        let (stop, is_late) = (AtomicBool::new(false), AtomicBool::new(false));
        let work = long_rows(&is_late);
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            with_crew(&mut [()], 2, &stop, &work, |crew: &Crew<'_, (), ()>| {
                crew.push((), 1);
                while crew.queue().pieces[0].has_more() {
                    std::thread::yield_now();
                }
                panic!("a bug");
            });
        }));
        assert!(broken.is_err() && stop.load(Ordering::Relaxed) && !is_late.load(Ordering::Relaxed));
    }

    #[test]
    fn who_waits_for_a_long_row_still_asks() {
        let (stop, is_late) = (AtomicBool::new(false), AtomicBool::new(false));
        let work = long_rows(&is_late);
        with_crew(&mut [()], 2, &stop, &work, |crew| {
            crew.push((), 1);
            while crew.queue().pieces[0].has_more() {
                std::thread::yield_now();
            }
            let mut clock = Clock::default();
            let mut poll = || false;
            crew.finish_first(&mut (), &mut Watch::leader(&stop, &mut clock, &mut poll), &work);
        });
        assert!(stop.load(Ordering::Relaxed) && !is_late.load(Ordering::Relaxed));
    }

    #[test]
    fn chunks_are_dropped_by_the_calling_thread() {
        const CHUNKS: usize = if cfg!(miri) { 20 } else { 20_000 };
        struct Mine(std::thread::ThreadId);
        impl Drop for Mine {
            fn drop(&mut self) {
                assert_eq!(self.0, std::thread::current().id());
            }
        }
        let mine = || Mine(std::thread::current().id());
        let stop = AtomicBool::new(false);
        let work = |_: &Mine, rows: Range<usize>, (): &mut (), watch: &mut Watch<'_>| {
            rows.take_while(|_| watch.goes_on(0)).count()
        };
        let rows = with_crew(&mut [(), ()], 3, &stop, &work, |crew| {
            let mut clock = Clock::default();
            let mut poll = || true;
            let mut watch = Watch::leader(&stop, &mut clock, &mut poll);
            let mut rows = 0;
            for _ in 0..CHUNKS {
                crew.push(mine(), 9);
                crew.finish_first(&mut (), &mut watch, &work);
                rows += crew.pop().unwrap().iter().sum::<usize>();
            }
            crew.push(mine(), 100);
            crew.push(mine(), 100);
            stop.store(true, Ordering::Relaxed);
            rows
        });
        assert_eq!(rows, 9 * CHUNKS);
    }
}
