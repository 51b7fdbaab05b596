//! Verdicts as an Arrow stream.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, RecordBatch, RecordBatchIterator,
    StringArray,
};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::rows::doubles;
use super::words::{Graded, as_verdicts};
use crate::batch::Hits;
use crate::splice::write_reason;

/// The names of codes and outcomes, and the outcome of each code; the first outcome is the one that passes.
type Names = (Vec<String>, Vec<u8>, Vec<String>);

/// The capsule of a stream of one batch: the columns passed, score, outcome and code. `codes` are indices into the
/// names.
#[pyfunction]
pub fn export_verdicts<'py>(
    py: Python<'py>,
    codes: &[u8],
    scores: &[u8],
    names: Names,
) -> PyResult<Bound<'py, PyCapsule>> {
    export(py, columns(codes, scores, names)?)
}

/// The same with the column reason. The wording is one of plain text, as are the reasons of single rows.
#[pyfunction]
pub fn export_reasoned<'py>(graded: Graded<'py>, names: Names) -> PyResult<Bound<'py, PyCapsule>> {
    let py = graded.0.py();
    let mut columns = columns(graded.1.as_bytes(), graded.2.as_bytes(), names)?;
    let none = Hits::default();
    let verdicts = as_verdicts(&graded, &none, graded.1.as_bytes().len())?;
    let reasons = py.detach(|| {
        let mut reason = Vec::new();
        let mut reasons = StringBuilder::with_capacity(verdicts.codes.len(), 32 * verdicts.codes.len());
        for row in 0..verdicts.codes.len() {
            reason.clear();
            write_reason(&verdicts, row, &mut reason);
            reasons.append_value(String::from_utf8_lossy(&reason));
        }
        reasons.finish()
    });
    columns.push(("reason", Arc::new(reasons)));
    export(py, columns)
}

fn columns(codes: &[u8], scores: &[u8], names: Names) -> PyResult<Vec<(&'static str, ArrayRef)>> {
    let (names, outcomes, outcome_names) = names;
    // Signed indices, which all readers take; there are far fewer than 128 of either.
    let refused = |number: u8| PyValueError::new_err(format!("no code or outcome has the number {number}"));
    let known = |number: u8, count: usize| i8::try_from(number).ok().filter(|_| usize::from(number) < count);
    let index = |number: u8, count: usize| known(number, count).ok_or_else(|| refused(number));
    let code = codes.iter().map(|code| index(*code, names.len().min(outcomes.len())));
    let code = Int8Array::from_iter_values(code.collect::<PyResult<Vec<i8>>>()?);
    let outcome = codes.iter().map(|code| index(outcomes[usize::from(*code)], outcome_names.len()));
    let outcome = Int8Array::from_iter_values(outcome.collect::<PyResult<Vec<i8>>>()?);
    let dictionary = |keys: Int8Array, names: Vec<String>| -> PyResult<ArrayRef> {
        let values = Arc::new(StringArray::from_iter_values(names));
        Ok(Arc::new(DictionaryArray::try_new(keys, values).map_err(refuse)?))
    };
    let passed = BooleanArray::from_iter(outcome.values().iter().map(|outcome| Some(*outcome == 0)));
    Ok(vec![
        ("passed", Arc::new(passed)),
        ("score", Arc::new(Float64Array::from_iter_values(doubles(scores).iter().copied()))),
        ("outcome", dictionary(outcome, outcome_names)?),
        ("code", dictionary(code, names)?),
    ])
}

fn export<'py>(py: Python<'py>, columns: Vec<(&'static str, ArrayRef)>) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = RecordBatch::try_from_iter(columns).map_err(refuse)?;
    let schema = batch.schema();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn refuse(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
