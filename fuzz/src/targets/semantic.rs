//! `semantic`.

use gradestone::jaccard::Jaccard;
use gradestone::set::Grader;

use crate::oracle::overlap::semantic;

/// Texts against each other.
pub fn run(data: &[u8]) {
    super::run_pairs(data, |threshold| Grader::Jaccard(Jaccard { threshold }), semantic);
}
