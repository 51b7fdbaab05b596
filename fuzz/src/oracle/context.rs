//! Contexts matched by edit similarity.

use super::overlap::Measure;
use super::text::{is_pinned_whitespace, lower};
use crate::Text;
use crate::harness::Verdict;

/// What `context_f1` is told.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What the score is.
    pub measure: Measure,
    /// From which similarity on two members match.
    pub similarity_threshold: f64,
    /// From which score on a row passes.
    pub threshold: f64,
}

/// Grades a pair of lists.
#[must_use]
pub fn context_f1(retrieved: &[Text], expected: &[Text], options: Options) -> Verdict {
    if is_over_cap(retrieved) || is_over_cap(expected) {
        return Verdict::plain("over_cap");
    }
    let [retrieved, expected] =
        [retrieved, expected].map(|list| list.iter().map(|member| normal(member)).collect());
    let [retrieved, expected]: [Vec<Text>; 2] = [retrieved, expected];
    if retrieved.iter().all(Vec::is_empty) {
        return Verdict::plain("empty_retrieved");
    }
    if expected.iter().all(Vec::is_empty) {
        return Verdict::plain("empty_expected");
    }
    // Every pair, and each once.
    let table: Vec<Vec<bool>> = retrieved
        .iter()
        .map(|one| {
            expected.iter().map(|other| similarity(one, other) >= options.similarity_threshold).collect()
        })
        .collect();
    let right = table.iter().filter(|line| line.contains(&true)).count() as u32;
    let found = (0..expected.len()).filter(|column| table.iter().any(|line| line[*column])).count() as u32;
    let [all, wanted] = [retrieved.len() as u32, expected.len() as u32];
    let rates = [f64::from(right) / f64::from(all), f64::from(found) / f64::from(wanted)];
    Verdict::scored(options.measure.of(rates[0], rates[1]), options.threshold, [right, all, found, wanted])
}

fn is_over_cap(members: &[Text]) -> bool {
    members.len() > 64 || members.iter().map(Vec::len).sum::<usize>() > 8192
}

/// Lowercase, one space for a run of pinned whitespace, none at the ends.
#[must_use]
pub fn normal(member: &[u32]) -> Text {
    let lowered = lower(member);
    let words = lowered.split(|code_point| is_pinned_whitespace(*code_point)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(&0x20)
}

/// One minus the distance over the longer length.
#[must_use]
pub fn similarity(left: &[u32], right: &[u32]) -> f64 {
    match left.len().max(right.len()) {
        0 => 1.0,
        longest => 1.0 - distance(left, right) as f64 / longest as f64,
    }
}

/// The textbook table, of which two lines are kept.
fn distance(left: &[u32], right: &[u32]) -> usize {
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, one) in left.iter().enumerate() {
        let mut line = vec![row + 1; right.len() + 1];
        for (place, other) in right.iter().enumerate() {
            let replaced = above[place] + usize::from(one != other);
            line[place + 1] = replaced.min(above[place + 1] + 1).min(line[place] + 1);
        }
        above = line;
    }
    above[right.len()]
}
