//! The reader of JSON lines: what it takes, and what it finds in it.

use std::sync::atomic::AtomicBool;

use gradestone::jsonl::{Found, Wanted, lines, read};
use gradestone::text::Cell;
use gradestone::threads::Watch;

use crate::input::{HEAD, Input, encode};
use crate::oracle::lines as oracle;
use crate::words::LINES;

const WANTED: [&str; 2] = ["a", "b"];
const RESERVED: [&str; 1] = ["no_pii"];

/// A block of lines, whatever its bytes are, or made of words; read in two runs, and some lines dropped.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &LINES);
    let block = if input.head[0] & 1 == 1 { made(&input) } else { data[data.len().min(HEAD)..].to_vec() };
    let (lines, breaks) = lines(&block, 1);
    let plain = oracle::lines(&block);
    let case = block.escape_ascii();
    assert_eq!(breaks, block.iter().filter(|byte| **byte == b'\n').count(), "{case}");
    let places =
        |line: &gradestone::jsonl::Line| oracle::Line { number: line.number, place: line.place.clone() };
    let seen: Vec<_> = lines.iter().map(places).collect();
    assert_eq!(seen.len(), plain.len(), "{case}");
    // Of a line that is blank but for what JSON does not call whitespace only the number is meant.
    assert!(seen.iter().zip(&plain).all(|(one, other)| one == other), "{case}: {seen:?} {plain:?}");

    let halves = lines.split_at(usize::from(input.head[1]) % (lines.len() + 1));
    let wanted =
        Wanted { names: WANTED.map(str::to_owned).to_vec(), reserved: RESERVED.map(str::to_owned).to_vec() };
    let (stop, mut tape) = (AtomicBool::new(false), Vec::new());
    let mut read_run = |run| read(&block, run, &wanted, &mut tape, &mut Watch::follower(&stop));
    let mut found = Found::joined(vec![read_run(halves.0), read_run(halves.1)]);
    check(&found, &block, &plain);

    let keep: Vec<bool> = (0..plain.len()).map(|line| input.head[2] >> (line % 8) & 1 == 0).collect();
    found.retain(WANTED.len(), &keep);
    let kept: Vec<_> =
        plain.into_iter().zip(&keep).filter(|(_, keep)| **keep).map(|(line, _)| line).collect();
    check(&found, &block, &kept);
}

fn made(input: &Input<'_>) -> Vec<u8> {
    let lines: Vec<Vec<u8>> = input.fields.iter().map(|field| encode(&input.text(field))).collect();
    lines.join(&b'\n')
}

fn check(found: &Found, block: &[u8], lines: &[oracle::Line]) {
    assert_eq!((found.hard.len(), found.values.len()), (lines.len(), WANTED.len() * lines.len()));
    for (row, line) in lines.iter().enumerate() {
        let members = oracle::members(block, line, &WANTED, &RESERVED);
        let case = block[line.place.clone()].escape_ascii();
        assert_eq!(found.hard[row], members.is_none(), "{case}");
        let members = members.unwrap_or_else(|| vec![oracle::Member::default(); WANTED.len()]);
        for (column, member) in members.iter().enumerate() {
            let index = row * WANTED.len() + column;
            assert_eq!(found.values[index].raw, member.place, "{case}");
            let cell = member.text.as_deref().map_or(Cell::Other, Cell::Text);
            assert_eq!(found.cell(block, index), cell, "{case}");
        }
    }
}
