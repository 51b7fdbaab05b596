//! A set of graders over the same rows, in one pass.
//!
//! The graders of a row share what they would each compute for themselves: the tokens of a candidate and its
//! reference, and the candidate in lowercase. Nothing is kept from one row to the next.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::batch::{Code, Kernel, Row};
use crate::bleu::Bleu;
use crate::blocklist::Blocklist;
use crate::context::ContextF1;
use crate::cpu;
use crate::jaccard::Jaccard;
use crate::matching::{Contains, ExactMatch, Pattern};
use crate::pii::Pii;
use crate::rouge::Rouge;
use crate::text::{Cell, Lowered};
use crate::threads::Watch;
use crate::tokenizer::{FIRST_WINDOW, Pair};
use crate::{blocklist, context, ngram, rouge};

/// Any kernel.
#[derive(Debug)]
pub enum Grader {
    /// `exact_match`
    ExactMatch(ExactMatch),
    /// `contains`, `not_contains`
    Contains(Contains),
    /// `regex`, `not_regex`
    Pattern(Pattern),
    /// `blocklist`
    Blocklist(Blocklist),
    /// `no_pii`
    Pii(Pii),
    /// `bleu_score`
    Bleu(Bleu),
    /// `rouge_score`
    Rouge(Rouge),
    /// `semantic`
    Jaccard(Jaccard),
    /// `context_f1`
    ContextF1(ContextF1),
    /// Breaks on every text.
    #[cfg(test)]
    Panics,
}

/// A grader, and the columns that it looks at.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What grades.
    pub grader: &'a Grader,
    /// The number of the candidates' column.
    pub candidate: usize,
    /// The number of the references' column; a grader that looks at the candidate alone ignores it.
    pub reference: usize,
}

/// A column of cells.
#[derive(Debug)]
pub enum Column<'a> {
    /// One cell that stands for every row.
    One(Cell<'a>),
    /// A cell a row.
    Many(Vec<Cell<'a>>),
    /// A cell a row, of texts that nobody has looked at yet: bytes that are no UTF-8 are no text. Told when the row is
    /// graded, by the thread that grades it, for which they are then at hand.
    Unseen(Vec<Cell<'a>>),
}

/// Rows that the memory is asked for beforehand.
const AHEAD: usize = 1;

impl<'a> Column<'a> {
    /// Asks the memory for a text that will be looked at soon.
    fn prefetch(&self, row: usize) {
        if let Self::Many(cells) | Self::Unseen(cells) = self
            && let Some(Cell::Text(text)) = cells.get(row)
        {
            cpu::prefetch(text);
        }
    }

    fn cell(&self, row: usize) -> Cell<'a> {
        match self {
            Self::One(cell) => *cell,
            Self::Many(cells) => cells[row],
            Self::Unseen(cells) => match cells[row] {
                Cell::Text(text) if std::str::from_utf8(text).is_err() => Cell::Other,
                cell => cell,
            },
        }
    }
}

/// The two cells of a row that a task looks at.
fn cells_of<'a>(task: &Task<'_>, columns: &[Column<'a>], row: usize) -> (Cell<'a>, Cell<'a>) {
    let candidate = columns[task.candidate].cell(row);
    if task.reference == task.candidate {
        return (candidate, candidate);
    }
    (candidate, columns[task.reference].cell(row))
}

/// What a thread reuses from row to row. Nothing in it may influence a verdict.
#[derive(Default)]
pub struct Scratch {
    shared: Shared,
    ngrams: ngram::Scratch,
    counting: rouge::Counting,
    sides: Vec<u8>,
    seen: blocklist::Seen,
    normal: [Vec<u8>; 2],
    line_ends: Vec<u8>,
    contexts: context::Scratch,
}

/// What the graders of one row share.
#[derive(Default)]
struct Shared {
    lowered: Lowered,
    /// The column whose cell of this row is in `lowered`.
    lowered_of: Option<usize>,
    pair: Pair,
    /// The columns whose cells of this row are in `pair`, and whether they can be scored.
    pair_of: Option<([usize; 2], Result<(), Code>)>,
}

impl Shared {
    fn forget(&mut self) {
        self.lowered_of = None;
        self.pair_of = None;
    }

    fn lowered(&mut self, column: usize, text: &[u8]) -> &mut Lowered {
        if self.lowered_of != Some(column) {
            self.lowered.read(text);
            self.lowered_of = Some(column);
        }
        &mut self.lowered
    }

    /// The tokens of a row of BLEU or ROUGE, see `Pair::read`.
    fn tokens(&mut self, task: &Task<'_>, cells: &(Cell<'_>, Cell<'_>)) -> Result<&Pair, Code> {
        let columns = [task.candidate, task.reference];
        let read = match self.pair_of {
            Some((of, read)) if of == columns => read,
            _ => self.read(task.candidate, cells),
        };
        self.pair_of = Some((columns, read));
        read.map(|()| &self.pair)
    }

    fn read(&mut self, column: usize, cells: &(Cell<'_>, Cell<'_>)) -> Result<(), Code> {
        match cells {
            // A longer text is lowercased by the tokenizer itself, which stops at the limit.
            (Cell::Text(candidate), Cell::Text(reference)) if candidate.len() <= FIRST_WINDOW => {
                self.lowered(column, candidate);
                self.pair.read_lowered(&mut self.lowered, reference)
            }
            _ => self.pair.read(cells),
        }
    }

    /// The tokens of a row of a grader without a cap, see `Pair::read_uncapped`.
    fn all_tokens(&mut self, task: &Task<'_>, cells: &(Cell<'_>, Cell<'_>)) -> Result<&Pair, Code> {
        let columns = [task.candidate, task.reference];
        if self.pair_of != Some((columns, Ok(()))) {
            self.pair_of = None;
            self.pair.read_uncapped(cells)?;
        }
        Ok(&self.pair)
    }
}

/// Grades a run of rows by every task: one row after the other, and of each row one task after the other.
///
/// Ends early, with what it has, when the watch says so. A row on which a kernel panics, which is a bug of the
/// kernel, is an internal error of that grader alone.
pub fn grade_rows(
    tasks: &[Task<'_>],
    columns: &[Column<'_>],
    rows: Range<usize>,
    scratch: &mut Scratch,
    watch: &mut Watch<'_>,
) -> Vec<Row> {
    let mut graded = Vec::with_capacity(rows.len() * tasks.len());
    for row in rows {
        scratch.shared.forget();
        for column in columns {
            column.prefetch(row + AHEAD);
        }
        for task in tasks {
            let cells = cells_of(task, columns, row);
            if !watch.goes_on(cells.0.size() + cells.1.size()) {
                return graded;
            }
            graded.push(guarded(task, &cells, scratch));
        }
    }
    graded
}

/// Grades one row and turns a panic into its verdict. The scratch is thrown away then: it may be half written.
fn guarded(task: &Task<'_>, cells: &(Cell<'_>, Cell<'_>), scratch: &mut Scratch) -> Row {
    let attempt = catch_unwind(AssertUnwindSafe(|| grade(task, cells, scratch)));
    attempt.unwrap_or_else(|_| {
        *scratch = Scratch::default();
        Row::plain(Code::InternalError)
    })
}

fn grade(task: &Task<'_>, cells: &(Cell<'_>, Cell<'_>), scratch: &mut Scratch) -> Row {
    let Scratch { shared, ngrams, counting, sides, seen, normal, line_ends, contexts } = scratch;
    let scored = match task.grader {
        Grader::ExactMatch(kernel) => Ok(kernel.grade(cells, normal)),
        Grader::Contains(kernel) => Ok(kernel.grade(&cells.0, &mut ())),
        Grader::Pattern(kernel) => Ok(kernel.grade(&cells.0, line_ends)),
        Grader::Pii(kernel) => Ok(kernel.grade(&cells.0, &mut ())),
        Grader::ContextF1(kernel) => Ok(kernel.grade(cells, contexts)),
        Grader::Blocklist(kernel) => match cells.0 {
            Cell::Text(text) => Ok(kernel.grade_lowered(shared.lowered(task.candidate, text), seen)),
            _ => Err(Code::NotText),
        },
        #[cfg(test)]
        Grader::Panics => {
            assert!(!matches!(cells.0, Cell::Text(_)), "a bug");
            Err(Code::NotText)
        }
        Grader::Bleu(kernel) => shared.tokens(task, cells).map(|pair| kernel.grade_tokens(pair, ngrams)),
        Grader::Rouge(kernel) => shared.tokens(task, cells).map(|pair| kernel.grade_tokens(pair, counting)),
        Grader::Jaccard(kernel) => {
            shared.all_tokens(task, cells).map(|pair| kernel.grade_tokens(pair, sides))
        }
    };
    scored.unwrap_or_else(Row::plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_TOKENS;
    use crate::rouge::{Measure, RougeType};
    use proptest::prelude::*;
    use std::sync::atomic::AtomicBool;

    fn graders() -> Vec<Grader> {
        let rouge = |kind| Grader::Rouge(Rouge { kind, measure: Measure::Fmeasure, threshold: 0.5 });
        vec![
            Grader::Bleu(Bleu { threshold: 0.5 }),
            Grader::Blocklist(Blocklist::new(&["σας", "b", "as an ai"])),
            rouge(RougeType::One),
            Grader::Jaccard(Jaccard { threshold: 0.5 }),
            rouge(RougeType::L),
            Grader::ExactMatch(ExactMatch { case_sensitive: false, remove_punctuation: false }),
            Grader::Contains(Contains::new(&["a"], false)),
            Grader::Pii(Pii::new(&["email"]).unwrap()),
            Grader::Pattern(Pattern::new("^a", false).unwrap()),
            Grader::ContextF1(ContextF1 {
                measure: Measure::Fmeasure,
                similarity_threshold: 0.7,
                threshold: 0.5,
            }),
        ]
    }

    fn grade_all(tasks: &[Task<'_>], columns: &[Column<'_>], rows: usize) -> Vec<Row> {
        let stop = AtomicBool::new(false);
        grade_rows(tasks, columns, 0..rows, &mut Scratch::default(), &mut Watch::follower(&stop))
    }

    /// Each task in a pass and with buffers of its own.
    fn grade_apart(tasks: &[Task<'_>], columns: &[Column<'_>], rows: usize) -> Vec<Row> {
        let single = |row, task: &Task<'_>| {
            let cells = cells_of(task, columns, row);
            guarded(task, &cells, &mut Scratch::default())
        };
        (0..rows).flat_map(|row| tasks.iter().map(move |task| single(row, task))).collect()
    }

    fn assert_nothing_is_carried_over(texts: &[Vec<u8>]) {
        let graders = graders();
        let cells = |shift: usize| (0..texts.len()).map(move |row| (row * 7 + shift) % texts.len());
        let column = |shift| Column::Many(cells(shift).map(|row| Cell::Text(&texts[row])).collect());
        let columns = [column(0), column(1), column(3), Column::One(Cell::Other)];
        let pairs = [(0, 1), (0, 2), (2, 1), (0, 3), (3, 0), (0, 0), (0, 1)];
        let tasks: Vec<Task<'_>> = pairs
            .iter()
            .flat_map(|(candidate, reference)| {
                graders.iter().map(|grader| Task { grader, candidate: *candidate, reference: *reference })
            })
            .collect();
        assert_eq!(grade_all(&tasks, &columns, texts.len()), grade_apart(&tasks, &columns, texts.len()));
    }

    #[test]
    fn what_is_shared_changes_no_verdict() {
        let long = "Wört ".repeat(FIRST_WINDOW / 4);
        let at_the_window = "a".repeat(FIRST_WINDOW - 1) + "Σ";
        let over_the_cap = "b ".repeat(MAX_TOKENS + 1);
        let texts =
            ["", "a b c", "A, B c!", "\u{a0}", "ΟΔΟΣ σας", &long, &at_the_window, &over_the_cap, "As an AI"];
        assert_nothing_is_carried_over(&texts.map(|text| text.as_bytes().to_vec()));
    }

    proptest! {
        #[test]
        fn shared_tokens_are_those_of_the_row(
            texts in proptest::collection::vec("[aAbσΣς .\u{a0}İ]{0,20}", 1..6)
        ) {
            assert_nothing_is_carried_over(&texts.into_iter().map(String::into_bytes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn lists_and_texts_are_for_their_own_graders() {
        let graders = graders();
        let list: [&[u8]; 1] = [b"a"];
        let columns = [Column::One(Cell::Texts(&list)), Column::One(Cell::Text(b"a"))];
        for grader in &graders {
            let is_context = matches!(grader, Grader::ContextF1(_));
            let row =
                |column| grade_all(&[Task { grader, candidate: column, reference: column }], &columns, 1);
            assert_eq!(row(0)[0].code == Code::NotText, !is_context, "{grader:?}");
            assert_eq!(row(1)[0].code == Code::NotText, is_context, "{grader:?}");
        }
    }

    #[test]
    fn what_is_no_utf8_among_unseen_texts_is_no_text() {
        let graders = graders();
        let cells = [b"a".as_slice(), b"\xff", b"a\xed\xa0\x80", "é".as_bytes()].map(Cell::Text);
        let columns = [Column::Unseen(cells.to_vec()), Column::Many(cells.to_vec())];
        for grader in graders.iter().filter(|grader| !matches!(grader, Grader::ContextF1(_))) {
            for (candidate, reference) in [(0, 0), (0, 1), (1, 0)] {
                let rows = grade_all(&[Task { grader, candidate, reference }], &columns, 4);
                let is_text: Vec<bool> = rows.iter().map(|row| row.code != Code::NotText).collect();
                let sees = candidate == 0 || rows[1].code == Code::NotText;
                assert_eq!(is_text, [true, !sees, !sees, true], "{grader:?}");
            }
        }
    }

    #[test]
    fn a_panic_is_the_verdict_of_its_row_and_grader_alone() {
        let graders = [Grader::Blocklist(Blocklist::new(&["a"])), Grader::Panics];
        let tasks = [0, 1, 0].map(|index| Task { grader: &graders[index], candidate: 0, reference: 0 });
        let columns = [Column::Many(vec![Cell::Text(b"a"), Cell::Other, Cell::Text(b"b")])];
        let codes: Vec<Code> = grade_all(&tasks, &columns, 3).iter().map(|row| row.code).collect();
        let [hit, ok, broken] = [Code::BlockedTerm, Code::Ok, Code::InternalError];
        assert_eq!(codes, [hit, broken, hit, Code::NotText, Code::NotText, Code::NotText, ok, broken, ok]);
    }

    #[test]
    fn a_stop_ends_the_run() {
        let graders = graders();
        let tasks = [Task { grader: &graders[0], candidate: 0, reference: 0 }];
        let columns = [Column::One(Cell::Text(b"a"))];
        let stop = AtomicBool::new(true);
        let mut watch = Watch::follower(&stop);
        assert!(grade_rows(&tasks, &columns, 0..9, &mut Scratch::default(), &mut watch).is_empty());
    }
}
