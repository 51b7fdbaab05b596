//! Verdicts in words.

use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::rows::{Rows, doubles};
use crate::batch::Hits;
use crate::splice::{Frame, Phrase, Verdicts};

/// How the verdicts of a grader are put into words: a frame a code, and a phrase for the codes of its kernel.
#[pyclass(frozen, module = "gradestone._core")]
pub struct Wording {
    frames: Vec<Frame>,
    phrases: Vec<Option<Phrase>>,
}

/// What stands before what hit, a word for each, what stands behind.
type Listed = (Vec<u8>, Vec<Vec<u8>>, Vec<u8>);

#[pymethods]
impl Wording {
    /// `frames`: what stands before and behind the score, by code. `fixed`, `scored`, `hits`: phrases by code, of
    /// JSON strings for lines of JSON, of plain text for a column.
    #[new]
    fn new(
        frames: Vec<(Vec<u8>, Vec<u8>)>,
        fixed: HashMap<u8, Vec<u8>>,
        scored: HashMap<u8, (Vec<u8>, Vec<u8>)>,
        hits: HashMap<u8, Listed>,
    ) -> PyResult<Self> {
        let mut phrases = vec![None; frames.len()];
        let fixed = fixed.into_iter().map(|(code, text)| (code, Phrase::Fixed(text)));
        let scored = scored.into_iter().map(|(code, (before, after))| (code, Phrase::Scored(before, after)));
        let hits = hits.into_iter();
        let hits = hits.map(|(code, (before, words, after))| (code, Phrase::Hits(before, words, after)));
        for (code, phrase) in fixed.chain(scored).chain(hits) {
            let place = phrases.get_mut(usize::from(code));
            *place.ok_or_else(|| PyValueError::new_err(format!("there is no frame for code {code}")))? =
                Some(phrase);
        }
        let frames = frames.into_iter().map(|(front, middle)| Frame { front, middle }).collect();
        Ok(Self { frames, phrases })
    }
}

/// The verdicts of one grader: the wording, codes, scores, what the kernel said, the reasons of single rows.
pub type Graded<'py> = (
    Bound<'py, Wording>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Option<Bound<'py, Rows>>,
    HashMap<usize, Bound<'py, PyBytes>>,
);

/// The verdicts of a grader on `count` rows as the writer takes them; `none` are the hits where no kernel was asked.
///
/// # Errors
/// That something is missing: a verdict of a row, or the words for one.
pub fn as_verdicts<'a>(graded: &'a Graded<'_>, none: &'a Hits, count: usize) -> PyResult<Verdicts<'a>> {
    let (wording, codes, scores, rows, reasons) = graded;
    let Wording { frames, phrases } = wording.get();
    let lengths = [codes.as_bytes().len(), scores.as_bytes().len() / size_of::<f64>()];
    let kernel_rows = rows.as_ref().map_or(count, |rows| rows.get().len());
    if lengths != [count; 2] || kernel_rows != count {
        return Err(PyValueError::new_err(format!("{count} rows need as many verdicts, not {}", lengths[0])));
    }
    let has_words = |row: usize, code: u8| match phrases.get(usize::from(code)) {
        Some(phrase) => phrase.is_some() || reasons.contains_key(&row),
        None => false,
    };
    if let Some((row, code)) =
        codes.as_bytes().iter().enumerate().find(|(row, code)| !has_words(*row, **code))
    {
        return Err(PyValueError::new_err(format!("row {row}: there are no words for code {code}")));
    }
    Ok(Verdicts {
        frames,
        codes: codes.as_bytes(),
        scores: doubles(scores.as_bytes()),
        phrases,
        reasons: reasons.iter().map(|(row, reason)| (*row, reason.as_bytes())).collect(),
        hits: rows.as_ref().map_or(none, |rows| &rows.get().hits),
    })
}
