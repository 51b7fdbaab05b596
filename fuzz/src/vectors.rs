//! The shipped vectors, as far as they are about texts.

use std::path::Path;

use crate::Text;
use crate::json::{Kind, Value, read};

/// The cases of a grader's vector file.
///
/// # Panics
/// If there is no such file, or it is not what SPEC.md says.
#[must_use]
pub fn cases(grader: &str) -> Vec<Value> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../python/gradestone/vectors/{grader}.json"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = read(&bytes).unwrap_or_else(|| panic!("{} is no JSON", path.display()));
    file.get("tests").and_then(Value::list).expect("a list of tests").to_vec()
}

/// The text that a value is, shorthand written out (SPEC.md, 1.3); `None` if it is no text.
#[must_use]
pub fn text(value: &Value) -> Option<Text> {
    let Kind::Object(members) = &value.kind else { return value.text().cloned() };
    let [(name, inner)] = members.as_slice() else { return None };
    match (name.string()?.as_str(), inner.list()) {
        ("$repeat", Some([repeated, times])) => {
            let Kind::Number(times) = times.kind else { return None };
            Some(text(repeated)?.repeat(times as usize))
        }
        ("$concat", Some(parts)) => Some(parts.iter().map(text).collect::<Option<Vec<_>>>()?.concat()),
        _ => None,
    }
}

/// The list of texts that a value is, shorthand written out.
#[must_use]
pub fn texts(value: &Value) -> Option<Vec<Text>> {
    if let Some(members) = value.list() {
        return members.iter().map(text).collect();
    }
    match (value.get("$repeat").and_then(Value::list), value.get("$concat").and_then(Value::list)) {
        (Some([repeated, times]), _) => {
            let Kind::Number(times) = times.kind else { return None };
            Some(vec![texts(repeated)?; times as usize].concat())
        }
        (_, Some(parts)) => Some(parts.iter().map(texts).collect::<Option<Vec<_>>>()?.concat()),
        _ => None,
    }
}
