//! A batch: columns in, verdicts out, one pass over the rows for all graders.
//!
//! This thread takes the cells of chunks under the interpreter's lock while the others grade those before; when enough
//! are ready it lets the lock go and grades too. Every 25 ms it takes the lock again to see whether the user wants to
//! stop.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;

use super::columns::{Chunk, Source, Use};
use super::kernels::{PairKernel, TextKernel};
use super::rows::{Gathered, Rows};
use crate::batch::Row;
use crate::set::{Grader, Scratch, Task, grade_rows};
use crate::threads::{Clock, Crew, Watch, with_crew};

/// Grades a batch by one kernel.
pub fn run_one(
    grader: &Grader,
    candidates: &Bound<'_, PyAny>,
    references: Option<&Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<Rows> {
    let mut plan = Plan::default();
    plan.add(grader, candidates, references)?;
    let mut rows = plan.run(candidates.py(), threads)?;
    Ok(rows.swap_remove(0))
}

/// Grades a batch by several kernels in one pass: each task is a kernel, its candidates, and its references or
/// `None`. Columns that are one object are taken once.
#[pyfunction]
pub fn run_tasks(
    py: Python<'_>,
    tasks: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    threads: usize,
) -> PyResult<Vec<Rows>> {
    let mut plan = Plan::default();
    for (kernel, candidates, references) in &tasks {
        if let Ok(kernel) = kernel.cast::<TextKernel>() {
            plan.add(&kernel.get().0, candidates, None)?;
        } else if let Ok(kernel) = kernel.cast::<PairKernel>() {
            plan.add(&kernel.get().0, candidates, Some(references))?;
        } else {
            return Err(PyTypeError::new_err(format!("no kernel: {}", kernel.get_type().name()?)));
        }
    }
    plan.run(py, threads)
}

/// Tasks and the columns that they share.
#[derive(Default)]
struct Plan<'a, 'py> {
    tasks: Vec<Task<'a>>,
    uses: Vec<Use<'py>>,
    /// The object and the way of reading of each use.
    known: Vec<(usize, bool)>,
    rows: usize,
}

impl<'a, 'py> Plan<'a, 'py> {
    fn add(
        &mut self,
        grader: &'a Grader,
        candidates: &Bound<'py, PyAny>,
        references: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let as_lists = matches!(grader, Grader::ContextF1(_));
        let candidate = self.column(candidates, as_lists)?;
        let rows = self.uses[candidate].source.rows()?;
        if self.tasks.is_empty() {
            self.rows = rows;
        }
        self.uses[candidate].source.check_length(self.rows)?;
        let reference = match references {
            Some(references) => self.column(references, as_lists)?,
            None => candidate,
        };
        self.uses[reference].source.check_length(rows)?;
        self.tasks.push(Task { grader, candidate, reference });
        Ok(())
    }

    fn column(&mut self, values: &Bound<'py, PyAny>, as_lists: bool) -> PyResult<usize> {
        let key = (values.as_ptr().addr(), as_lists);
        if let Some(known) = self.known.iter().position(|known| *known == key) {
            return Ok(known);
        }
        self.uses.push(Use { source: Source::new(values)?, as_lists });
        self.known.push(key);
        Ok(self.known.len() - 1)
    }

    /// Whether there are rows that may take longer than a user who wants to stop should wait for twice.
    fn may_take_long(&self) -> bool {
        self.rows > 1 && self.tasks.iter().any(|task| matches!(task.grader, Grader::Pattern(_)))
    }

    fn run(&self, py: Python<'py>, threads: usize) -> PyResult<Vec<Rows>> {
        let mut gathered: Vec<Gathered> =
            self.tasks.iter().map(|_| Gathered::with_capacity(self.rows)).collect();
        if self.rows == 1 && self.tasks.len() == 1 {
            return self.run_row(py, gathered);
        }
        let threads = threads.clamp(1, self.rows.max(1));
        let only_leads = self.may_take_long();
        let mut scratches: Vec<Scratch> = Vec::new();
        scratches.resize_with(threads + usize::from(only_leads), Scratch::default);
        let tasks = &self.tasks;
        let mut start = 0;
        in_chorus(
            py,
            &mut scratches,
            threads,
            |chunk: &Chunk, rows, scratch, watch| grade_rows(tasks, chunk.columns(), rows, scratch, watch),
            || {
                if start == self.rows {
                    return Ok(None);
                }
                let (chunk, end) = Chunk::take(&self.uses, start, self.rows)?;
                let rows = end - start;
                start = end;
                Ok(Some((chunk, rows)))
            },
            |runs: Vec<Vec<Row>>| {
                for row in runs.iter().flat_map(|run| run.chunks_exact(tasks.len())) {
                    gathered.iter_mut().zip(row).for_each(|(gathered, row)| gathered.push(row));
                }
            },
        )?;
        gathered.into_iter().map(|gathered| gathered.finish(py)).collect()
    }

    /// Grades a single row by one grader, for which a crew would cost more than the kernel, and which nothing can stop.
    fn run_row(&self, py: Python<'py>, mut gathered: Vec<Gathered>) -> PyResult<Vec<Rows>> {
        let (chunk, _) = Chunk::take(&self.uses, 0, 1)?;
        let (tasks, stop) = (&self.tasks, AtomicBool::new(false));
        let mut scratch = Scratch::default();
        let graded =
            py.detach(|| grade_rows(tasks, chunk.columns(), 0..1, &mut scratch, &mut Watch::follower(&stop)));
        gathered.iter_mut().zip(&graded).for_each(|(gathered, row)| gathered.push(row));
        gathered.into_iter().map(|gathered| gathered.finish(py)).collect()
    }
}

/// Chunks that are made ahead of those that are worked on.
const AHEAD: usize = 2;

/// Does `work` on the chunks that `next` makes, on so many threads, and gives what came of each chunk to `gather`, in
/// order. This thread keeps the lock for `next` and `gather`, and works without it in between; with a scratch more than
/// there are threads it leaves the work to the others.
///
/// # Errors
/// What `next` says, and the user's interrupt.
pub fn in_chorus<C: Send + Sync, S: Send, T: Send>(
    py: Python<'_>,
    scratches: &mut [S],
    threads: usize,
    work: impl Fn(&C, Range<usize>, &mut S, &mut Watch<'_>) -> T + Sync,
    mut next: impl FnMut() -> PyResult<Option<(C, usize)>>,
    mut gather: impl FnMut(Vec<T>),
) -> PyResult<()> {
    let stop = AtomicBool::new(false);
    let (own, others) = scratches.split_first_mut().expect("a scratch for this thread");
    let mut interrupt = Interrupt::default();
    let mut is_last = false;
    let mut lead = |crew: &Crew<'_, C, T>| {
        loop {
            if !is_last && crew.pending() <= AHEAD {
                match next()? {
                    Some((chunk, rows)) => crew.push(chunk, rows),
                    None => is_last = true,
                }
                continue;
            }
            interrupt.allow(py, &stop, |watch| crew.finish_first(own, watch, &work))?;
            match crew.pop() {
                Some(runs) => gather(runs),
                None => return Ok(()),
            }
        }
    };
    with_crew(others, threads, &stop, &work, |crew| {
        let outcome = lead(crew);
        // After an error nobody needs what is under way.
        stop.fetch_or(outcome.is_err(), Ordering::Relaxed);
        outcome
    })
}

/// Whether the user wants to stop.
#[derive(Default)]
struct Interrupt {
    clock: Clock,
    /// Signals reach the main thread alone: another one need not fight for the lock to ask.
    is_deaf: bool,
}

impl Interrupt {
    /// Lets the lock go for a job, and looks now and then whether to stop it.
    fn allow(
        &mut self,
        py: Python<'_>,
        stop: &AtomicBool,
        job: impl FnOnce(&mut Watch<'_>) + Send,
    ) -> PyResult<()> {
        let Self { clock, is_deaf } = self;
        let mut error = None;
        let mut poll = || match ask(is_deaf) {
            Ok(()) => true,
            Err(interrupt) => {
                error = Some(interrupt);
                false
            }
        };
        py.detach(|| job(&mut Watch::leader(stop, clock, &mut poll)));
        error.map_or(Ok(()), |error| Err(interrupted(py, error)))
    }
}

create_exception!(
    gradestone._core,
    Interrupted,
    PyBaseException,
    "The handler of a signal raised its cause while kernels were at work: no fault of a grader."
);

/// What a handler raised, marked where it could be taken for the fault of a kernel.
fn interrupted(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyException>(py) {
        return error;
    }
    let marked = Interrupted::new_err(());
    marked.set_cause(py, Some(error));
    marked
}

/// What a handler raised, for callers whose errors are not looked at.
pub fn unmarked(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<Interrupted>(py) {
        return error.cause(py).unwrap_or(error);
    }
    error
}

fn ask(is_deaf: &mut bool) -> PyResult<()> {
    if *is_deaf {
        return Ok(());
    }
    Python::attach(|py| {
        py.check_signals()?;
        let threading = py.import("threading")?;
        let current = threading.call_method0("current_thread")?;
        *is_deaf = !current.is(&threading.call_method0("main_thread")?);
        Ok(())
    })
}
