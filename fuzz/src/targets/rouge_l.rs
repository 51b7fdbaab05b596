//! `rouge_score` with `rouge_l`.

use gradestone::rouge::RougeType;

use super::rouge_1::{run_type, texts};
use crate::Text;

/// Code points of a long text, most of which are tokens: more than eight words of a column.
const LONG: usize = 700;

/// Texts against each other; now and then, long ones that are made of them.
pub fn run(data: &[u8]) {
    let mut texts = texts(data);
    if super::is_rare(data) {
        texts = texts.iter().map(|text| lengthened(text)).collect();
    }
    run_type(&texts, data, RougeType::L);
}

/// The text again and again, a different word behind each.
fn lengthened(text: &[u32]) -> Text {
    let again = (0..).flat_map(|turn| text.iter().copied().chain([0x20, 0x61 + turn % 5, 0x20]));
    again.take(LONG + text.len()).collect()
}
