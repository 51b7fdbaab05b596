//! What kernels said about a batch, as Python sees it.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use super::columns::checked;
use crate::batch::{Hits, Row, STATS};

/// Verdicts as they come in, some rows at a time.
#[derive(Default)]
pub struct Gathered {
    codes: Vec<u8>,
    scores: Vec<f64>,
    /// Empty as long as no row had figures.
    stats: Vec<[u32; STATS]>,
    hits: Hits,
}

impl Gathered {
    pub fn with_capacity(rows: usize) -> Self {
        Self { codes: Vec::with_capacity(rows), scores: Vec::with_capacity(rows), ..Self::default() }
    }

    pub fn push(&mut self, row: &Row) {
        self.hits.add(self.codes.len(), &row.hits);
        if row.stats != [0; STATS] && self.stats.is_empty() {
            self.stats.reserve_exact(self.codes.capacity());
            self.stats.resize(self.codes.len(), [0; STATS]);
        }
        if !self.stats.is_empty() || row.stats != [0; STATS] {
            self.stats.push(row.stats);
        }
        self.codes.push(row.code as u8);
        self.scores.push(row.score);
    }

    pub fn finish(self, py: Python<'_>) -> PyResult<Rows> {
        let scores = PyBytes::new_with(py, 8 * self.scores.len(), |bytes| {
            for (place, score) in bytes.as_chunks_mut().0.iter_mut().zip(&self.scores) {
                *place = score.to_ne_bytes();
            }
            Ok(())
        })?;
        Ok(Rows {
            codes: PyBytes::new(py, &self.codes).unbind(),
            scores: scores.unbind(),
            count: self.codes.len(),
            stats: self.stats,
            hits: self.hits,
        })
    }
}

/// What a kernel said about a batch.
#[pyclass(frozen, module = "gradestone._core")]
pub struct Rows {
    codes: Py<PyBytes>,
    scores: Py<PyBytes>,
    count: usize,
    stats: Vec<[u32; STATS]>,
    pub hits: Hits,
}

#[pymethods]
impl Rows {
    fn __len__(&self) -> usize {
        self.len()
    }

    #[getter]
    fn codes(&self, py: Python<'_>) -> Py<PyBytes> {
        self.codes.clone_ref(py)
    }

    #[getter]
    fn scores(&self, py: Python<'_>) -> Py<PyBytes> {
        self.scores.clone_ref(py)
    }

    #[pyo3(signature = (index, /))]
    fn stats<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyTuple>> {
        let index = checked(index, self.count)?;
        PyTuple::new(py, self.stats.get(index).unwrap_or(&[0; STATS]))
    }

    #[pyo3(signature = (index, /))]
    fn hits<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.hits.of(checked(index, self.count)?))
    }
}

impl Rows {
    pub fn len(&self) -> usize {
        self.count
    }
}

/// Native doubles out of bytes.
pub fn doubles(bytes: &[u8]) -> Cow<'_, [f64]> {
    bytes.as_chunks().0.iter().map(|eight| f64::from_ne_bytes(*eight)).collect::<Vec<_>>().into()
}
