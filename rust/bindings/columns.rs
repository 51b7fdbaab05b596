//! Columns as Python hands them over, and their cells for as long as a chunk is graded.
//!
//! ASCII strings, Arrow columns and lines of JSON are read where they lie; any other string is encoded for its chunk.

use std::ops::Range;
use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use super::arrow_in::ArrowColumn;
use super::lines::LineColumn;
use super::strings::Held;
use crate::arrow;
use crate::set::Column;
use crate::text::Cell;

/// A column before its cells are taken.
pub enum Source<'py> {
    /// One text for every row.
    One(Held<'py>),
    Cells(Bound<'py, PyTuple>),
    Arrow(Bound<'py, ArrowColumn>),
    Lines(Bound<'py, LineColumn>),
}

impl<'py> Source<'py> {
    pub fn new(values: &Bound<'py, PyAny>) -> PyResult<Self> {
        if values.is_instance_of::<PyString>() {
            return Ok(Self::One(Held::take(values)?));
        }
        if let Ok(column) = values.cast::<ArrowColumn>() {
            return Ok(Self::Arrow(column.clone()));
        }
        if let Ok(column) = values.cast::<LineColumn>() {
            return Ok(Self::Lines(column.clone()));
        }
        as_tuple(values).map(Self::Cells)
    }

    /// The number of rows; none for a text that stands for every row.
    fn len(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Cells(cells) => Some(cells.len()),
            Self::Arrow(column) => Some(column.get().column.len()),
            Self::Lines(column) => Some(column.get().len()),
        }
    }

    pub fn check_length(&self, rows: usize) -> PyResult<()> {
        match self.len() {
            Some(other) if other != rows => {
                Err(PyValueError::new_err(format!("columns differ in length: {rows} and {other} rows")))
            }
            _ => Ok(()),
        }
    }

    /// The number of rows of a column that must be one.
    pub fn rows(&self) -> PyResult<usize> {
        self.len().ok_or_else(|| PyTypeError::new_err("a column must be a list or a tuple, not str"))
    }
}

/// The cells as a tuple of our own: a list that another thread changes meanwhile changes nothing here.
pub fn as_tuple<'py>(values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    if let Ok(tuple) = values.cast::<PyTuple>() {
        return Ok(tuple.clone());
    }
    if let Ok(list) = values.cast::<PyList>() {
        return Ok(list.to_tuple());
    }
    Err(PyTypeError::new_err(format!(
        "a column must be a list or a tuple, not {}",
        values.get_type().name()?
    )))
}

/// A column in use: its source, and whether its cells are read as lists of texts.
pub struct Use<'py> {
    pub source: Source<'py>,
    pub as_lists: bool,
}

impl Use<'_> {
    /// Whether a cell may cost memory of ours, so that a chunk must not have too many of them.
    fn is_taken_by_cell(&self) -> bool {
        match self.source {
            Source::Cells(_) => true,
            Source::Arrow(_) => self.as_lists,
            Source::One(_) | Source::Lines(_) => false,
        }
    }
}

/// Rows of a chunk at most: enough to keep every thread busy, little enough to keep memory and Ctrl-C prompt.
const CHUNK_ROWS: usize = 4096;

/// Bytes of Python strings, and of lists of texts, after which a chunk ends, so that long rows do not fill the memory.
const CHUNK_BYTES: usize = 1 << 20;

/// The same for the first chunk, for which all threads wait.
const FIRST_BYTES: usize = CHUNK_BYTES / 8;

/// What a member of a list of texts costs beside its text.
const MEMBER_BYTES: usize = 16;

/// Some rows of every column in use, for threads that know nothing of Python.
pub struct Chunk {
    /// That their cells are `'static` is known to this module alone; `columns` lends them no longer than the chunk lives.
    columns: Vec<Column<'static>>,
    _owners: Vec<Owners>,
}

/// Whatever the cells of a column borrow from: it is kept beside them, and never changed.
#[derive(Default)]
struct Owners {
    /// Strings, bytes objects, and columns of Arrow memory or of lines.
    objects: Vec<Py<PyAny>>,
    texts: Vec<Arc<[u8]>>,
    /// Not boxes, whose contents nobody may borrow while the box itself is moved.
    lists: Vec<Arc<[&'static [u8]]>>,
}

impl Chunk {
    /// Takes the cells of the rows from `start` on, of `count` rows in all; returns the row behind the last one.
    pub fn take(uses: &[Use<'_>], start: usize, count: usize) -> PyResult<(Self, usize)> {
        let mut takers: Vec<Taker<'_, '_>> = uses.iter().map(Taker::new).collect();
        let limit = count.min(start + CHUNK_ROWS);
        let most = if start == 0 { FIRST_BYTES } else { CHUNK_BYTES };
        let takes_cells = uses.iter().any(Use::is_taken_by_cell);
        let mut end = if takes_cells { start } else { limit };
        let mut bytes = 0;
        while end < limit && bytes < most {
            for taker in &mut takers {
                bytes += taker.take_cell(end)?;
            }
            end += 1;
        }
        let taken = takers.into_iter().map(|taker| taker.finish(start..end)).collect::<PyResult<Vec<_>>>()?;
        let (columns, owners) = taken.into_iter().unzip();
        Ok((Self { columns, _owners: owners }, end))
    }

    /// The columns; the first row of the chunk is row 0.
    pub fn columns(&self) -> &[Column<'_>] {
        &self.columns
    }
}

impl Owners {
    /// A cell of a text whose object is kept.
    fn text(&mut self, held: Held<'_>) -> PyResult<Cell<'static>> {
        let cell = held.bytes()?.map_or(Cell::Other, |bytes| Cell::Text(outliving(bytes)));
        self.keep(held);
        Ok(cell)
    }

    fn keep(&mut self, held: Held<'_>) {
        match held {
            Held::Ascii(text) => self.objects.push(text.into_any().unbind()),
            Held::Bytes(bytes) => self.objects.push(bytes.into_any().unbind()),
            Held::Encoded(bytes) => self.texts.push(bytes),
            Held::Other => {}
        }
    }

    /// A cell of a list of texts whose objects are kept.
    fn list(&mut self, texts: Option<Vec<&[u8]>>) -> Cell<'static> {
        let Some(texts) = texts else { return Cell::Other };
        let texts: Arc<[&'static [u8]]> = texts.into_iter().map(outliving).collect();
        let list = Arc::as_ptr(&texts);
        self.lists.push(texts);
        // SAFETY: the list is kept beside the cell and never changed, and its memory stays where it is.
        Cell::Texts(unsafe { &*list })
    }
}

/// Bytes whose owner is kept beside them in a chunk.
fn outliving(bytes: &[u8]) -> &'static [u8] {
    // SAFETY: what calls this keeps the owner among the `Owners` of the same chunk: a string or bytes object, bytes of
    // ours behind a pointer that may move, an Arrow column, or a column of lines, none of which is ever changed.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) }
}

/// Takes the cells of a column.
struct Taker<'a, 'py> {
    column: &'a Use<'py>,
    cells: Vec<Cell<'static>>,
    owners: Owners,
}

impl<'a, 'py> Taker<'a, 'py> {
    fn new(column: &'a Use<'py>) -> Self {
        Self { column, cells: Vec::new(), owners: Owners::default() }
    }

    /// Takes the cell of a row where it may cost memory; returns how much, roughly.
    fn take_cell(&mut self, row: usize) -> PyResult<usize> {
        let (cell, copied) = match &self.column.source {
            Source::Cells(cells) => {
                let cell = self.cell_of(&cells.get_item(row)?)?;
                (cell, cell.size())
            }
            Source::Arrow(column) if self.column.as_lists => (self.arrow_list(column.get(), row), 0),
            _ => return Ok(0),
        };
        self.cells.push(cell);
        let members = if let Cell::Texts(members) = cell { members.len() } else { 0 };
        Ok(copied + MEMBER_BYTES * members)
    }

    fn cell_of(&mut self, value: &Bound<'_, PyAny>) -> PyResult<Cell<'static>> {
        if !self.column.as_lists {
            return self.owners.text(Held::take(value)?);
        }
        let held = hold_texts(value)?;
        let cell = self.owners.list(texts(held.as_ref())?);
        held.into_iter().flatten().for_each(|text| self.owners.keep(text));
        Ok(cell)
    }

    /// The column itself is among the owners once the chunk is finished.
    fn arrow_list(&mut self, column: &ArrowColumn, row: usize) -> Cell<'static> {
        let mut cell = Cell::Other;
        column.column.each(row, 1, |array, row| cell = self.owners.list(arrow::texts(array, row)));
        cell
    }

    /// The column of the rows, and what its cells borrow from.
    fn finish(mut self, rows: Range<usize>) -> PyResult<(Column<'static>, Owners)> {
        let column = match &self.column.source {
            Source::One(_) if self.column.as_lists => Column::One(Cell::Other),
            Source::One(text) => Column::One(self.owners.text(text.clone())?),
            Source::Cells(_) => Column::Many(self.cells),
            Source::Arrow(column) => {
                self.owners.objects.push(column.clone().into_any().unbind());
                if self.column.as_lists {
                    Column::Many(self.cells)
                } else {
                    Column::Unseen(column.get().cells(rows).map(outliving_cell).collect())
                }
            }
            Source::Lines(column) => {
                self.owners.objects.push(column.clone().into_any().unbind());
                let cells = column.get().cells(column.py(), rows, self.column.as_lists);
                Column::Many(cells.into_iter().map(outliving_cell).collect())
            }
        };
        Ok((column, self.owners))
    }
}

fn outliving_cell(cell: Cell<'_>) -> Cell<'static> {
    match cell {
        Cell::Text(text) => Cell::Text(outliving(text)),
        _ => Cell::Other,
    }
}

/// The texts of a list cell; none where it is no list of texts.
pub fn hold_texts<'py>(cell: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Held<'py>>>> {
    let Ok(members) = as_tuple(cell) else {
        return Ok(None);
    };
    let held = members.iter().map(|member| Held::take(&member)).collect::<PyResult<Vec<_>>>()?;
    Ok(if held.iter().any(|member| matches!(member, Held::Other)) { None } else { Some(held) })
}

fn texts<'a>(held: Option<&'a Vec<Held<'_>>>) -> PyResult<Option<Vec<&'a [u8]>>> {
    let Some(members) = held else {
        return Ok(None);
    };
    members.iter().map(|member| Ok(member.bytes()?.unwrap_or_default())).collect::<PyResult<_>>().map(Some)
}

/// Texts that an option gives, as bytes of our own.
pub fn owned_texts(values: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    let Some(held) = hold_texts(values)? else {
        return Err(PyTypeError::new_err("expected a list of str"));
    };
    held.iter().map(|text| Ok(text.bytes()?.unwrap_or_default().to_vec())).collect()
}

/// An index into `rows` rows.
pub fn checked(index: usize, rows: usize) -> PyResult<usize> {
    if index < rows { Ok(index) } else { Err(PyIndexError::new_err("row out of range")) }
}
