//! The native kernels of gradestone: what grades a row of text, without an interpreter in sight.
//!
//! # A tour
//!
//! A kernel is built once from checked options and then grades rows ([`batch::Kernel`]); [`batch::run`] gives it many
//! of them, on a few threads that end with the call. What it says of a row is a [`batch::Row`]: a code, a score, the
//! integers behind the score, and hits. Reasons for people are made from these in Python, when somebody reads them.
//!
//! - [`text`] says what a text is (generalised UTF-8: a lone surrogate is a symbol like any other), how it is lowercased
//!   and trimmed; [`tokenizer`] cuts it into pinned tokens and [`interner`] numbers them.
//! - [`bleu`] counts [`ngram`]s, [`rouge`] unigrams or the [`lcs`], [`jaccard`] sets.
//! - [`context`] matches two lists of texts by [`levenshtein`] distances that are cut off early.
//! - [`blocklist`] finds terms as whole words, [`pii`] seven kinds of personal data, [`matching`] compares texts, finds
//!   fragments, and searches patterns in linear time.
//! - [`limits`] is the table of caps. Only the `bindings` know Python.
//!
//! Each kernel has a plain twin in `python/gradestone/reference`, and must agree with it to the bit.
//!
//! # An example
//!
//! ```
//! use gradestone::batch::{Code, run};
//! use gradestone::bleu::Bleu;
//! use gradestone::text::Cell;
//! use std::sync::atomic::AtomicBool;
//!
//! let rows = [
//!     (Cell::Text(b"the cat sat"), Cell::Text(b"The cat sat.")),
//!     (Cell::Text(b""), Cell::Text(b"the cat")),
//! ];
//! let graded = run(&Bleu { threshold: 0.5 }, &rows, 1, &AtomicBool::new(false));
//! assert_eq!((graded[0].code, graded[0].stats), (Code::Ok, [3, 2, 1, 0, 3, 4]));
//! assert_eq!(graded[1].code, Code::EmptyCandidate);
//! ```

#[cfg(feature = "python")]
pub mod arrow;
pub mod batch;
#[cfg(feature = "python")]
mod bindings;
pub mod bleu;
pub mod blocklist;
pub mod context;
pub mod interner;
pub mod jaccard;
pub mod lcs;
pub mod levenshtein;
pub mod limits;
pub mod matching;
pub mod ngram;
pub mod pii;
pub mod rouge;
pub mod text;
pub mod tokenizer;
