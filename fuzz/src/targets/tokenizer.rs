//! The pinned tokenizer: numbers for tokens, a limit, and texts longer than what is lowercased at once.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gradestone::text::Lowered;
use gradestone::tokenizer::{FIRST_WINDOW, Tokenizer};

use super::{Shown, is_rare, shown};
use crate::Text;
use crate::input::{Input, encode};
use crate::oracle::text::tokens;
use crate::words::PROSE;

thread_local! {
    // What one text leaves behind must not reach any other, so it is never fresh.
    static TOKENIZER: RefCell<Tokenizer> = RefCell::default();
}

/// All texts in one vocabulary, then each with a limit and a vocabulary of its own.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let mut texts = input.texts(3);
    if is_rare(data) {
        texts = vec![moved(&texts[0], input.head[3])];
    }
    TOKENIZER.with_borrow_mut(|tokenizer| {
        number_all(tokenizer, &texts, input.head[1] & 1 == 1);
        let limit = usize::from(input.head[1]) / 2;
        texts.iter().for_each(|text| stop_at(tokenizer, text, limit));
    });
}

/// The text behind so much that it lies where the first window ends: space, a word, or more tokens than the table of
/// numbers has room for at first.
fn moved(text: &[u32], place: u8) -> Text {
    let length = FIRST_WINDOW - usize::from(place / 2);
    let mut moved: Text = match place % 3 {
        0 => vec![u32::from(b' '); length],
        1 => vec![u32::from(b'x'); length],
        // Ideographs have three bytes each.
        _ => (0x4e00..).take(1500).chain(std::iter::repeat_n(0x20, length - 4500)).collect(),
    };
    moved.extend_from_slice(text);
    moved
}

/// The first new token gets the next number.
fn numbered(text: &[u32], numbers: &mut BTreeMap<Text, u32>) -> Vec<u32> {
    let number = |token| {
        let next = numbers.len() as u32;
        *numbers.entry(token).or_insert(next)
    };
    tokens(text).into_iter().map(number).collect()
}

fn number_all(tokenizer: &mut Tokenizer, texts: &[Text], is_lowered: bool) {
    let mut numbers = BTreeMap::new();
    tokenizer.clear();
    for text in texts {
        let expected = numbered(text, &mut numbers);
        let mut found = vec![7];
        if is_lowered {
            let mut lowered = Lowered::default();
            lowered.read(&encode(text));
            tokenizer.tokenize_lowered(&mut lowered, usize::MAX, &mut found);
        } else {
            tokenizer.tokenize(&encode(text), usize::MAX, &mut found);
        }
        assert_eq!(found, expected, "{:?} of {:?}", Shown(text), shown(texts));
        assert_eq!(tokenizer.distinct() as usize, numbers.len());
    }
}

/// With a limit the tokens are those of the text, or more than the limit exactly if the text has more.
fn stop_at(tokenizer: &mut Tokenizer, text: &Text, limit: usize) {
    let mut found = Vec::new();
    tokenizer.clear();
    tokenizer.tokenize(&encode(text), limit, &mut found);
    let expected = numbered(text, &mut BTreeMap::new());
    if expected.len() > limit {
        assert!(found.len() > limit, "{:?} up to {limit}", Shown(text));
    } else {
        assert_eq!(found, expected, "{:?} up to {limit}", Shown(text));
    }
}
