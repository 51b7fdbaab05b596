//! Blocked terms, each looked for at every place.

use super::text::{is_word, lower};
use crate::Text;
use crate::harness::Verdict;

/// Grades a text.
#[must_use]
pub fn blocklist(text: &[u32], terms: &[Text]) -> Verdict {
    let text = lower(text);
    let is_first = |index: usize| !terms[..index].contains(&terms[index]);
    let hits =
        (0..terms.len()).filter(|index| is_first(*index) && stands_alone(&text, &lower(&terms[*index])));
    Verdict::hit("blocked_term", hits.map(|index| index as u32).collect())
}

/// Whether a term occurs without a letter or digit beside it. None of them is empty by the options' rule; the kernel
/// says that an empty one never hits.
fn stands_alone(text: &[u32], term: &[u32]) -> bool {
    let is_border = |beside: Option<&u32>| !beside.is_some_and(|code_point| is_word(*code_point));
    !term.is_empty()
        && (0..text.len()).any(|start| {
            text[start..].starts_with(term)
                && is_border(text[..start].last())
                && is_border(text.get(start + term.len()))
        })
}
