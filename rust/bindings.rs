//! The Python face: converts columns in, rows out, and does nothing else.
//!
//! A call takes its cells under the interpreter's lock a chunk at a time, lets the lock go while the chunk is graded,
//! and takes it again for the next. An ASCII string is read where it lies; any other is encoded into a bytes object
//! that lives for its chunk only, so that CPython does not keep a second, UTF-8 copy of every string.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use arrow_array::ArrayRef;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString, PyTuple};

use crate::batch::{self, Code, Kernel, Row, STATS};
use crate::context::ContextInput;
use crate::text::Cell;
use crate::{arrow, bleu, blocklist, context, jaccard, limits, matching, pii, rouge};

/// Rows that are held at a time: enough to keep every thread busy, little enough to keep memory and Ctrl-C prompt.
const CHUNK_ROWS: usize = 4096;

/// A cell of a column for as long as its chunk is graded.
enum Held<'py> {
    Ascii(Bound<'py, PyString>),
    Encoded(Bound<'py, PyBytes>),
    Other,
}

impl<'py> Held<'py> {
    fn take(value: &Bound<'py, PyAny>) -> PyResult<Self> {
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

    fn bytes(&self) -> PyResult<Option<&[u8]>> {
        Ok(match self {
            Self::Ascii(text) => Some(text.to_str()?.as_bytes()),
            Self::Encoded(bytes) => Some(bytes.as_bytes()),
            Self::Other => None,
        })
    }

    fn cell(&self) -> PyResult<Cell<'_>> {
        Ok(self.bytes()?.map_or(Cell::Other, Cell::Text))
    }
}

/// A column: one text for every row, or a cell a row.
enum Column<'py> {
    One(Held<'py>),
    Many(Bound<'py, PyTuple>),
}

impl<'py> Column<'py> {
    fn new(values: &Bound<'py, PyAny>, rows: usize) -> PyResult<Self> {
        if values.is_instance_of::<PyString>() {
            return Ok(Self::One(Held::take(values)?));
        }
        let values = as_tuple(values)?;
        check_length(rows, values.len())?;
        Ok(Self::Many(values))
    }

    fn hold(&self, rows: Range<usize>) -> PyResult<Vec<Held<'py>>> {
        match self {
            Self::One(_) => Ok(Vec::new()),
            Self::Many(values) => hold(values, rows),
        }
    }

    fn cell<'a>(&'a self, held: &'a [Held<'py>], offset: usize) -> PyResult<Cell<'a>> {
        match self {
            Self::One(text) => text.cell(),
            Self::Many(_) => held[offset].cell(),
        }
    }
}

fn hold<'py>(column: &Bound<'py, PyTuple>, rows: Range<usize>) -> PyResult<Vec<Held<'py>>> {
    rows.map(|row| Held::take(&column.get_item(row)?)).collect()
}

fn check_length(rows: usize, other: usize) -> PyResult<()> {
    if rows == other {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("columns differ in length: {rows} and {other} rows")))
}

/// The cells as a tuple of our own: a list that another thread changes meanwhile changes nothing here.
fn as_tuple<'py>(values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
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

/// What a kernel said about a batch.
#[pyclass(frozen, module = "gradestone._core")]
#[derive(Default)]
struct Rows {
    codes: Vec<u8>,
    scores: Vec<f64>,
    stats: Vec<[u32; STATS]>,
    hits: HashMap<usize, Vec<u32>>,
}

impl Rows {
    fn extend(&mut self, rows: Vec<Row>) {
        for row in rows {
            if !row.hits.is_empty() {
                self.hits.insert(self.codes.len(), row.hits);
            }
            self.codes.push(row.code as u8);
            self.scores.push(row.score);
            self.stats.push(row.stats);
        }
    }
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.codes.len()
    }

    #[getter]
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.codes)
    }

    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.scores.iter().flat_map(|score| score.to_ne_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    #[pyo3(signature = (index, /))]
    fn stats<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyTuple>> {
        let stats = self.stats.get(index).ok_or_else(|| PyIndexError::new_err("row out of range"))?;
        PyTuple::new(py, stats)
    }

    #[pyo3(signature = (index, /))]
    fn hits<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyTuple>> {
        if index >= self.codes.len() {
            return Err(PyIndexError::new_err("row out of range"));
        }
        PyTuple::new(py, self.hits.get(&index).map_or(&[][..], Vec::as_slice))
    }
}

/// Grades a batch chunk by chunk. `grade_chunk` takes the cells of its rows under the lock and lets it go to grade.
fn in_chunks(
    py: Python<'_>,
    count: usize,
    mut grade_chunk: impl FnMut(Range<usize>) -> PyResult<Vec<Row>>,
) -> PyResult<Rows> {
    let mut rows = Rows::default();
    let mut start = 0;
    while start < count {
        let end = (start + CHUNK_ROWS).min(count);
        rows.extend(grade_chunk(start..end)?);
        py.check_signals()?;
        start = end;
    }
    Ok(rows)
}

fn detached<Input: Send + Sync, K: Kernel<Input>>(
    py: Python<'_>,
    kernel: &K,
    inputs: &[Input],
    threads: usize,
) -> Vec<Row> {
    let stop = AtomicBool::new(false);
    py.detach(|| batch::run(kernel, inputs, threads, &stop))
}

fn run_texts<K>(kernel: &K, candidates: &Bound<'_, PyAny>, threads: usize) -> PyResult<Rows>
where
    K: for<'a> Kernel<Cell<'a>>,
{
    let py = candidates.py();
    let candidates = as_tuple(candidates)?;
    in_chunks(py, candidates.len(), |rows| {
        let held = hold(&candidates, rows)?;
        let cells = held.iter().map(Held::cell).collect::<PyResult<Vec<_>>>()?;
        Ok(detached(py, kernel, &cells, threads))
    })
}

fn run_pairs<K>(
    kernel: &K,
    candidates: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<Rows>
where
    K: for<'a> Kernel<(Cell<'a>, Cell<'a>)>,
{
    let py = candidates.py();
    let candidates = as_tuple(candidates)?;
    let references = Column::new(references, candidates.len())?;
    in_chunks(py, candidates.len(), |rows| {
        let held = hold(&candidates, rows.clone())?;
        let beside = references.hold(rows)?;
        let cells = held
            .iter()
            .enumerate()
            .map(|(offset, cell)| Ok((cell.cell()?, references.cell(&beside, offset)?)))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(detached(py, kernel, &cells, threads))
    })
}

/// The texts of a list cell; `None` where it is no list of texts.
fn hold_texts<'py>(cell: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Held<'py>>>> {
    let Ok(members) = as_tuple(cell) else {
        return Ok(None);
    };
    let held = hold(&members, 0..members.len())?;
    Ok(if held.iter().any(|member| matches!(member, Held::Other)) { None } else { Some(held) })
}

fn texts<'a>(held: Option<&'a Vec<Held<'_>>>) -> PyResult<Option<Vec<&'a [u8]>>> {
    let Some(members) = held else {
        return Ok(None);
    };
    members.iter().map(|member| Ok(member.bytes()?.unwrap_or_default())).collect::<PyResult<_>>().map(Some)
}

fn refuse_option(option: &str, value: &str) -> PyErr {
    PyValueError::new_err(format!("{option} cannot be {value:?}"))
}

/// Equality after normalisation; twin of `gradestone.reference.batch.ExactMatch`, as the classes below are of theirs.
#[pyclass(frozen, module = "gradestone._core")]
struct ExactMatch(matching::ExactMatch);

#[pymethods]
impl ExactMatch {
    #[new]
    fn new(case_sensitive: bool, remove_punctuation: bool) -> Self {
        Self(matching::ExactMatch { case_sensitive, remove_punctuation })
    }

    fn run(
        &self,
        candidates: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Rows> {
        run_pairs(&self.0, candidates, references, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Contains(matching::Contains);

#[pymethods]
impl Contains {
    #[new]
    fn new(fragments: &Bound<'_, PyAny>, forbid: bool) -> PyResult<Self> {
        Ok(Self(matching::Contains::new(&owned_texts(fragments)?, forbid)))
    }

    fn run(&self, candidates: &Bound<'_, PyAny>, threads: usize) -> PyResult<Rows> {
        run_texts(&self.0, candidates, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Pattern(matching::Pattern);

#[pymethods]
impl Pattern {
    #[new]
    fn new(pattern: &str, forbid: bool) -> PyResult<Self> {
        matching::Pattern::new(pattern, forbid).map(Self).map_err(PyValueError::new_err)
    }

    fn run(&self, candidates: &Bound<'_, PyAny>, threads: usize) -> PyResult<Rows> {
        run_texts(&self.0, candidates, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Blocklist(blocklist::Blocklist);

#[pymethods]
impl Blocklist {
    #[new]
    fn new(terms: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(blocklist::Blocklist::new(&owned_texts(terms)?)))
    }

    fn run(&self, candidates: &Bound<'_, PyAny>, threads: usize) -> PyResult<Rows> {
        run_texts(&self.0, candidates, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Pii(pii::Pii);

#[pymethods]
impl Pii {
    #[new]
    fn new(kinds: Vec<String>) -> PyResult<Self> {
        let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
        pii::Pii::new(&kinds).map(Self).ok_or_else(|| refuse_option("kinds", &kinds.join(", ")))
    }

    fn run(&self, candidates: &Bound<'_, PyAny>, threads: usize) -> PyResult<Rows> {
        run_texts(&self.0, candidates, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Bleu(bleu::Bleu);

#[pymethods]
impl Bleu {
    #[new]
    fn new(threshold: f64) -> Self {
        Self(bleu::Bleu { threshold })
    }

    fn run(
        &self,
        candidates: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Rows> {
        run_pairs(&self.0, candidates, references, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Rouge(rouge::Rouge);

#[pymethods]
impl Rouge {
    #[new]
    fn new(rouge_type: &str, measure: &str, threshold: f64) -> PyResult<Self> {
        let kind =
            rouge::RougeType::parse(rouge_type).ok_or_else(|| refuse_option("rouge_type", rouge_type))?;
        let measure = rouge::Measure::parse(measure).ok_or_else(|| refuse_option("measure", measure))?;
        Ok(Self(rouge::Rouge { kind, measure, threshold }))
    }

    fn run(
        &self,
        candidates: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Rows> {
        run_pairs(&self.0, candidates, references, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct Jaccard(jaccard::Jaccard);

#[pymethods]
impl Jaccard {
    #[new]
    fn new(threshold: f64) -> Self {
        Self(jaccard::Jaccard { threshold })
    }

    fn run(
        &self,
        candidates: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Rows> {
        run_pairs(&self.0, candidates, references, threads)
    }
}

#[pyclass(frozen, module = "gradestone._core")]
struct ContextF1(context::ContextF1);

#[pymethods]
impl ContextF1 {
    #[new]
    fn new(measure: &str, similarity_threshold: f64, threshold: f64) -> PyResult<Self> {
        let measure = rouge::Measure::parse(measure).ok_or_else(|| refuse_option("measure", measure))?;
        Ok(Self(context::ContextF1 { measure, similarity_threshold, threshold }))
    }

    fn run(
        &self,
        candidates: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Rows> {
        let py = candidates.py();
        let (retrieved, expected) = (as_tuple(candidates)?, as_tuple(references)?);
        check_length(retrieved.len(), expected.len())?;
        in_chunks(py, retrieved.len(), |rows| {
            let held = rows
                .map(|row| {
                    Ok((hold_texts(&retrieved.get_item(row)?)?, hold_texts(&expected.get_item(row)?)?))
                })
                .collect::<PyResult<Vec<_>>>()?;
            let inputs = held
                .iter()
                .map(|(retrieved, expected)| {
                    Ok(ContextInput {
                        retrieved: texts(retrieved.as_ref())?,
                        expected: texts(expected.as_ref())?,
                    })
                })
                .collect::<PyResult<Vec<_>>>()?;
            Ok(detached(py, &self.0, &inputs, threads))
        })
    }
}

fn owned_texts(values: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u8>>> {
    let Some(held) = hold_texts(values)? else {
        return Err(PyTypeError::new_err("expected a list of str"));
    };
    held.iter().map(|text| Ok(text.bytes()?.unwrap_or_default().to_vec())).collect()
}

/// The cells of anything with the Arrow `PyCapsule` interface, as Python values; a null is `None`.
#[pyfunction]
fn read_arrow_column<'py>(values: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyList>> {
    let refuse = |message: String| PyTypeError::new_err(format!("{name}: {message}"));
    let list = PyList::empty(values.py());
    for array in import_arrow(values)?.map_err(refuse)? {
        append_cells(&list, &array, &refuse)?;
    }
    Ok(list)
}

fn import_arrow(values: &Bound<'_, PyAny>) -> PyResult<Result<Vec<ArrayRef>, String>> {
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

fn append_cells(
    list: &Bound<'_, PyList>,
    array: &ArrayRef,
    refuse: &dyn Fn(String) -> PyErr,
) -> PyResult<()> {
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
                append_cells(&inner, &members, refuse)?;
                list.append(inner)
            }
        }
        .map_err(Refusal::Python)
    });
    outcome.map_err(|refusal| match refusal {
        Refusal::Type(message) => refuse(message),
        Refusal::Python(error) => error,
    })
}

/// Why a column could not be read: its type, or an error of the interpreter.
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

/// The compiled kernels of gradestone.
#[pymodule]
mod _core {
    use super::{Bound, Code, PyDict, PyDictMethods, PyModule, PyModuleMethods, PyResult, PyTuple, limits};

    #[pymodule_export]
    use super::{
        Bleu, Blocklist, Contains, ContextF1, ExactMatch, Jaccard, Pattern, Pii, Rouge, Rows,
        read_arrow_column,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let limits = PyDict::new(py);
        for (name, value) in limits::TABLE {
            limits.set_item(name, value)?;
        }
        let (major, minor, patch) = char::UNICODE_VERSION;
        module.add("CODES", PyTuple::new(py, Code::NAMES)?)?;
        module.add("LIMITS", limits)?;
        module.add("UNICODE_VERSION", (major, minor, patch))?;
        module.add("VERSION", env!("CARGO_PKG_VERSION"))
    }
}
