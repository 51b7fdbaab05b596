//! `rouge_score` with `rouge_1`.

use gradestone::rouge::{self, Rouge, RougeType};
use gradestone::set::Grader;

use crate::Text;
use crate::input::Input;
use crate::oracle::overlap::{Measure, rouge};
use crate::words::PROSE;

/// The measures, in the kernel's words and in the oracle's.
pub(super) const MEASURES: [(rouge::Measure, Measure); 3] = [
    (rouge::Measure::Precision, Measure::Precision),
    (rouge::Measure::Recall, Measure::Recall),
    (rouge::Measure::Fmeasure, Measure::F),
];

/// Texts against each other.
pub fn run(data: &[u8]) {
    run_type(&texts(data), data, RougeType::One);
}

pub(super) fn texts(data: &[u8]) -> Vec<Text> {
    Input::new(data, &PROSE).variations(super::SIDES)
}

/// The second byte chooses the threshold, the third the measure.
pub(super) fn run_type(texts: &[Text], data: &[u8], kind: RougeType) {
    let (measure, plain) = MEASURES[usize::from(data.get(2).copied().unwrap_or(0)) % 3];
    super::run_texts(
        texts,
        data.get(1).copied().unwrap_or(0),
        |threshold| Grader::Rouge(Rouge { kind, measure, threshold }),
        |candidate, reference, threshold| rouge(candidate, reference, kind == RougeType::L, plain, threshold),
    );
}
