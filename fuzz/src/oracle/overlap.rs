//! BLEU, ROUGE-1, ROUGE-L, and the Jaccard overlap.

use std::collections::{BTreeMap, BTreeSet};

use super::text::{MAX_TOKENS, tokens, trim};
use crate::Text;
use crate::harness::Verdict;

/// Which share of an overlap is the score.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// Of the candidate.
    Precision,
    /// Of the reference.
    Recall,
    /// Their harmonic mean.
    F,
}

impl Measure {
    /// The one of two rates that is named, else their harmonic mean.
    #[must_use]
    pub fn of(self, precision: f64, recall: f64) -> f64 {
        match self {
            Self::Precision => precision,
            Self::Recall => recall,
            Self::F if precision + recall == 0.0 => 0.0,
            Self::F => 2.0 * precision * recall / (precision + recall),
        }
    }
}

/// The tokens of both sides, as numbers that are equal where they are; or why they cannot be scored.
fn sides(candidate: &[u32], reference: &[u32]) -> Result<[Vec<u32>; 2], Verdict> {
    let sides = [tokens(candidate), tokens(reference)];
    if trim(reference).is_empty() || sides[1].is_empty() {
        return Err(Verdict::plain("empty_reference"));
    }
    if sides[0].is_empty() {
        return Err(Verdict::plain("empty_candidate"));
    }
    if sides.iter().any(|side| side.len() > MAX_TOKENS) {
        return Err(Verdict::plain("over_cap"));
    }
    let distinct: BTreeSet<&Text> = sides.iter().flatten().collect();
    let numbers: BTreeMap<&Text, u32> = distinct.into_iter().zip(0..).collect();
    Ok(sides.each_ref().map(|side| side.iter().map(|token| numbers[token]).collect()))
}

/// N-grams that both sides have, each as often as the side that has it less often.
fn clipped([candidate, reference]: &[Vec<u32>; 2], order: usize) -> u32 {
    let mut left: BTreeMap<&[u32], u32> = BTreeMap::new();
    reference.windows(order).for_each(|gram| *left.entry(gram).or_default() += 1);
    let mut matches = 0;
    for gram in candidate.windows(order) {
        if let Some(count) = left.get_mut(gram).filter(|count| **count > 0) {
            *count -= 1;
            matches += 1;
        }
    }
    matches
}

/// The textbook table, of which two lines are kept.
fn lcs([left, right]: &[Vec<u32>; 2]) -> u32 {
    let mut above = vec![0; right.len() + 1];
    for token in left {
        let mut line = vec![0; right.len() + 1];
        for (place, other) in right.iter().enumerate() {
            line[place + 1] =
                if token == other { above[place] + 1 } else { above[place + 1].max(line[place]) };
        }
        above = line;
    }
    above[right.len()]
}

/// BLEU of a candidate.
#[must_use]
pub fn bleu(candidate: &[u32], reference: &[u32], threshold: f64) -> Verdict {
    let sides = match sides(candidate, reference) {
        Ok(sides) => sides,
        Err(verdict) => return verdict,
    };
    let [ours, theirs] = [sides[0].len(), sides[1].len()];
    let orders = ours.min(theirs).min(4);
    let mut figures = [0, 0, 0, 0, ours as u32, theirs as u32];
    let mut total = 0.0;
    for order in 1..=orders {
        let possible = (ours - order + 1) as f64;
        let matches = clipped(&sides, order);
        figures[order - 1] = matches;
        let precision = if matches > 0 { f64::from(matches) / possible } else { 1.0 / (2.0 * possible) };
        total += precision.ln();
    }
    let mean = (total / orders as f64).exp();
    let score = if ours >= theirs { mean } else { (1.0 - theirs as f64 / ours as f64).exp() * mean };
    Verdict::scored(score, threshold, figures)
}

/// ROUGE-1, or ROUGE-L, of a candidate.
#[must_use]
pub fn rouge(candidate: &[u32], reference: &[u32], is_l: bool, measure: Measure, threshold: f64) -> Verdict {
    let sides = match sides(candidate, reference) {
        Ok(sides) => sides,
        Err(verdict) => return verdict,
    };
    let overlap = if is_l { lcs(&sides) } else { clipped(&sides, 1) };
    let [ours, theirs] = [sides[0].len() as u32, sides[1].len() as u32];
    let share = |tokens: u32| f64::from(overlap) / f64::from(tokens);
    Verdict::scored(measure.of(share(ours), share(theirs)), threshold, [overlap, ours, theirs])
}

/// The Jaccard overlap of the sets of tokens.
#[must_use]
pub fn semantic(candidate: &[u32], reference: &[u32], threshold: f64) -> Verdict {
    let [ours, theirs] = [candidate, reference].map(|side| BTreeSet::from_iter(tokens(side)));
    if theirs.is_empty() {
        return Verdict::plain("empty_reference");
    }
    if ours.is_empty() {
        return Verdict::plain("empty_candidate");
    }
    let shared = ours.intersection(&theirs).count() as u32;
    let all = ours.union(&theirs).count() as u32;
    Verdict::scored(f64::from(shared) / f64::from(all), threshold, [shared, all])
}
