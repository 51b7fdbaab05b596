//! Writes the first inputs of a target: the shipped vectors' texts, and some of its own.
//!
//!     cargo run --example seeds -- TARGET FOLDER

use std::path::Path;

use gradestone_fuzz::Text;
use gradestone_fuzz::input::{SEPARATOR, encode};
use gradestone_fuzz::json::{Kind, Value};
use gradestone_fuzz::vectors::{cases, text};

/// The vector files whose texts a target begins with.
fn graders(target: &str) -> &'static [&'static str] {
    match target {
        "bleu" => &["bleu_score"],
        "rouge_1" | "rouge_l" => &["rouge_score"],
        "semantic" => &["semantic"],
        "context_f1" => &["context_f1"],
        "blocklist" => &["blocklist"],
        "no_pii" => &["no_pii"],
        "exact_match" => &["exact_match"],
        "contains" => &["contains", "not_contains"],
        "text" | "tokenizer" | "set" => &["exact_match", "bleu_score", "semantic"],
        _ => &[],
    }
}

/// Half of the words of the vocabulary, then the same with a few changes.
const VARIED: &[u8] = b"\x01\0\0\0 !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz\xff\xfe\0\x09\x01x\x11\x03\0\x19\x02\0";

/// Inputs in words (an odd first byte), or as they are.
#[rustfmt::skip]
const OWN: [(&str, &[u8]); 18] = [
    ("bleu", b"\x01\0\0\0\x03\x04\x05\x06\xff\x03\x04\x06\x05"),
    ("rouge_l", b"\x01\0\0\0\x03\x04\xc8\x05\xff\x04\x03\x04\xc9"),
    ("bleu", VARIED),
    ("rouge_1", VARIED),
    ("rouge_l", VARIED),
    ("semantic", VARIED),
    ("context_f1", b"\x01\x01\0\0\x69\x69\xff\xfe\0\x02\0\x41\x05\x01\x42"),
    ("blocklist", b"\x01\0\0\0\x6f\x13\x72\xff\xfe\x01\x04\xff\x6f"),
    ("no_pii", b"\x01\0\0\0\x39\x1f\x3f\x1f\x60\xff\x48\x1f\x58"),
    ("regex", b"\x01\0\0\0\x01(\x02\x04|\x06)\x1b\xff\0\x01\xff\x02\x03\x04"),
    ("set", b"\x01\0\0\0\0\x01\x02\x04\x06\x08\xff\x03\x04\xff\x05\x10"),
    ("jsonl", b"\0\0\0\0{\"a\":\"one\",\"x\":[1,{\"a\":2}]}\r\n\n{ \"b\" : \"tw\\u00f6\\n\", \"a\":null } \n{\"a\":\"\",\"b\":\"x\"}"),
    ("jsonl", b"\0\x01\x02\0{\"a\":1,\"a\":2}\n{\"x\":[{\"y\":1,\"y\":2}]}\n{\"a\":\"\\ud800\"}\n{\"no_pii\":1}\n{\"a\":1e5}"),
    ("splice", b"\0\x07\x09\x05{\"a\": 1 }\xff{ }\xff{\"b\":{}}\xff{\"a\":[],\"b\":\"x\"}"),
    ("splice", b"\x04\x07\x09\x06{\"a\": 1 }\xff{ }\xff{\"b\":{}}\xff{\"a\":[],\"b\":\"x\"}"),
    ("arrow", b"\0\0\0\0some text\xff\0\x04\x05\x09\xff\0\x01\x03"),
    ("arrow", b"\0\x02\0\0some text that is longer than twelve bytes, twice\xff\x04\0\x41\x0d\x01\x02\x0d\0\x02\xff\0\x01"),
    ("arrow", b"\0\x06\0\0some text\xff\0\x04\x05\x09\xff\0\x01\x03\x02"),
];

/// Every text in a value, shorthand written out.
fn texts_in(value: &Value, found: &mut Vec<Text>) {
    if let Some(text) = text(value) {
        found.push(text);
        return;
    }
    match &value.kind {
        Kind::List(members) => members.iter().for_each(|member| texts_in(member, found)),
        Kind::Object(members) => members.iter().for_each(|member| texts_in(&member.1, found)),
        _ => {}
    }
}

/// Inputs are short: a text at a cap would only make every execution slow.
const LONGEST: usize = 400;

/// A line with a list in a list, and so on.
fn nested(levels: usize) -> Vec<u8> {
    format!("\0\0\0\0{{\"x\":{}{}}}", "[".repeat(levels), "]".repeat(levels)).into()
}

/// A line with many members.
fn crowded(members: usize) -> Vec<u8> {
    let members: Vec<String> =
        ('0'..).filter(|name| *name != '\\').take(members).map(|name| format!("\"{name}\":1")).collect();
    format!("\0\0\0\0{{{}}}", members.join(",")).into()
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> =
        OWN.iter().filter(|(name, _)| *name == target).map(|(_, seed)| seed.to_vec()).collect();
    for case in graders(target).iter().flat_map(|grader| cases(grader)) {
        let mut texts = Vec::new();
        for part in ["candidate", "reference", "options"] {
            if let Some(value) = case.get(part) {
                texts_in(value, &mut texts);
            }
        }
        let fields: Vec<Vec<u8>> = texts.iter().map(|text| encode(text)).collect();
        seeds.push([&[0, texts.len() as u8 / 2, 0, 0][..], &fields.join(&SEPARATOR)].concat());
    }
    if target == "jsonl" {
        seeds.extend((63..67).flat_map(|count| [nested(count), crowded(count)]));
    }
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, folder] = arguments.as_slice() else { return Err("usage: seeds TARGET FOLDER".to_owned()) };
    let told = |error: std::io::Error| format!("{folder}: {error}");
    std::fs::create_dir_all(folder).map_err(told)?;
    for (number, seed) in seeds(target).iter().enumerate() {
        std::fs::write(Path::new(folder).join(format!("seed-{number:03}")), seed).map_err(told)?;
    }
    Ok(())
}
