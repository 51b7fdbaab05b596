//! Verdicts in words.

use std::collections::HashMap;

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
    ) -> Self {
        let mut phrases = vec![None; frames.len()];
        let fixed = fixed.into_iter().map(|(code, text)| (code, Phrase::Fixed(text)));
        let scored = scored.into_iter().map(|(code, (before, after))| (code, Phrase::Scored(before, after)));
        let hits = hits.into_iter();
        let hits = hits.map(|(code, (before, words, after))| (code, Phrase::Hits(before, words, after)));
        for (code, phrase) in fixed.chain(scored).chain(hits) {
            phrases[usize::from(code)] = Some(phrase);
        }
        let frames = frames.into_iter().map(|(front, middle)| Frame { front, middle }).collect();
        Self { frames, phrases }
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

/// The verdicts of a grader as the writer takes them; `none` are the hits where no kernel was asked.
pub fn as_verdicts<'a>(graded: &'a Graded<'_>, none: &'a Hits) -> Verdicts<'a> {
    let (wording, codes, scores, rows, reasons) = graded;
    let Wording { frames, phrases } = wording.get();
    Verdicts {
        frames,
        codes: codes.as_bytes(),
        scores: doubles(scores.as_bytes()),
        phrases,
        reasons: reasons.iter().map(|(row, reason)| (*row, reason.as_bytes())).collect(),
        hits: rows.as_ref().map_or(none, |rows| &rows.get().hits),
    }
}
