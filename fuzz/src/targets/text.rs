//! Lowercase, trimming and counting, on which all kernels rest.

use gradestone::text::{
    Lowered, PADDING, code_points, code_points_backwards, count_code_points, is_blank, lowercase,
    lowercase_part, trim,
};

use super::Shown;
use crate::input::{HEAD, Input, encode};
use crate::oracle::text;
use crate::words::PROSE;

/// Each text by itself; and whatever the bytes are, they are survived.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let step = usize::from(input.head[1]) + 1;
    let mut shared = Lowered::default();
    for text in input.texts(2) {
        let bytes = encode(&text);
        let lowered = encode(&text::lower(&text));
        let case = Shown(&text);
        assert_eq!(lowercase(&bytes), lowered, "{case:?}");
        assert_eq!(in_parts(&bytes, step), lowered, "{case:?} in parts of {step}");
        shared.read(&bytes);
        assert_eq!(shared.padded()[..shared.len()], lowered, "{case:?}");
        assert_eq!(shared.padded()[shared.len()..], [0; PADDING]);
        let trimmed = text::trim(&text);
        assert_eq!(trim(&bytes), encode(trimmed), "{case:?}");
        assert_eq!(is_blank(&bytes), trimmed.is_empty(), "{case:?}");
        assert_eq!(count_code_points(&bytes), text.len(), "{case:?}");
        assert!(code_points(&bytes).eq(text.iter().copied()), "{case:?}");
        assert!(code_points_backwards(&bytes).eq(text.iter().rev().copied()), "{case:?}");
    }
    let rest = &data[data.len().min(HEAD)..];
    assert_eq!(in_parts(rest, step), lowercase(rest), "{}", rest.escape_ascii());
    assert!(
        trim(rest).len() <= rest.len() && code_points(rest).count() == code_points_backwards(rest).count()
    );
}

fn in_parts(bytes: &[u8], step: usize) -> Vec<u8> {
    let (mut at, mut lowered) = (0, Vec::new());
    while at < bytes.len() {
        at = lowercase_part(bytes, at..at + step, &mut lowered);
    }
    lowered
}
