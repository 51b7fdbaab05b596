//! Columns as Python hands them over, and their cells for as long as a chunk is graded.
//!
//! An ASCII string is read where it lies; any other is encoded into a bytes object that lives for its chunk only, so
//! that CPython does not keep a second, UTF-8 copy of every string. Arrow columns and lines of JSON are read where
//! they lie.

use std::ops::Range;

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use super::arrow_in::ArrowColumn;
use super::lines::LineColumn;
use crate::set::Column;
use crate::text::Cell;

/// A Python string for as long as its chunk is graded.
pub enum Held<'py> {
    Ascii(Bound<'py, PyString>),
    Encoded(Bound<'py, PyBytes>),
    Other,
}

impl<'py> Held<'py> {
    pub fn take(value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(text) = value.cast::<PyString>() else {
            return Ok(Self::Other);
        };
        let py = value.py();
        if text.call_method0(pyo3::intern!(py, "isascii"))?.is_truthy()? {
            return Ok(Self::Ascii(text.clone()));
        }
        if let Ok(encoded) = text.encode_utf8() {
            return Ok(Self::Encoded(encoded));
        }
        // Only a lone surrogate keeps a text from being encoded.
        let encoded = text.call_method1(
            pyo3::intern!(py, "encode"),
            (pyo3::intern!(py, "utf-8"), pyo3::intern!(py, "surrogatepass")),
        )?;
        Ok(Self::Encoded(encoded.cast_into()?))
    }

    pub fn bytes(&self) -> PyResult<Option<&[u8]>> {
        Ok(match self {
            Self::Ascii(text) => Some(text.to_str()?.as_bytes()),
            Self::Encoded(bytes) => Some(bytes.as_bytes()),
            Self::Other => None,
        })
    }

    fn cell(&self) -> PyResult<Cell<'_>> {
        Ok(self.bytes()?.map_or(Cell::Other, Cell::Text))
    }

    fn size(&self) -> PyResult<usize> {
        Ok(self.bytes()?.map_or(0, <[u8]>::len))
    }
}

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

/// What holds the cells of a chunk.
enum Hold<'py> {
    /// The source itself.
    Source,
    Texts(Vec<Held<'py>>),
    Lists(Vec<Option<Vec<Held<'py>>>>),
}

/// A chunk: some rows of every column in use.
pub struct Chunk<'py> {
    pub rows: Range<usize>,
    holds: Vec<Hold<'py>>,
}

/// Rows of a chunk at most: enough to keep every thread busy, little enough to keep memory and Ctrl-C prompt.
const CHUNK_ROWS: usize = 4096;

/// Bytes of Python strings after which a chunk ends, so that long rows do not fill the memory.
const CHUNK_BYTES: usize = 4 << 20;

impl<'py> Chunk<'py> {
    /// Takes the cells of the rows from `start` on, of `count` rows in all.
    pub fn take(uses: &[Use<'py>], start: usize, count: usize) -> PyResult<Self> {
        let mut holds: Vec<Hold<'py>> = uses.iter().map(Use::empty_hold).collect();
        let limit = count.min(start + CHUNK_ROWS);
        let mut bytes = 0;
        let mut end = start;
        if holds.iter().all(|hold| matches!(hold, Hold::Source)) {
            end = limit;
        }
        while end < limit && bytes < CHUNK_BYTES {
            for (column, hold) in uses.iter().zip(&mut holds) {
                bytes += hold.push(&column.source, end)?;
            }
            end += 1;
        }
        Ok(Self { rows: start..end, holds })
    }

    /// The members of the lists of each column; none for a column of texts.
    pub fn members<'a>(&'a self, uses: &'a [Use<'py>]) -> PyResult<Vec<Members<'a>>> {
        let members = |(column, hold)| self.members_of(column, hold);
        uses.iter().zip(&self.holds).map(members).collect()
    }

    fn members_of<'a>(&'a self, column: &'a Use<'py>, hold: &'a Hold<'py>) -> PyResult<Members<'a>> {
        match (hold, &column.source) {
            (Hold::Lists(lists), _) => lists.iter().map(|list| texts(list.as_ref())).collect(),
            (Hold::Source, Source::Arrow(arrow)) if column.as_lists => {
                let mut lists = Vec::with_capacity(self.rows.len());
                let push = |array, row| lists.push(crate::arrow::texts(array, row));
                arrow.get().column.each(self.rows.start, self.rows.len(), push);
                Ok(lists)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The columns of the chunk; its first row is row 0.
    pub fn columns<'a>(
        &'a self,
        uses: &'a [Use<'py>],
        members: &'a [Members<'a>],
    ) -> PyResult<Vec<Column<'a>>> {
        let column = |((column, hold), members)| self.column(column, hold, members);
        uses.iter().zip(&self.holds).zip(members).map(column).collect()
    }

    fn column<'a>(
        &'a self,
        column: &'a Use<'py>,
        hold: &'a Hold<'py>,
        members: &'a Members<'a>,
    ) -> PyResult<Column<'a>> {
        if let Source::One(text) = &column.source {
            return Ok(Column::One(if column.as_lists { Cell::Other } else { text.cell()? }));
        }
        if column.as_lists && !matches!(column.source, Source::Lines(_)) {
            let cell = |list: &'a Option<Vec<&'a [u8]>>| {
                list.as_ref().map_or(Cell::Other, |texts| Cell::Texts(texts))
            };
            return Ok(Column::Many(members.iter().map(cell).collect()));
        }
        Ok(match (hold, &column.source) {
            (Hold::Texts(texts), _) => Column::Many(texts.iter().map(Held::cell).collect::<PyResult<_>>()?),
            (_, Source::Arrow(arrow)) => {
                let mut cells = Vec::with_capacity(self.rows.len());
                let push =
                    |array, row| cells.push(crate::arrow::text(array, row).map_or(Cell::Other, Cell::Text));
                arrow.get().column.each(self.rows.start, self.rows.len(), push);
                Column::Many(cells)
            }
            (_, Source::Lines(lines)) => {
                Column::Many(lines.get().cells(lines.py(), self.rows.clone(), column.as_lists))
            }
            _ => Column::One(Cell::Other),
        })
    }
}

/// The lists of a chunk's column, as texts.
pub type Members<'a> = Vec<Option<Vec<&'a [u8]>>>;

impl<'py> Use<'py> {
    fn empty_hold(&self) -> Hold<'py> {
        match (&self.source, self.as_lists) {
            (Source::Cells(_), true) => Hold::Lists(Vec::new()),
            (Source::Cells(_), false) => Hold::Texts(Vec::new()),
            _ => Hold::Source,
        }
    }
}

impl<'py> Hold<'py> {
    /// Takes the cell of a row; returns its bytes.
    fn push(&mut self, source: &Source<'py>, row: usize) -> PyResult<usize> {
        let Source::Cells(cells) = source else { return Ok(0) };
        let cell = cells.get_item(row)?;
        match self {
            Self::Source => Ok(0),
            Self::Texts(texts) => {
                let held = Held::take(&cell)?;
                let size = held.size()?;
                texts.push(held);
                Ok(size)
            }
            Self::Lists(lists) => {
                let held = hold_texts(&cell)?;
                let sizes = held.iter().flatten().map(Held::size).sum::<PyResult<usize>>();
                lists.push(held);
                sizes
            }
        }
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
