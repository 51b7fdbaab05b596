//! Fuzz targets for the kernels, each held against an oracle.
//!
//! An [`oracle`] is the reference's rule in the plainest Rust there is: code points, tables, lists walked from end to
//! end. `tests/vectors.rs` holds each to the shipped vectors, so that it is the rule and not somebody's memory of it.
//! A target ([`targets`]) reads options and texts out of the fuzzer's bytes ([`input`], [`words`]), has the kernel
//! grade them as the extension does ([`harness`]), and compares code, score to the bit, integers and hits.
//!
//! `make fuzz` runs them; a target's binary is libFuzzer's, and takes its flags.

pub mod harness;
pub mod input;
pub mod json;
pub mod oracle;
pub mod targets;
pub mod vectors;
pub mod words;

/// A text: its code points, lone surrogates among them.
pub type Text = Vec<u32>;
