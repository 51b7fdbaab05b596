//! Arrow columns that Python hands over, read where they lie.

use std::ops::Range;

use arrow_array::ArrayRef;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};

use super::columns::checked;
use crate::arrow::{self, Chunked};
use crate::text::Cell;

/// A column of anything with the Arrow `PyCapsule` interface. Its cells become Python values when they are asked for;
/// a null is `None`.
#[pyclass(frozen, module = "gradestone._core")]
pub struct ArrowColumn {
    pub column: Chunked,
}

impl ArrowColumn {
    /// The cells of some rows, as texts.
    pub fn cells(&self, rows: Range<usize>) -> impl Iterator<Item = Cell<'_>> {
        let mut cells = Vec::with_capacity(rows.len());
        let push = |array, row| cells.push(arrow::text(array, row).map_or(Cell::Other, Cell::Text));
        self.column.each(rows.start, rows.len(), push);
        cells.into_iter()
    }

    /// The cells of some rows, as lists of texts.
    pub fn texts(&self, rows: Range<usize>) -> Vec<Option<Vec<&[u8]>>> {
        let mut lists = Vec::with_capacity(rows.len());
        self.column.each(rows.start, rows.len(), |array, row| lists.push(arrow::texts(array, row)));
        lists
    }
}

#[pymethods]
impl ArrowColumn {
    #[new]
    fn new(values: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let refuse = |message: String| PyTypeError::new_err(format!("{name}: {message}"));
        let arrays = import(values)?.map_err(refuse)?;
        Ok(Self { column: Chunked::new(arrays).map_err(refuse)? })
    }

    fn __len__(&self) -> usize {
        self.column.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let row = self.column.row(checked(index, self.column.len())?);
        let cell = PyList::empty(py);
        append_cells(&cell, &row)?;
        cell.get_item(0)
    }
}

fn import(values: &Bound<'_, PyAny>) -> PyResult<Result<Vec<ArrayRef>, String>> {
    if values.hasattr("__arrow_c_stream__")? {
        let capsule = values.call_method0("__arrow_c_stream__")?;
        let stream = pointer(&capsule, c"arrow_array_stream")?;
        // SAFETY: the pointer is that of a capsule of this name, which the protocol lets us consume.
        return Ok(unsafe { arrow::import_stream(stream.cast()) });
    }
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        values.call_method0("__arrow_c_array__")?.extract()?;
    let (schema, array) = (pointer(&schema, c"arrow_schema")?, pointer(&array, c"arrow_array")?);
    // SAFETY: as above, and both capsules come from one call.
    Ok(unsafe { arrow::import_array(schema.cast(), array.cast()) }.map(|array| vec![array]))
}

fn pointer(capsule: &Bound<'_, PyAny>, name: &std::ffi::CStr) -> PyResult<*mut std::ffi::c_void> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.as_ptr())
}

fn append_cells(list: &Bound<'_, PyList>, array: &ArrayRef) -> PyResult<()> {
    let py = list.py();
    let outcome: Result<(), Refusal> = arrow::each_value(array, &mut |value| {
        match value {
            arrow::Value::Null => list.append(py.None()),
            arrow::Value::Bool(value) => list.append(value),
            arrow::Value::Int(value) => list.append(value),
            arrow::Value::Unsigned(value) => list.append(value),
            arrow::Value::Float(value) => list.append(value),
            arrow::Value::Text(value) => list.append(value),
            arrow::Value::List(members) => {
                let inner = PyList::empty(py);
                append_cells(&inner, &members)?;
                list.append(inner)
            }
        }
        .map_err(Refusal::Python)
    });
    outcome.map_err(|refusal| match refusal {
        Refusal::Type(message) => PyTypeError::new_err(message),
        Refusal::Python(error) => error,
    })
}

/// Why a cell could not be read: its type, or an error of the interpreter.
enum Refusal {
    Type(String),
    Python(PyErr),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Type(message)
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}
