//! The native kernels of gradestone: what grades a row of text, without an interpreter in sight.
//!
//! # A tour
//!
//! A kernel is built once from checked options and then grades rows ([`batch::Kernel`]). What it says of a row is a
//! [`batch::Row`]: a code, a score, the integers behind the score, and hits. Reasons for people are made from these,
//! when somebody reads them. A [`set`] of kernels goes over the rows of a batch in one pass, and [`threads`] share
//! them.
//!
//! - [`text`] says what a text is (generalised UTF-8: a lone surrogate is a symbol like any other), how it is lowercased
//!   and trimmed; [`tokenizer`] cuts it into pinned tokens and [`interner`] numbers them.
//! - [`bleu`] counts [`ngram`]s, [`rouge`] unigrams or the [`lcs`], [`jaccard`] sets.
//! - [`context`] matches two lists of texts by [`levenshtein`] distances that are cut off early.
//! - [`blocklist`] finds terms as whole words, [`pii`] seven kinds of personal data, [`matching`] compares texts, finds
//!   fragments, and searches patterns in linear time.
//! - [`jsonl`] reads lines of JSON into columns, [`splice`] writes them again with the verdicts on them.
//! - [`limits`] is the table of caps. Only the `bindings` know Python.
//!
//! Each kernel has a plain twin in `python/gradestone/reference`, and must agree with it to the bit.
//!
//! # An example
//!
//! ```
//! use gradestone::batch::Code;
//! use gradestone::bleu::Bleu;
//! use gradestone::set::{Column, Grader, Scratch, Task, grade_rows};
//! use gradestone::text::Cell;
//! use gradestone::threads::Watch;
//! use std::sync::atomic::AtomicBool;
//!
//! let columns = [
//!     Column::Many(vec![Cell::Text(b"the cat sat"), Cell::Text(b"")]),
//!     Column::One(Cell::Text(b"The cat sat.")),
//! ];
//! let bleu = Grader::Bleu(Bleu { threshold: 0.5 });
//! let tasks = [Task { grader: &bleu, candidate: 0, reference: 1 }];
//! let stop = AtomicBool::new(false);
//! let graded = grade_rows(&tasks, &columns, 0..2, &mut Scratch::default(), &mut Watch::follower(&stop));
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
pub mod classes;
pub mod context;
mod cpu;
pub mod interner;
pub mod jaccard;
pub mod jsonl;
pub mod lcs;
pub mod levenshtein;
pub mod limits;
pub mod matching;
pub mod ngram;
pub mod pii;
pub mod prefixes;
pub mod rouge;
pub mod set;
pub mod splice;
pub mod text;
pub mod threads;
pub mod tokenizer;
pub mod utf32;
