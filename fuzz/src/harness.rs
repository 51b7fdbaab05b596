//! The kernels as the extension runs them: a set of tasks over columns, one scratch for all rows there ever are.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use gradestone::batch::{Code, Row};
use gradestone::set::{Column, Grader, Scratch, Task, grade_rows};
use gradestone::text::Cell;
use gradestone::threads::Watch;

/// What an oracle says of a row, and what is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The code's slug.
    pub code: &'static str,
    /// The score, not rounded.
    pub score: f64,
    /// The kernel's integers.
    pub stats: [u32; 6],
    /// The numbers of what hit.
    pub hits: Vec<u32>,
}

impl Verdict {
    /// A verdict without figures.
    #[must_use]
    pub fn plain(code: &'static str) -> Self {
        let score = if code == "ok" { 1.0 } else { 0.0 };
        Self { code, score, stats: [0; 6], hits: Vec::new() }
    }

    /// A verdict with hits, if there are any.
    #[must_use]
    pub fn hit(code: &'static str, hits: Vec<u32>) -> Self {
        if hits.is_empty() { Self::plain("ok") } else { Self { hits, ..Self::plain(code) } }
    }

    /// A scored verdict.
    #[must_use]
    pub fn scored<const N: usize>(score: f64, threshold: f64, figures: [u32; N]) -> Self {
        let mut stats = [0; 6];
        stats[..N].copy_from_slice(&figures);
        let code = if score >= threshold { "ok" } else { "below_threshold" };
        Self { code, score, stats, hits: Vec::new() }
    }
}

impl From<Row> for Verdict {
    fn from(row: Row) -> Self {
        Self { code: Code::NAMES[row.code as usize], score: row.score, stats: row.stats, hits: row.hits }
    }
}

/// Ends the run with a finding where the kernel says anything else than the oracle.
///
/// # Panics
/// That is how a finding is told.
pub fn agree(kernel: &Verdict, oracle: &Verdict, case: &dyn Debug) {
    let is_same = kernel == oracle && kernel.score.to_bits() == oracle.score.to_bits();
    assert!(is_same, "kernel: {kernel:?}\noracle: {oracle:?}\n  case: {case:?}");
}

thread_local! {
    // What one row leaves behind must not reach any other, so nothing is ever fresh here.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Grades so many rows by every task; row by row, and of each row task by task.
#[must_use]
pub fn grade(tasks: &[Task<'_>], columns: &[Column<'_>], rows: usize) -> Vec<Verdict> {
    let stop = AtomicBool::new(false);
    let mut watch = Watch::follower(&stop);
    SCRATCH.with_borrow_mut(|scratch| {
        grade_rows(tasks, columns, 0..rows, scratch, &mut watch).into_iter().map(Verdict::from).collect()
    })
}

/// Grades pairs of cells.
#[must_use]
pub fn grade_pairs(grader: &Grader, pairs: &[(Cell<'_>, Cell<'_>)]) -> Vec<Verdict> {
    let columns = [
        Column::Many(pairs.iter().map(|pair| pair.0).collect()),
        Column::Many(pairs.iter().map(|pair| pair.1).collect()),
    ];
    grade(&[Task { grader, candidate: 0, reference: 1 }], &columns, pairs.len())
}

/// Grades texts by a grader that looks at nothing else.
#[must_use]
pub fn grade_texts(grader: &Grader, texts: &[Vec<u8>]) -> Vec<Verdict> {
    let columns = [Column::Many(texts.iter().map(|text| Cell::Text(text)).collect())];
    grade(&[Task { grader, candidate: 0, reference: 0 }], &columns, texts.len())
}
