//! The kernels, made from checked options; twins of the classes of `gradestone.reference.batch`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::columns::owned_texts;
use super::grading::run_one;
use super::rows::Rows;
use crate::bleu::Bleu;
use crate::blocklist::Blocklist;
use crate::context::ContextF1;
use crate::jaccard::Jaccard;
use crate::matching::{Contains, ExactMatch, Pattern};
use crate::pii::Pii;
use crate::rouge::{Measure, Rouge, RougeType};
use crate::set::Grader;

/// A kernel that looks at the candidate alone.
#[pyclass(frozen, module = "gradestone._core")]
pub struct TextKernel(pub Grader);

#[pymethods]
impl TextKernel {
    fn run(slf: &Bound<'_, Self>, candidates: &Bound<'_, PyAny>, threads: usize) -> PyResult<Rows> {
        run_one(&slf.get().0, candidates, None, threads)
    }
}

/// A kernel that compares two columns.
#[pyclass(frozen, module = "gradestone._core")]
pub struct PairKernel(pub Grader);

#[pymethods]
impl PairKernel {
    fn run(
        slf: &Bound<'_, Self>,
        candidates: &Bound<'_, PyAny>,
        references: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Rows> {
        run_one(&slf.get().0, candidates, Some(references), threads)
    }
}

fn refuse_option(option: &str, value: &str) -> PyErr {
    PyValueError::new_err(format!("{option} cannot be {value:?}"))
}

fn parse_measure(measure: &str) -> PyResult<Measure> {
    Measure::parse(measure).ok_or_else(|| refuse_option("measure", measure))
}

#[pyfunction]
#[pyo3(name = "ExactMatch")]
pub fn exact_match(case_sensitive: bool, remove_punctuation: bool) -> PairKernel {
    PairKernel(Grader::ExactMatch(ExactMatch { case_sensitive, remove_punctuation }))
}

#[pyfunction]
#[pyo3(name = "Contains")]
pub fn contains(fragments: &Bound<'_, PyAny>, forbid: bool) -> PyResult<TextKernel> {
    Ok(TextKernel(Grader::Contains(Contains::new(&owned_texts(fragments)?, forbid))))
}

#[pyfunction]
#[pyo3(name = "Pattern")]
pub fn pattern(pattern: &str, forbid: bool) -> PyResult<TextKernel> {
    let kernel = Pattern::new(pattern, forbid).map_err(PyValueError::new_err)?;
    Ok(TextKernel(Grader::Pattern(kernel)))
}

#[pyfunction]
#[pyo3(name = "Blocklist")]
pub fn blocklist(terms: &Bound<'_, PyAny>) -> PyResult<TextKernel> {
    Ok(TextKernel(Grader::Blocklist(Blocklist::new(&owned_texts(terms)?))))
}

#[pyfunction]
#[pyo3(name = "Pii")]
pub fn pii(kinds: Vec<String>) -> PyResult<TextKernel> {
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let kernel = Pii::new(&kinds).ok_or_else(|| refuse_option("kinds", &kinds.join(", ")))?;
    Ok(TextKernel(Grader::Pii(kernel)))
}

#[pyfunction]
#[pyo3(name = "Bleu")]
pub fn bleu(threshold: f64) -> PairKernel {
    PairKernel(Grader::Bleu(Bleu { threshold }))
}

#[pyfunction]
#[pyo3(name = "Rouge")]
pub fn rouge(rouge_type: &str, measure: &str, threshold: f64) -> PyResult<PairKernel> {
    let kind = RougeType::parse(rouge_type).ok_or_else(|| refuse_option("rouge_type", rouge_type))?;
    Ok(PairKernel(Grader::Rouge(Rouge { kind, measure: parse_measure(measure)?, threshold })))
}

#[pyfunction]
#[pyo3(name = "Jaccard")]
pub fn jaccard(threshold: f64) -> PairKernel {
    PairKernel(Grader::Jaccard(Jaccard { threshold }))
}

#[pyfunction]
#[pyo3(name = "ContextF1")]
pub fn context_f1(measure: &str, similarity_threshold: f64, threshold: f64) -> PyResult<PairKernel> {
    let measure = parse_measure(measure)?;
    Ok(PairKernel(Grader::ContextF1(ContextF1 { measure, similarity_threshold, threshold })))
}
