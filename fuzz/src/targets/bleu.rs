//! `bleu_score`.

use gradestone::bleu::Bleu;
use gradestone::set::Grader;

use crate::oracle::overlap::bleu;

/// Texts against each other.
pub fn run(data: &[u8]) {
    super::run_pairs(data, |threshold| Grader::Bleu(Bleu { threshold }), bleu);
}
