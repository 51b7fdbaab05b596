//! Whitespace, trimming, lowercase, tokens.

use crate::Text;

/// Tokens on a side that BLEU and ROUGE take.
pub const MAX_TOKENS: usize = 4096;

/// The six pinned characters.
#[must_use]
pub fn is_pinned_whitespace(code_point: u32) -> bool {
    [0x20, 0x09, 0x0a, 0x0d, 0x0c, 0x0b].contains(&code_point)
}

/// Letters and digits, which are the ASCII ones in any case.
#[must_use]
pub fn is_word(code_point: u32) -> bool {
    char::from_u32(code_point).is_some_and(|character| character.is_ascii_alphanumeric())
}

fn is_ecmascript_whitespace(code_point: u32) -> bool {
    let listed = [0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff];
    is_pinned_whitespace(code_point)
        || listed.contains(&code_point)
        || (0x2000..=0x200a).contains(&code_point)
}

/// Without what ECMAScript's `trim` drops.
#[must_use]
pub fn trim(text: &[u32]) -> &[u32] {
    let Some(first) = text.iter().position(|code_point| !is_ecmascript_whitespace(*code_point)) else {
        return &[];
    };
    let last = text.iter().rposition(|code_point| !is_ecmascript_whitespace(*code_point)).unwrap_or(first);
    &text[first..=last]
}

/// The library's lowercase. A lone surrogate is no letter and ends a word, so it parts the text.
#[must_use]
pub fn lower(text: &[u32]) -> Text {
    let mut lowered = Text::new();
    let mut part = String::new();
    for code_point in text {
        match char::from_u32(*code_point) {
            Some(character) => part.push(character),
            None => {
                lowered.extend(std::mem::take(&mut part).to_lowercase().chars().map(u32::from));
                lowered.push(*code_point);
            }
        }
    }
    lowered.extend(part.to_lowercase().chars().map(u32::from));
    lowered
}

/// The pinned tokens.
#[must_use]
pub fn tokens(text: &[u32]) -> Vec<Text> {
    let mut tokens: Vec<Text> = Vec::new();
    let mut in_run = false;
    for code_point in lower(text) {
        // Capitals are gone: what is left of them in ASCII is in no text in lowercase.
        let is_word = is_word(code_point);
        match tokens.last_mut() {
            Some(run) if is_word && in_run => run.push(code_point),
            _ if is_pinned_whitespace(code_point) => {}
            _ => tokens.push(vec![code_point]),
        }
        in_run = is_word;
    }
    tokens
}
