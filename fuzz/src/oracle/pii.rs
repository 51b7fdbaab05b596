//! Personal data, by the table of SPEC.md, section 12.2, word for word.

use std::sync::LazyLock;

use super::backtrack::Pattern;
use crate::harness::Verdict;

/// The kinds in their order, and for each its patterns and its test.
type Kind = (&'static str, Vec<Pattern>, fn(&str) -> bool);

/// The names of the kinds, in their order.
pub const NAMES: [&str; 7] = ["email", "credit_card", "iban", "ipv4", "ipv6", "phone", "crypto"];

static KINDS: LazyLock<[Kind; 7]> = LazyLock::new(|| {
    let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    let group = "[0-9A-Fa-f]{1,4}";
    let base58 = "1-9A-HJ-NP-Za-km-z";
    let written = [
        vec![r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}".to_owned()],
        vec![r"(?<![0-9])(?:[0-9][ -]?){13,19}(?![0-9])".to_owned()],
        vec![r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}(?![A-Za-z0-9])".to_owned()],
        vec![format!(r"(?<![0-9])(?:{octet}\.){{3}}{octet}(?![0-9])")],
        vec![format!(
            "(?<![0-9A-Fa-f:])(?:{group}(?::{group}){{7}}|(?:{group}(?::{group})*)?::(?:{group}(?::{group})*)?)(?![0-9A-Fa-f:])"
        )],
        vec![r"[+()0-9][0-9 \t\n\r\f\v().-]{6,}[0-9]".to_owned()],
        vec![
            format!("(?<![{base58}])[13][{base58}]{{25,34}}(?![{base58}])"),
            "(?<![a-z0-9])bc1[a-z0-9]{25,60}(?![a-z0-9])".to_owned(),
        ],
    ];
    let tests: [fn(&str) -> bool; 7] =
        [|_| true, is_luhn, is_mod97, |_| true, is_address, is_number, |_| true];
    let mut numbered = 0..;
    written.map(|patterns| {
        let number: usize = numbered.next().unwrap_or_default();
        let patterns = patterns.iter().map(|pattern| Pattern::read(pattern).expect("a pattern of the table"));
        (NAMES[number], patterns.collect(), tests[number])
    })
});

/// Grades a text by some kinds.
#[must_use]
pub fn no_pii(text: &[u32], kinds: &[&str]) -> Verdict {
    let wanted = (0..).zip(KINDS.iter()).filter(|(_, (name, ..))| kinds.contains(name));
    let found = wanted
        .filter(|(_, (_, patterns, test))| patterns.iter().any(|pattern| is_found(text, pattern, *test)));
    Verdict::hit("pii_found", found.map(|(index, _)| index).collect())
}

/// From left to right without overlap; only what the pattern takes at a place is tested.
fn is_found(text: &[u32], pattern: &Pattern, test: fn(&str) -> bool) -> bool {
    let mut from = 0;
    while let Some(found) = pattern.find(text, from) {
        // No class of the table holds anything but ASCII.
        let taken: String = text[found.clone()].iter().copied().filter_map(char::from_u32).collect();
        if test(&taken) {
            return true;
        }
        from = found.end;
    }
    false
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|character| character.to_digit(10)).collect()
}

fn is_luhn(card: &str) -> bool {
    let doubled = |digit: u32| if 2 * digit > 9 { 2 * digit - 9 } else { 2 * digit };
    let from_right = digits(card).into_iter().rev().enumerate();
    let sum: u32 = from_right.map(|(place, digit)| if place % 2 == 1 { doubled(digit) } else { digit }).sum();
    sum.is_multiple_of(10)
}

fn is_mod97(iban: &str) -> bool {
    let moved = iban[4..].to_owned() + &iban[..4];
    let decimal: String =
        moved.chars().filter_map(|c| c.to_digit(36)).map(|value| value.to_string()).collect();
    digits(&decimal).iter().fold(0, |rest, digit| (rest * 10 + digit) % 97) == 1
}

fn is_address(ipv6: &str) -> bool {
    !ipv6.contains("::") || !digits(ipv6).is_empty()
}

fn is_number(phone: &str) -> bool {
    let bare: String =
        phone.chars().filter(|character| !" \t\n\r\u{c}\u{b}().-".contains(*character)).collect();
    let Some(number) = bare.strip_prefix('+') else { return false };
    (7..=15).contains(&number.len()) && number.chars().all(|character| character.is_ascii_digit())
}
