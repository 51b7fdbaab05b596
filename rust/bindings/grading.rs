//! A batch: columns in, verdicts out, one pass over the rows for all graders.
//!
//! The cells of a chunk are taken under the interpreter's lock while the chunk before is being graded by the other
//! threads; then this thread lets the lock go and grades too. Every 25 ms it takes the lock again to see whether the
//! user wants to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAnyMethods;

use super::columns::{Chunk, Source, Use};
use super::kernels::{PairKernel, TextKernel};
use super::rows::{Gathered, Rows};
use crate::batch::Row;
use crate::set::{Grader, Scratch, Task, grade_rows};
use crate::threads::{Clock, Watch, share};

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

    fn run(&self, py: Python<'py>, threads: usize) -> PyResult<Vec<Rows>> {
        let mut gathered: Vec<Gathered> =
            self.tasks.iter().map(|_| Gathered::with_capacity(self.rows)).collect();
        let threads = threads.clamp(1, self.rows.max(1));
        let mut scratches: Vec<Scratch> = (0..threads).map(|_| Scratch::default()).collect();
        let mut interrupt = Interrupt::default();
        let mut chunk = Chunk::take(&self.uses, 0, self.rows)?;
        while !chunk.rows.is_empty() {
            let (runs, next) = self.grade(py, &chunk, &mut scratches, &mut interrupt)?;
            for row in runs.iter().flat_map(|run| run.chunks_exact(self.tasks.len())) {
                gathered.iter_mut().zip(row).for_each(|(gathered, row)| gathered.push(row));
            }
            chunk = next;
        }
        gathered.into_iter().map(|gathered| gathered.finish(py)).collect()
    }

    /// Grades a chunk, and takes the next meanwhile.
    fn grade(
        &self,
        py: Python<'py>,
        chunk: &Chunk<'py>,
        scratches: &mut [Scratch],
        interrupt: &mut Interrupt,
    ) -> PyResult<(Vec<Vec<Row>>, Chunk<'py>)> {
        let members = chunk.members(&self.uses)?;
        let columns = chunk.columns(&self.uses, &members)?;
        let tasks = &self.tasks;
        let (runs, next) = in_chorus(
            py,
            chunk.rows.len(),
            scratches,
            interrupt,
            |rows, scratch, watch| grade_rows(tasks, &columns, rows, scratch, watch),
            || Chunk::take(&self.uses, chunk.rows.end, self.rows),
        )?;
        Ok((runs, next?))
    }
}

/// Shares work among threads, of which this one keeps the lock for `beside` and then lets it go.
///
/// # Errors
/// The user's interrupt.
pub fn in_chorus<S: Send, T: Send, B>(
    py: Python<'_>,
    count: usize,
    scratches: &mut [S],
    interrupt: &mut Interrupt,
    work: impl Fn(std::ops::Range<usize>, &mut S, &mut Watch<'_>) -> T + Sync,
    beside: impl FnOnce() -> B,
) -> PyResult<(Vec<T>, B)> {
    let stop = AtomicBool::new(false);
    let Interrupt { clock, error, is_deaf } = interrupt;
    let mut poll = || match ask(is_deaf) {
        Ok(()) => true,
        Err(interrupt) => {
            *error = Some(interrupt);
            false
        }
    };
    let results = share(count, scratches, &stop, work, beside, |job| {
        py.detach(|| job(&mut Watch::leader(&stop, clock, &mut poll)));
    });
    match error.take() {
        Some(error) => Err(error),
        None => {
            debug_assert!(!stop.load(Ordering::Relaxed), "only an interrupt stops the work");
            Ok(results)
        }
    }
}

/// Whether the user wants to stop, from chunk to chunk.
#[derive(Default)]
pub struct Interrupt {
    clock: Clock,
    error: Option<PyErr>,
    /// Signals reach the main thread alone: another one need not fight for the lock to ask.
    is_deaf: bool,
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
