//! The reference's rules (`python/gradestone/reference`, `vectors/SPEC.md`) once more, as plainly as they can be put.
//!
//! Nothing here is fast, shared or remembered. A text is a list of code points, as in Python.

pub mod backtrack;
pub mod blocklist;
pub mod context;
pub mod lines;
pub mod matching;
pub mod overlap;
pub mod pii;
pub mod text;
