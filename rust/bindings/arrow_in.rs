//! Arrow columns that Python hands over, read where they lie.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ArrayRef;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList};

use super::columns::checked;
use crate::arrow::{self, Chunked};
use crate::text::Cell;

/// A column of anything with the Arrow `PyCapsule` interface. Its cells become Python values when they are asked for;
/// a null is `None`, and what is no UTF-8 among texts is `bytes`.
#[pyclass(frozen, module = "gradestone._core")]
pub struct ArrowColumn {
    pub column: Chunked,
}

impl ArrowColumn {
    /// The cells of some rows, as texts, which may be no UTF-8.
    pub fn cells(&self, rows: Range<usize>) -> impl Iterator<Item = Cell<'_>> {
        let mut cells = Vec::with_capacity(rows.len());
        let push = |array, row| cells.push(arrow::text(array, row).map_or(Cell::Other, Cell::Text));
        self.column.each(rows.start, rows.len(), push);
        cells.into_iter()
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
        // SAFETY: the pointer is that of a capsule of this name, which the protocol lets us consume; the move leaves
        // its struct marked as released.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.cast()) };
        // Without the lock, which a producer may need in threads of its own to make what is asked for.
        return Ok(values.py().detach(|| guarded(|| arrow::import_stream(stream))));
    }
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        values.call_method0("__arrow_c_array__")?.extract()?;
    let (schema, array) = (pointer(&schema, c"arrow_schema")?, pointer(&array, c"arrow_array")?);
    // SAFETY: as above, and both capsules come from one call.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.cast()), FFI_ArrowArray::from_raw(array.cast())) };
    Ok(guarded(|| arrow::import_array(&schema, array)).map(|array| vec![array]))
}

/// The crate checks with assertions that buffers are there and lengths can be.
fn guarded<T>(import: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(import)).unwrap_or_else(|_| Err("the Arrow data is malformed".to_owned()))
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
            arrow::Value::Bytes(value) => list.append(PyBytes::new(py, value)),
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
