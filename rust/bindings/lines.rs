//! Lines of JSON, in and out.

use std::ops::Range;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::columns::checked;
use super::grading::{in_chorus, unmarked};
use super::words::{Graded, as_verdicts};
use crate::batch::Hits;
use crate::jsonl::{Found, Line, Wanted, lines, read};
use crate::splice::{self, Verdicts};
use crate::text::Cell;
use crate::threads::Watch;

/// A block of lines of JSON, read into columns. A hard line, which the caller has to look at, has no texts.
#[pyclass(frozen, module = "gradestone._core")]
pub struct JsonLines {
    block: Py<PyBytes>,
    lines: Vec<Line>,
    breaks: usize,
    found: Found,
    wanted: Wanted,
    parse: Py<PyAny>,
}

#[pymethods]
impl JsonLines {
    /// Reads `block`, whose first line is number `first`, on so many threads. `parse` makes an object of a line.
    #[new]
    fn new(
        block: &Bound<'_, PyBytes>,
        first: usize,
        names: Vec<String>,
        reserved: Vec<String>,
        parse: Py<PyAny>,
        threads: usize,
    ) -> PyResult<Self> {
        let py = block.py();
        let bytes = block.as_bytes();
        let wanted = Wanted { names, reserved };
        let (lines, breaks) = py.detach(|| lines(bytes, first));
        let mut tapes = vec![Vec::new(); threads.clamp(1, lines.len().max(1))];
        let work = |(): &(), run: Range<usize>, tape: &mut Vec<u8>, watch: &mut Watch<'_>| {
            read(bytes, &lines[run], &wanted, tape, watch)
        };
        let runs = at_once(py, lines.len(), &mut tapes, work)?;
        let found = py.detach(|| Found::joined(runs));
        Ok(Self { block: block.clone().unbind(), lines, breaks, found, wanted, parse })
    }

    fn __len__(&self) -> usize {
        self.lines.len()
    }

    /// The rows that the caller has to look at.
    fn hard(&self) -> Vec<usize> {
        (0..self.lines.len()).filter(|row| self.found.hard[*row]).collect()
    }

    /// The number of line ends in the block.
    #[getter]
    fn breaks(&self) -> usize {
        self.breaks
    }

    /// The number of a row's line.
    fn number(&self, row: usize) -> PyResult<usize> {
        Ok(self.lines[checked(row, self.lines.len())?].number)
    }

    /// A row's own text.
    fn text<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyBytes>> {
        let line = &self.lines[checked(row, self.lines.len())?];
        Ok(PyBytes::new(py, &self.block.bind(py).as_bytes()[line.place.clone()]))
    }

    /// The same without some rows.
    fn without(&self, py: Python<'_>, rows: Vec<usize>) -> Self {
        let mut keep = vec![true; self.lines.len()];
        rows.into_iter()
            .filter(|row| *row < keep.len())
            .collect::<Vec<_>>()
            .iter()
            .for_each(|row| keep[*row] = false);
        let mut found = self.found.clone();
        found.retain(self.wanted.names.len(), &keep);
        let kept = self.lines.iter().zip(&keep).filter(|(_, keep)| **keep);
        Self {
            block: self.block.clone_ref(py),
            lines: kept.map(|(line, _)| line.clone()).collect(),
            breaks: self.breaks,
            found,
            wanted: self.wanted.clone(),
            parse: self.parse.clone_ref(py),
        }
    }

    /// The cells of a wanted member.
    fn column(slf: &Bound<'_, Self>, name: &str) -> PyResult<LineColumn> {
        let names = &slf.get().wanted.names;
        let index = names.iter().position(|wanted| wanted == name);
        let index = index.ok_or_else(|| PyTypeError::new_err(format!("{name} was not read")))?;
        Ok(LineColumn { lines: slf.clone().unbind(), index })
    }
}

/// Shares the work on `count` rows that are all there.
fn at_once<S: Send, T: Send>(
    py: Python<'_>,
    count: usize,
    scratches: &mut [S],
    work: impl Fn(&(), Range<usize>, &mut S, &mut Watch<'_>) -> T + Sync,
) -> PyResult<Vec<T>> {
    let mut chunks = [((), count)].into_iter();
    let mut found = Vec::new();
    let threads = scratches.len();
    in_chorus(py, scratches, threads, work, || Ok(chunks.next()), |runs| found = runs)
        .map_err(|error| unmarked(py, error))?;
    Ok(found)
}

/// A member of lines of JSON. A cell is read when it is asked for; where the line has none it is `None`.
#[pyclass(frozen, module = "gradestone._core")]
pub struct LineColumn {
    lines: Py<JsonLines>,
    index: usize,
}

impl LineColumn {
    pub fn len(&self) -> usize {
        self.lines.get().lines.len()
    }

    pub fn cells<'a>(&'a self, py: Python<'a>, rows: Range<usize>, as_lists: bool) -> Vec<Cell<'a>> {
        if as_lists {
            return vec![Cell::Other; rows.len()];
        }
        rows.map(|row| self.cell(py, row)).collect()
    }

    fn cell<'a>(&'a self, py: Python<'a>, row: usize) -> Cell<'a> {
        let JsonLines { block, found, wanted, .. } = self.lines.get();
        found.cell(block.as_bytes(py), row * wanted.names.len() + self.index)
    }
}

#[pymethods]
impl LineColumn {
    fn __len__(&self) -> usize {
        self.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let row = checked(index, self.len())?;
        if let Cell::Text(text) = self.cell(py, row) {
            return PyString::from_bytes(py, text).map(Bound::into_any);
        }
        let lines = self.lines.get();
        let object = lines.parse.bind(py).call1((lines.text(py, row)?,))?;
        let fields = object.cast_into::<PyDict>()?;
        Ok(fields.get_item(&lines.wanted.names[self.index])?.unwrap_or_else(|| py.None().into_bound(py)))
    }
}

/// Writes rows with their verdicts, as JSON lines in pieces.
///
/// `rows` are lines that were read, of which `members` are kept (all for `None`), or the texts of objects. `others`
/// are lines that stand before the row of the given number.
#[pyfunction]
pub fn write_lines<'py>(
    rows: &Bound<'py, PyAny>,
    members: Option<Vec<(String, Vec<u8>)>>,
    verdicts: Vec<Graded<'py>>,
    others: Vec<(usize, Vec<u8>)>,
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let py = rows.py();
    let (names, quoted): (Vec<String>, Vec<Vec<u8>>) = members.iter().flatten().cloned().unzip();
    let held: Vec<Bound<'py, PyBytes>>;
    let rows = if let Ok(lines) = rows.cast::<JsonLines>() {
        let lines = lines.get();
        if members.is_some() { lines.members(py, &names, &quoted)? } else { lines.whole(py) }
    } else {
        held = rows.extract()?;
        splice::Rows::Whole(held.iter().map(|text| text.as_bytes()).collect())
    };
    let count = rows.len();
    let none = Hits::default();
    let verdicts = verdicts.iter().map(|graded| as_verdicts(graded, &none, count));
    let verdicts = verdicts.collect::<PyResult<Vec<Verdicts<'_>>>>()?;
    let mut scratches = vec![(); threads.clamp(1, count.max(1))];
    let work = |(): &(), run: Range<usize>, (): &mut (), watch: &mut Watch<'_>| {
        splice::write(&rows, &verdicts, &others, run, watch)
    };
    let mut pieces = at_once(py, count, &mut scratches, work)?;
    let behind = others.iter().filter(|(before, _)| *before >= count);
    pieces.push(behind.flat_map(|(_, line)| line).copied().collect());
    Ok(pieces.iter().map(|piece| PyBytes::new(py, piece)).collect())
}

impl JsonLines {
    fn whole<'a>(&'a self, py: Python<'a>) -> splice::Rows<'a> {
        let block = self.block.as_bytes(py);
        splice::Rows::Whole(self.lines.iter().map(|line| &block[line.place.clone()]).collect())
    }

    /// Some of the members that were read. Those of hard lines are nowhere to be found, so there must be none.
    fn members<'a>(
        &'a self,
        py: Python<'a>,
        names: &[String],
        quoted: &'a [Vec<u8>],
    ) -> PyResult<splice::Rows<'a>> {
        if self.found.hard.contains(&true) {
            return Err(PyValueError::new_err("the members of a hard line cannot be kept"));
        }
        let block = self.block.as_bytes(py);
        let index = |name: &String| self.wanted.names.iter().position(|wanted| wanted == name);
        let indices = names.iter().map(index).collect::<Option<Vec<usize>>>();
        let indices = indices.ok_or_else(|| PyTypeError::new_err("a member to keep was not read"))?;
        let value = |row: usize, index: &usize| {
            &block[self.found.values[row * self.wanted.names.len() + index].raw.clone()]
        };
        let row = |row: usize| indices.iter().map(|index| value(row, index)).collect();
        Ok(splice::Rows::Members(quoted, (0..self.lines.len()).map(row).collect()))
    }
}
