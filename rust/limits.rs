//! The caps of the kernels, in one table, each with its reason.
//!
//! `gradestone/reference/limits.py` holds the same figures for the Python side; a test compares them.

/// Tokens on one side of BLEU or ROUGE. The longest common subsequence costs the product of both sides; at this
/// cap the bit-parallel form still ends within a few milliseconds.
pub const MAX_TOKENS: usize = 4096;

/// Members of one context list. Matching costs the product of both lists.
pub const MAX_CONTEXT_MEMBERS: usize = 64;

/// Code points of one context list, all members together, as given (before normalisation).
pub const MAX_CONTEXT_CHARS: usize = 8192;

/// Characters of a user's pattern.
pub const MAX_PATTERN_CHARS: usize = 1024;

/// Characters of the text that a user's pattern is searched in.
pub const MAX_REGEX_INPUT_CHARS: usize = 65_536;

/// Every cap by its name.
pub const TABLE: [(&str, usize); 5] = [
    ("MAX_TOKENS", MAX_TOKENS),
    ("MAX_CONTEXT_MEMBERS", MAX_CONTEXT_MEMBERS),
    ("MAX_CONTEXT_CHARS", MAX_CONTEXT_CHARS),
    ("MAX_PATTERN_CHARS", MAX_PATTERN_CHARS),
    ("MAX_REGEX_INPUT_CHARS", MAX_REGEX_INPUT_CHARS),
];
