//! `no_pii`: seven detectors of personal data, each woken by the few bytes that it cannot do without.
//!
//! # What is decided
//! Each detector is defined as a backtracking pattern that is searched from left to right without overlap; what it
//! matches is then put to a checksum or a length test. (The definitions stand in the tests, which compare.) Only
//! whether a kind occurs is reported, never where or what.
//!
//! # Why no regular expressions
//! The patterns have borders on both sides, and a border pins a match to a *maximal run* of a class of bytes. So a
//! match never has to be searched for: a run is found, measured once, and is an address or is none. Backtracking is
//! left in one place, the number of digits of a card, where it has at most seven outcomes.
//!
//! Texts hold few of the bytes that matter, so one pass looks for these (`@`, `+`, `:` and the digits, 64 bytes
//! at a time) and leaves all others alone.
//!
//! # Cost
//! Linear in the text, whatever it holds; each detector says why. No allocation. About 1 µs for 3 KB of prose, and
//! 8 ms for a hostile megabyte.
//!
//! # Limits
//! All classes are ASCII, so the pass works on bytes: a byte of a longer character, or of a lone surrogate, belongs
//! to no class and is a border everywhere. This is a conservative subset of what a named-entity recogniser finds:
//! it knows no names, no postal addresses, and no phone number without its `+`.

use crate::batch::{Code, Kernel, Row};
#[cfg(target_arch = "x86_64")]
use crate::classes::wide;
use crate::classes::{BLOCK, digits_and};
use crate::cpu::by_processor;
use crate::text::Cell;

/// The kinds, in the order in which verdicts name them; a row's hits are indices into this list.
pub const KINDS: [&str; 7] = ["email", "credit_card", "iban", "ipv4", "ipv6", "phone", "crypto"];

/// A set of kinds: bit `i` is `KINDS[i]`.
type Kinds = u8;
const EMAIL: Kinds = 1 << 0;
const CREDIT_CARD: Kinds = 1 << 1;
const IBAN: Kinds = 1 << 2;
const IPV4: Kinds = 1 << 3;
const IPV6: Kinds = 1 << 4;
const PHONE: Kinds = 1 << 5;
const CRYPTO: Kinds = 1 << 6;

/// The kernel of `no_pii`: [`Code::PiiFound`] with the kinds found as hits, or [`Code::Ok`].
///
/// ```
/// use gradestone::batch::{Code, Kernel};
/// use gradestone::pii::Pii;
/// use gradestone::text::Cell;
///
/// let kernel = Pii::new(&["ipv4", "email"]).unwrap();
/// let row = kernel.grade(&Cell::Text(b"mail root@example.org from 10.0.0.1"), &mut ());
/// assert_eq!((row.code, row.hits), (Code::PiiFound, vec![0, 3]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pii {
    wanted: Kinds,
}

impl Pii {
    /// Looks for these kinds only; `None` if a name is not in [`KINDS`].
    #[must_use]
    pub fn new(kinds: &[&str]) -> Option<Self> {
        let mut wanted = 0;
        for kind in kinds {
            wanted |= 1 << KINDS.iter().position(|known| known == kind)?;
        }
        Some(Self { wanted })
    }
}

impl Kernel<Cell<'_>> for Pii {
    type Scratch = ();

    fn grade(&self, input: &Cell<'_>, (): &mut ()) -> Row {
        let Cell::Text(text) = input else { return Row::plain(Code::NotText) };
        let found = search(text, self.wanted);
        if found == 0 {
            return Row::plain(Code::Ok);
        }
        let hits = (0..7).filter(|index| found & (1 << index) != 0).collect();
        Row { hits, ..Row::plain(Code::PiiFound) }
    }
}

/// Sets of bytes, one bit each, that the patterns are made of.
mod class {
    pub const DIGIT: u16 = 1 << 0;
    pub const LETTER: u16 = 1 << 1;
    pub const ALNUM: u16 = 1 << 2;
    pub const LOWER_ALNUM: u16 = 1 << 3;
    pub const HEX: u16 = 1 << 4;
    pub const HEX_COLON: u16 = 1 << 5;
    pub const BASE58: u16 = 1 << 6;
    pub const LOCAL: u16 = 1 << 7;
    pub const DOMAIN: u16 = 1 << 8;
    pub const PHONE: u16 = 1 << 9;

    pub const OF: [u16; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 128 {
            table[byte] = of(byte as u8);
            byte += 1;
        }
        table
    };

    const fn of(byte: u8) -> u16 {
        let alnum = byte.is_ascii_alphanumeric();
        let confusable = matches!(byte, b'0' | b'O' | b'I' | b'l');
        let sets = [
            (DIGIT, byte.is_ascii_digit()),
            (LETTER, byte.is_ascii_alphabetic()),
            (ALNUM, alnum),
            (LOWER_ALNUM, byte.is_ascii_digit() || byte.is_ascii_lowercase()),
            (HEX, byte.is_ascii_hexdigit()),
            (HEX_COLON, byte.is_ascii_hexdigit() || byte == b':'),
            (BASE58, alnum && !confusable),
            (LOCAL, alnum || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-')),
            (DOMAIN, alnum || matches!(byte, b'.' | b'-')),
            (PHONE, byte.is_ascii_digit() || matches!(byte, b' ' | 9..=13 | b'(' | b')' | b'.' | b'-')),
        ];
        let (mut bits, mut index) = (0, 0);
        while index < sets.len() {
            if sets[index].1 {
                bits |= sets[index].0;
            }
            index += 1;
        }
        bits
    }
}

fn is(byte: u8, class: u16) -> bool {
    class::OF[usize::from(byte)] & class != 0
}

/// One text, and how far each detector that must not look twice has come.
struct Search<'t> {
    text: &'t [u8],
    /// Kinds that are wanted and not found yet: a detector rests as soon as its kind is decided.
    open: Kinds,
    found: Kinds,
    /// End of the last run of hex digits and colons that was judged.
    ipv6_from: usize,
    /// End of the last run of digits that had the shape of a card: no match starts inside another.
    card_from: usize,
}

impl<'t> Search<'t> {
    fn new(text: &'t [u8], wanted: Kinds) -> Self {
        Self { text, open: wanted, found: 0, ipv6_from: 0, card_from: 0 }
    }

    /// Wakes the detectors at each sign and at the first digit of each run.
    #[inline(always)]
    fn run(mut self, read: impl Fn(&[u8; BLOCK]) -> [u64; 2]) -> Kinds {
        let mut after_digit = false;
        let (blocks, rest) = self.text.as_chunks::<BLOCK>();
        for (index, block) in blocks.iter().enumerate() {
            self.wake_by(read(block), index * BLOCK, &mut after_digit);
            if self.open == 0 {
                return self.found;
            }
        }
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        self.wake_by(read(&last), self.text.len() - rest.len(), &mut after_digit);
        self.found
    }

    #[inline(always)]
    fn wake_by(&mut self, [digits, signs]: [u64; 2], start: usize, after_digit: &mut bool) {
        let mut triggers = signs | digits & !(digits << 1 | u64::from(*after_digit));
        *after_digit = digits >> (BLOCK - 1) == 1;
        while triggers != 0 {
            self.wake(start + triggers.trailing_zeros() as usize);
            triggers &= triggers - 1;
        }
    }

    fn wake(&mut self, at: usize) {
        match self.text[at] {
            b'@' => self.test(EMAIL, |search| search.email(at)),
            b'+' => self.test(PHONE, |search| search.phone(at)),
            b':' => self.test(IPV6, |search| search.ipv6(at)),
            _ => self.digits(at),
        }
    }

    fn test(&mut self, kind: Kinds, detector: impl FnOnce(&mut Self) -> bool) {
        if self.open & kind != 0 && detector(self) {
            self.open &= !kind;
            self.found |= kind;
        }
    }

    /// Wakes the detectors that need a digit, at the first digit of a run.
    fn digits(&mut self, start: usize) {
        let end = self.run_end(start, class::DIGIT);
        self.test(IPV4, |search| search.ipv4(start));
        self.test(CREDIT_CARD, |search| search.credit_card(start));
        self.test(IBAN, |search| search.iban(start));
        self.test(CRYPTO, |search| search.base58(start, end) || search.bech32(start));
    }

    fn has(&self, at: usize, class: u16) -> bool {
        self.text.get(at).is_some_and(|byte| is(*byte, class))
    }

    fn has_before(&self, at: usize, class: u16) -> bool {
        at > 0 && is(self.text[at - 1], class)
    }

    fn run_end(&self, start: usize, class: u16) -> usize {
        let run = self.text[start..].iter().position(|byte| !is(*byte, class));
        run.map_or(self.text.len(), |length| start + length)
    }

    /// The length of the run, or `None` if it is over `most`. Looks at no more than that.
    fn run_length(&self, start: usize, class: u16, most: usize) -> Option<usize> {
        let window = &self.text[start..self.text.len().min(start + most + 1)];
        let length = window.iter().position(|byte| !is(*byte, class)).unwrap_or(window.len());
        (length <= most).then_some(length)
    }

    /// One byte of a local part before the `@`, and in the run after it a dot that is not the first byte and has
    /// two letters behind it. Without borders or a checksum nothing more of the pattern decides.
    ///
    /// Linear: an `@` is in no domain, so the runs after different ones do not overlap.
    fn email(&self, at: usize) -> bool {
        if !self.has_before(at, class::LOCAL) {
            return false;
        }
        let domain = &self.text[at + 1..self.run_end(at + 1, class::DOMAIN)];
        domain
            .windows(4)
            .any(|window| window[1] == b'.' && is(window[2], class::LETTER) && is(window[3], class::LETTER))
    }

    /// Seven to fifteen digits in the run after the `+`. The pattern wants six bytes and a digit behind the first
    /// one, which seven digits are; and a run that starts without `+` can neither pass nor swallow one.
    ///
    /// Linear: a `+` is in no such run.
    fn phone(&self, at: usize) -> bool {
        let run = self.text[at + 1..].iter().take_while(|byte| is(**byte, class::PHONE));
        let digits = run.filter(|byte| byte.is_ascii_digit()).take(16).count();
        (7..=15).contains(&digits)
    }

    /// The whole run of hex digits and colons round the first colon of it is an address.
    ///
    /// Linear: a run is judged at its first colon. Where no hex digit and no colon follows, that colon ends the run,
    /// which is no address then and has no second colon to be judged at.
    fn ipv6(&mut self, at: usize) -> bool {
        if at < self.ipv6_from || !self.has(at + 1, class::HEX_COLON) {
            return false;
        }
        let before = self.text[..at].iter().rev().take_while(|byte| is(**byte, class::HEX)).count();
        self.ipv6_from = self.run_end(at, class::HEX_COLON);
        is_ipv6(&self.text[at - before..self.ipv6_from])
    }

    /// Four octets from here. The borders and dots make each octet a whole run of digits.
    ///
    /// Linear: at most sixteen bytes are looked at for each run of digits.
    fn ipv4(&self, start: usize) -> bool {
        let Some(mut at) = self.octet(start) else { return false };
        for _ in 0..3 {
            if self.text.get(at) != Some(&b'.') {
                return false;
            }
            let Some(end) = self.octet(at + 1) else { return false };
            at = end;
        }
        true
    }

    /// The end of the run of digits, if it is a number in 0..=255 without a leading zero.
    fn octet(&self, start: usize) -> Option<usize> {
        if start >= self.text.len() {
            return None;
        }
        let length = self.run_length(start, class::DIGIT, 3)?;
        let digits = &self.text[start..start + length];
        let value = digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        let plain = length == 1 || (length > 1 && digits[0] != b'0');
        (plain && value <= 255).then_some(start + length)
    }

    /// The most digits, 13 to 19, each followed by at most one space or dash, after which no digit stands; then
    /// Luhn. Giving digits back is all that backtracking can do: a separator that is given back is no digit either,
    /// so it is a border, and in front of another digit it cannot be left out.
    ///
    /// Linear: at most 19 digits are looked at for each run of digits.
    fn credit_card(&mut self, start: usize) -> bool {
        if start < self.card_from {
            return false;
        }
        let mut digits = [0; 19];
        let (mut count, mut at) = (0, start);
        let mut shape = None;
        while count < digits.len() && self.has(at, class::DIGIT) {
            digits[count] = self.text[at] - b'0';
            count += 1;
            at += 1;
            if self.has(at, class::DIGIT) {
                continue;
            }
            if count >= 13 {
                shape = Some((count, at));
            }
            if matches!(self.text.get(at), Some(b' ' | b'-')) {
                at += 1;
            }
        }
        let Some((count, end)) = shape else { return false };
        self.card_from = end;
        luhn(&digits[..count])
    }

    /// A run of 15 to 34 letters and digits that starts with two letters and, here, two digits; then mod 97.
    ///
    /// Linear: the runs do not overlap, and each has one place to start.
    fn iban(&self, digit: usize) -> bool {
        if digit < 2 || !self.has(digit - 2, class::LETTER) || !self.has(digit - 1, class::LETTER) {
            return false;
        }
        let start = digit - 2;
        if self.has_before(start, class::ALNUM) || !self.has(digit + 1, class::DIGIT) {
            return false;
        }
        let Some(length) = self.run_length(start, class::ALNUM, 34) else { return false };
        length >= 15 && mod97(&self.text[start..start + length]) == 1
    }

    /// A run of 26 to 35 base58 bytes that starts with 1 or 3. Zero is not among them, so a run of digits may
    /// hold several such runs.
    ///
    /// Linear: each run is measured from its first byte only.
    fn base58(&self, start: usize, end: usize) -> bool {
        (start..end).any(|at| {
            matches!(self.text[at], b'1' | b'3')
                && !self.has_before(at, class::BASE58)
                && self.run_length(at, class::BASE58, 35).is_some_and(|length| length >= 26)
        })
    }

    /// A run of lowercase letters and digits that starts with `bc1`, the digit being here, and 25 to 60 more.
    ///
    /// Linear: each run is measured from its first byte only.
    fn bech32(&self, digit: usize) -> bool {
        let Some(start) = digit.checked_sub(2) else { return false };
        self.text[start..].starts_with(b"bc1")
            && !self.has_before(start, class::LOWER_ALNUM)
            && self.run_length(start, class::LOWER_ALNUM, 63).is_some_and(|length| length >= 28)
    }
}

/// Eight groups; or exactly one `::` with groups or nothing on each side, and a decimal digit somewhere.
fn is_ipv6(run: &[u8]) -> bool {
    let Some(pair) = run.windows(2).position(|window| window == b"::") else {
        return groups(run) == Some(8);
    };
    let fits = |side: &[u8]| side.is_empty() || groups(side).is_some();
    fits(&run[..pair]) && fits(&run[pair + 2..]) && run.iter().any(u8::is_ascii_digit)
}

/// The number of groups between single colons, if each is one to four digits long.
fn groups(side: &[u8]) -> Option<usize> {
    side.split(|byte| *byte == b':')
        .try_fold(0, |count, group| (1..=4).contains(&group.len()).then_some(count + 1))
}

fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| u32::from(if place % 2 == 1 { doubled(*digit) } else { *digit }))
        .sum();
    sum.is_multiple_of(10)
}

/// ISO 7064: the country and check digits go last, letters count 10 to 35, the whole is one number.
fn mod97(iban: &[u8]) -> u32 {
    let (head, body) = iban.split_at(4);
    body.iter().chain(head).fold(0, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter.to_ascii_uppercase() - b'A') + 10) % 97,
    })
}

by_processor! {
    /// The kinds among those `wanted` that occur.
    fn search(text: &[u8], wanted: Kinds) -> Kinds => search_anywhere, search_modern;
}

/// The bytes that wake a detector, beside the digits.
const SIGNS: [u8; 3] = *b"@+:";

#[inline(always)]
fn search_anywhere(text: &[u8], wanted: Kinds) -> Kinds {
    Search::new(text, wanted).run(|bytes| digits_and(bytes, SIGNS))
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn search_modern(text: &[u8], wanted: Kinds) -> Kinds {
    Search::new(text, wanted).run(|bytes| wide::digits_and(bytes, SIGNS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::bytes::Regex;

    fn kinds(text: &[u8]) -> Vec<&'static str> {
        let row = Pii::new(&KINDS).unwrap().grade(&Cell::Text(text), &mut ());
        let code = if row.hits.is_empty() { Code::Ok } else { Code::PiiFound };
        assert_eq!((row.code, row.score == 1.0), (code, row.hits.is_empty()));
        row.hits.iter().map(|index| KINDS[*index as usize]).collect()
    }

    /// Both lists are separated by ` | `.
    fn check(kind: &str, found: &str, passed: &str) {
        for (texts, expected) in [(found, true), (passed, false)] {
            for text in texts.split(" | ") {
                assert_eq!(kinds(text.as_bytes()).contains(&kind), expected, "{kind} in {text:?}");
            }
        }
    }

    #[test]
    fn email() {
        check(
            "email",
            "a@b.co | x@y@z.org | %@-.xx | a@b..co | a@b.c.de | éa@b.coé | a@b.co. | a@1.2.3.com | _@_@b.co",
            "a@b.c | @b.co | é@b.co | a@.co | a@bco | a@b.1co | a@é.co | a @b.co | a@b_.co | a@ | a@b. | a@b.cé",
        );
    }

    #[test]
    fn ipv4() {
        check(
            "ipv4",
            "0.0.0.0 | 255.255.255.255 | v1.2.3.4 | 1.2.3.4.5 | 999.1.2.3.4 | .1.2.3.4. | é1.2.3.4é | a1.2.3.4a",
            "256.1.1.1 | 1.1.1.256 | 01.2.3.4 | 1.2.3.04 | 1.2.3 | 1..2.3.4 | 1.2.3. | 1.2.3.4444 | 1.2.3,4",
        );
    }

    #[test]
    fn ipv6() {
        check(
            "ipv6",
            "1:2:3:4:5:6:7:8 | a:b:c:d:e:f:a:b | ::1 | 1:: | fe80::ffff | 1:2:3::4:5:6:7:8:9:a | g::1g | é::1é | 12AB::",
            "1:2:3:4:5:6:7 | 1:2:3:4:5:6:7:8:9 | :: | std::vector | a::b | 1::2::3 | :::1 | 1::: | 12345:: | ::1: | \
             :1::2 | 1:2 | 0f::12345",
        );
    }

    #[test]
    fn credit_card() {
        check(
            "credit_card",
            "4222222222222 | 6304000000000000000 | 4111 1111 1111 1111 | 4111-1111-1111-1111- | \
             4 1 1 1-1 1 1 1-1 1 1 1-1 1 1 1 | 4111 1111 1111 1111 12345678 | x4111111111111111x | é4222222222222é",
            "422222222222 | 63040000000000000000 | 4111111111111112 | 4111  1111 1111 1111 | 4111 -1111 1111 1111 | \
             4111.1111.1111.1111 | 14111111111111111 | 1 4222222222222",
        );
        // What ends at a border is tried at its longest only, and the search goes on after it, not inside it.
        check("credit_card", "1111111111111111111 4222222222222", "4222222222222 1 | 1 4222222222222 1");
    }

    /// An IBAN of this length with the right check digits.
    fn valid_iban(length: usize) -> String {
        let body = "Z9".repeat(17)[..length - 4].to_owned();
        let mut valid = (0..100).map(|digits| format!("Gb{digits:02}{body}"));
        valid.find(|iban| mod97(iban.as_bytes()) == 1).unwrap()
    }

    #[test]
    fn iban() {
        let [short, shortest, longest, long] = [14, 15, 34, 35].map(valid_iban);
        check("iban", &format!("{shortest} | {longest}"), &format!("{short} | {long}"));
        check(
            "iban",
            "GB82WEST12345698765432 | gb82west12345698765432 | é(NO9386011117947)_",
            "GB82 WEST 1234 5698 7654 32 | GB82WEST12345698765433 | xGB82WEST12345698765432 | 1GB82WEST12345698765432 | \
             GB82WEST12345698765432x | GB8XWEST12345698765432",
        );
    }

    #[test]
    fn phone() {
        check(
            "phone",
            "+1234567 | +123456789012345 | ++1234567 | +(1)23.45-67 | +1\t2\n3\r4\u{b}5\u{c}6 7 | é+1234567é | 1+1234567",
            "+123456 | +1234567890123456 | 1234567 | (1234567 | +12345\u{a0}67 | +123+4567 | + 1 2 3 4 5 6 | +((((((1",
        );
    }

    #[test]
    fn crypto() {
        let base58 = |length: usize| "3b9".repeat(12)[..length].to_owned();
        let bech32 = |length: usize| "bc1".to_owned() + &"q0".repeat(31)[..length - 3];
        let cases = [
            (base58(25), false),
            (base58(26), true),
            (base58(35), true),
            (base58(36), false),
            (base58(26).replacen('3', "1", 1), true),
            (base58(26).replacen('3', "2", 1), false),
            (format!("O0{}0", base58(26)), true),
            (format!("é{}é", base58(26)), true),
            (format!("z{}", base58(26)), false),
            (format!("{}z", base58(35)), false),
            (bech32(27), false),
            (bech32(28), true),
            (bech32(63), true),
            (bech32(64), false),
            (format!("X{}X", bech32(28)), true),
            (format!("x{}", bech32(28)), false),
            (bech32(28).replace('b', "B"), false),
        ];
        for (text, expected) in cases {
            assert_eq!(kinds(text.as_bytes()).contains(&"crypto"), expected, "{text}");
        }
    }

    #[test]
    fn bytes_of_longer_characters_are_borders() {
        let surrogate = b"\xed\xa0\x80";
        for address in
            ["1.2.3.4", "::1", "4222222222222", "NO9386011117947", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"]
        {
            for border in [&surrogate[..], "é".as_bytes(), "😀".as_bytes(), b"\xff", b"\x80"] {
                let text = [border, address.as_bytes(), border].concat();
                assert_eq!(kinds(&text).len(), 1, "{text:x?}");
            }
        }
    }

    #[test]
    fn only_the_wanted_kinds_are_reported_in_their_order() {
        let text = b"+1234567 ::1 1.2.3.4 a@b.co";
        let row = |wanted: &[&str]| Pii::new(wanted).unwrap().grade(&Cell::Text(text), &mut ());
        assert_eq!(row(&["phone", "email", "email", "iban"]).hits, [0, 5]);
        assert_eq!(row(&["iban"]), Row::plain(Code::Ok));
        assert_eq!(row(&KINDS).hits, [0, 3, 4, 5]);
        assert!(Pii::new(&["ssn"]).is_none() && Pii::new(&["Email"]).is_none());
        assert_eq!(Pii::new(&KINDS).unwrap().grade(&Cell::Other, &mut ()), Row::plain(Code::NotText));
    }

    #[test]
    fn kinds_are_found_across_the_seams_of_blocks() {
        for (kind, example) in [
            ("email", "ab@cd.ef"),
            ("credit_card", "4111 1111 1111 1111"),
            ("iban", "DE89370400440532013000"),
            ("ipv4", "10.0.0.255"),
            ("ipv6", "2001:db8:0:0:0:0:0:1"),
            ("phone", "+49 170 1234567"),
            ("crypto", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
        ] {
            for place in 0..=2 * BLOCK {
                let text = format!("{}{example}{}", " ".repeat(place), "|".repeat(place % 7));
                assert!(kinds(text.as_bytes()).contains(&kind), "{kind} at {place}");
            }
        }
    }

    #[test]
    fn hostile_repeats_end() {
        for unit in [
            "a@", "1.", "1.1.300.", ":", "1:", "+((((", "+1", "a", "1", "1 ", "0", "01", "ab12", "bc1",
            "@a.a.a.",
        ] {
            let text = unit.repeat(1_000_000 / unit.len());
            assert_eq!(kinds(text.as_bytes()), if unit == "1." { vec!["ipv4"] } else { vec![] }, "{unit:?}");
        }
    }

    /// A detector as it is defined: what may not stand before it, the pattern, what may not stand after it, and the
    /// test of what is matched.
    type Definition = (&'static str, &'static str, &'static str, fn(&[u8]) -> bool);

    #[rustfmt::skip]
    const DEFINITIONS: [(&str, Definition); 8] = [
        ("email", ("", r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}", "", |_| true)),
        ("credit_card", ("0-9", r"(?:[0-9][ -]?){13,19}", "0-9", |card| luhn(&digits(card)))),
        ("iban", ("A-Za-z0-9", r"[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}", "A-Za-z0-9", |iban| mod97(iban) == 1)),
        ("ipv4", ("0-9", r"OCTET(?:\.OCTET){3}", "0-9", |_| true)),
        ("ipv6", (":0-9A-Fa-f", r"(?:HEX:){7}HEX|GROUPS?::GROUPS?", ":0-9A-Fa-f", |address| {
            !address.windows(2).any(|pair| pair == b"::") || !digits(address).is_empty()
        })),
        ("phone", ("", r"[+()0-9][0-9 \t\n\r\f\v().-]{6,}[0-9]", "", |phone| {
            phone[0] == b'+' && (7..=15).contains(&digits(phone).len())
        })),
        ("crypto", ("1-9A-HJ-NP-Za-km-z", r"[13][1-9A-HJ-NP-Za-km-z]{25,34}", "1-9A-HJ-NP-Za-km-z", |_| true)),
        ("crypto", ("a-z0-9", r"bc1[a-z0-9]{25,60}", "a-z0-9", |_| true)),
    ];

    fn digits(text: &[u8]) -> Vec<u8> {
        text.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect()
    }

    /// Whether a backtracking engine finds a match that passes, from left to right without overlap.
    ///
    /// The engine used here knows no borders but prefers what a backtracking one does, so the border behind a match
    /// is made part of the pattern, and the one before it is looked at by hand.
    fn defined((before, pattern, after, test): &Definition, text: &[u8]) -> bool {
        let pattern = pattern
            .replace("OCTET", "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])")
            .replace("GROUPS", "(?:HEX(?::HEX)*)")
            .replace("HEX", "[0-9A-Fa-f]{1,4}");
        let border = if after.is_empty() { String::new() } else { format!(r"(?:[^{after}]|\z)") };
        let here = Regex::new(&format!(r"(?s-u)\A({pattern}){border}")).unwrap();
        let blocker = (!before.is_empty()).then(|| Regex::new(&format!(r"(?-u)[{before}]\z")).unwrap());
        let blocked = |at: usize| blocker.as_ref().is_some_and(|blocker| blocker.is_match(&text[..at]));
        let mut from = 0;
        while from < text.len() {
            let found = here.captures(&text[from..]).filter(|_| !blocked(from));
            let Some(length) = found.map(|groups| groups[1].len()) else {
                from += 1;
                continue;
            };
            if test(&text[from..from + length]) {
                return true;
            }
            from += length;
        }
        false
    }

    fn agrees(kind: &str, text: &str) {
        let mut definitions = DEFINITIONS.iter().filter(|(name, _)| *name == kind);
        let expected = definitions.any(|(_, definition)| defined(definition, text.as_bytes()));
        assert_eq!(kinds(text.as_bytes()).contains(&kind), expected, "{kind} in {text:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn email_is_as_defined(text in "[a1@.%-]{0,12}[éa@.]{0,9}") {
            agrees("email", &text);
        }

        #[test]
        fn credit_card_is_as_defined(text in "([0-9]{1,5}[ -]?){0,9}( -)?[0-9]{0,20}( [0-9]{12,20}){0,3}x?") {
            agrees("credit_card", &text);
        }

        #[test]
        fn iban_is_as_defined(text in "[é1a ]?[A-Za-z]{1,3}[0-9]{1,3}[0-9A-Za-z]{10,32}[é1a ]?") {
            agrees("iban", &text);
        }

        #[test]
        fn ipv4_is_as_defined(text in "((25[0-9]|[0-2]?[0-9]{1,2})[.]{1,2}){0,7}[0-9a]{0,4}") {
            agrees("ipv4", &text);
        }

        #[test]
        fn ipv6_is_as_defined(text in "([0af]{1,5}|:|::|[1é]){0,6}:([0-9a-g]{1,4}:){0,8}[0-9A-F]{0,5}") {
            agrees("ipv6", &text);
        }

        #[test]
        fn phone_is_as_defined(text in "([+(]{0,2}[0-9]{0,4}[0-9 \t\n\r\u{b}\u{c}().-]{0,6}[0-9]{0,3}[é+]?){0,4}") {
            agrees("phone", &text);
        }

        #[test]
        fn crypto_is_as_defined(text in "[0a1é]{0,2}([13]|bc1)[a-km-z1-9]{23,36}[0lé ]?[a-z0-9]{0,28}") {
            agrees("crypto", &text);
        }

        #[test]
        fn any_bytes_are_survived(text in proptest::collection::vec(any::<u8>(), 0..60)) {
            kinds(&text);
        }
    }
}
