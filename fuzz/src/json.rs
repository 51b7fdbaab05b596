//! A strict reader of JSON that remembers where everything lay.
//!
//! It serves twice: as the oracle of the kernel that reads lines, and to read the vectors, whose texts hold lone
//! surrogates. RFC 8259 and nothing else: no NaN, no comments, no byte order mark, no raw control characters.

use std::ops::Range;

use crate::Text;

/// A value, and the bytes that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is.
    pub kind: Kind,
    /// Where it lay.
    pub place: Range<usize>,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// null
    Null,
    /// true, false
    Bool(bool),
    /// The digits as they stand are at the value's place.
    Number(f64),
    /// A string; a pair of escapes is one code point, half of one is a lone surrogate.
    Text(Text),
    /// A list.
    List(Vec<Value>),
    /// Names and values in their order, repeated ones too.
    Object(Vec<(Value, Value)>),
}

impl Value {
    /// The value of a name of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Kind::Object(members) = &self.kind else { return None };
        let is_named = |member: &&(Self, Self)| member.0.string().as_deref() == Some(name);
        members.iter().rev().find(is_named).map(|member| &member.1)
    }

    /// Its code points, if it is a text.
    #[must_use]
    pub fn text(&self) -> Option<&Text> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// It as a string, if it is a text of characters.
    #[must_use]
    pub fn string(&self) -> Option<String> {
        self.text()?.iter().copied().map(char::from_u32).collect()
    }

    /// Its members, if it is a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Self]> {
        if let Kind::List(members) = &self.kind { Some(members) } else { None }
    }
}

/// Reads one value with nothing but whitespace round it; `None` if that is not what is there.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Value> {
    // UTF-8 all of it, or none of it is JSON.
    std::str::from_utf8(bytes).ok()?;
    let mut reader = Reader { bytes, at: 0 };
    reader.space();
    let value = reader.value()?;
    reader.space();
    (reader.at == bytes.len()).then_some(value)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &[u8]) -> bool {
        let is_here = self.bytes[self.at..].starts_with(token);
        self.at += if is_here { token.len() } else { 0 };
        is_here
    }

    fn value(&mut self) -> Option<Value> {
        let start = self.at;
        let kind = match self.peek()? {
            b'"' => Kind::Text(self.string()?),
            b'[' => self.list()?,
            b'{' => self.object()?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ if self.eat(b"null") => Kind::Null,
            _ if self.eat(b"true") => Kind::Bool(true),
            _ if self.eat(b"false") => Kind::Bool(false),
            _ => return None,
        };
        Some(Value { kind, place: start..self.at })
    }

    fn list(&mut self) -> Option<Kind> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.eat(b"]") {
            return Some(Kind::List(members));
        }
        loop {
            self.space();
            members.push(self.value()?);
            self.space();
            if self.eat(b"]") {
                return Some(Kind::List(members));
            }
            self.eat(b",").then_some(())?;
        }
    }

    fn object(&mut self) -> Option<Kind> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.eat(b"}") {
            return Some(Kind::Object(members));
        }
        loop {
            self.space();
            let start = self.at;
            (self.peek()? == b'"').then_some(())?;
            let name = Kind::Text(self.string()?);
            let name = Value { kind: name, place: start..self.at };
            self.space();
            self.eat(b":").then_some(())?;
            self.space();
            members.push((name, self.value()?));
            self.space();
            if self.eat(b"}") {
                return Some(Kind::Object(members));
            }
            self.eat(b",").then_some(())?;
        }
    }

    fn number(&mut self) -> Option<Kind> {
        let start = self.at;
        self.eat(b"-");
        if !self.eat(b"0") {
            self.digits()?;
        }
        if self.eat(b".") {
            self.digits()?;
        }
        if self.eat(b"e") || self.eat(b"E") {
            let _ = self.eat(b"+") || self.eat(b"-");
            self.digits()?;
        }
        std::str::from_utf8(&self.bytes[start..self.at]).ok()?.parse().ok().map(Kind::Number)
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn string(&mut self) -> Option<Text> {
        let mut text = Text::new();
        self.at += 1;
        loop {
            let rest = std::str::from_utf8(&self.bytes[self.at..]).ok()?;
            let character = rest.chars().next()?;
            self.at += character.len_utf8();
            match character {
                '"' => return Some(text),
                '\\' => text.push(self.escape()?),
                '\0'..='\u{1f}' => return None,
                other => text.push(u32::from(other)),
            }
        }
    }

    fn escape(&mut self) -> Option<u32> {
        let escaped = self.peek()?;
        self.at += 1;
        Some(match escaped {
            b'"' | b'\\' | b'/' => u32::from(escaped),
            b'b' => 0x08,
            b't' => 0x09,
            b'n' => 0x0a,
            b'f' => 0x0c,
            b'r' => 0x0d,
            b'u' => self.unit_or_pair()?,
            _ => return None,
        })
    }

    fn unit_or_pair(&mut self) -> Option<u32> {
        let high = self.unit()?;
        let behind = self.at;
        if (0xd800..0xdc00).contains(&high) && self.eat(b"\\u") {
            match self.unit() {
                Some(low @ 0xdc00..0xe000) => {
                    return Some(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00));
                }
                _ => self.at = behind,
            }
        }
        Some(high)
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
        self.at += 4;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::decode;

    #[test]
    fn what_is_json_is_read() {
        let value =
            read(b" {\"a\": [1, -0.5e1, null, true], \"b\": \"x\\n\\ud83d\\ude00\\ud800\"} ").expect("JSON");
        let numbers = value.get("a").and_then(Value::list).expect("a list");
        assert_eq!((&numbers[1].kind, numbers[1].place.clone()), (&Kind::Number(-5.0), 11..17));
        assert_eq!(value.get("b").and_then(Value::text), Some(&vec![0x78, 0x0a, 0x1_f600, 0xd800]));
        assert_eq!(
            read("\"é\"".as_bytes()).and_then(|value| value.text().cloned()),
            Some(decode("é".as_bytes()))
        );
    }

    #[test]
    fn what_is_no_json_is_not() {
        let broken = "|{|[1,]|{\"a\":1,}|01|1.|.5|+1|-|NaN|nul|'a'|\"\t\"|\"\\x\"|\"\\u12\"|1 2|\u{feff}1|{a:1}|[1 2]|\"a";
        for text in broken.split('|') {
            assert_eq!(read(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(read(b"\"\xff\""), None);
    }
}
