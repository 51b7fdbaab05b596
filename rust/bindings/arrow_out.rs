//! Verdicts as an Arrow stream.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, RecordBatch, RecordBatchIterator, StringArray,
    Int8Array,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::rows::doubles;

/// The capsule of a stream of one batch: the columns passed, score, outcome and code.
///
/// `codes` has one index a row into `names`; `outcomes` has, for each of these, an index into `outcome_names`, of
/// which the first is the one that passes.
#[pyfunction]
pub fn export_verdicts<'py>(
    py: Python<'py>,
    codes: &[u8],
    scores: &[u8],
    names: Vec<String>,
    outcomes: Vec<u8>,
    outcome_names: Vec<String>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let refuse = |error: arrow_schema::ArrowError| PyValueError::new_err(error.to_string());
    // Signed indices, which all readers take; there are far fewer than 128 of either.
    let index = |number: u8| i8::try_from(number).unwrap_or_default();
    let outcome = Int8Array::from_iter_values(codes.iter().map(|code| index(outcomes[usize::from(*code)])));
    let dictionary = |keys: Int8Array, names: Vec<String>| -> PyResult<ArrayRef> {
        let values = Arc::new(StringArray::from_iter_values(names));
        Ok(Arc::new(DictionaryArray::try_new(keys, values).map_err(refuse)?))
    };
    let passed = BooleanArray::from_iter(outcome.values().iter().map(|outcome| Some(*outcome == 0)));
    let columns: [(&str, ArrayRef); 4] = [
        ("passed", Arc::new(passed)),
        ("score", Arc::new(Float64Array::from_iter_values(doubles(scores).iter().copied()))),
        ("outcome", dictionary(outcome, outcome_names)?),
        ("code", dictionary(Int8Array::from_iter_values(codes.iter().map(|code| index(*code))), names)?),
    ];
    let batch = RecordBatch::try_from_iter(columns).map_err(refuse)?;
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
