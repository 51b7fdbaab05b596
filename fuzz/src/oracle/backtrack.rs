//! A backtracking engine in the plainest form: leftmost start, greedy quantifiers, alternatives in order.
//!
//! It reads what SPEC.md's patterns and a part of the users' need: literals, classes, `.`, groups without names,
//! alternatives, greedy quantifiers, look-around, `^ $ \A \Z \z \b \B`, `\d \w \s` and their opposites. Anything else
//! is refused.

use std::ops::Range;

use super::text::is_pinned_whitespace;

/// A pattern that was read.
#[derive(Debug)]
pub struct Pattern(Vec<Node>);

#[derive(Debug)]
enum Node {
    /// One code point in, or not in, some ranges.
    Set {
        ranges: Vec<(u32, u32)>,
        negated: bool,
    },
    /// One of several sequences.
    Group(Vec<Vec<Node>>),
    /// A node, so many times at least and at most.
    Repeat(Box<Node>, usize, usize),
    /// Whether a group matches from here, or from so many code points before.
    Look {
        group: Box<Node>,
        behind: Option<usize>,
        negated: bool,
    },
    Start,
    /// The very end, or also before one LF that is the last code point.
    End {
        or_last_line: bool,
    },
    Border {
        negated: bool,
    },
}

/// What is to be done with each place that a node can end at; true ends the search.
type Then<'a> = &'a mut dyn FnMut(usize) -> bool;

impl Pattern {
    /// Reads a pattern; `None` if it holds anything that this engine does not know.
    #[must_use]
    pub fn read(pattern: &str) -> Option<Self> {
        let mut reader = Reader { rest: pattern };
        let group = reader.alternatives()?;
        reader.rest.is_empty().then_some(Self(vec![Node::Group(group)]))
    }

    /// Where the first match at or behind `from` lies.
    #[must_use]
    pub fn find(&self, text: &[u32], from: usize) -> Option<Range<usize>> {
        (from..=text.len()).find_map(|start| {
            let mut end = None;
            walk(&self.0, text, start, &mut |at| {
                end = Some(at);
                true
            });
            Some(start..end?)
        })
    }

    /// Whether the pattern matches anywhere.
    #[must_use]
    pub fn is_in(&self, text: &[u32]) -> bool {
        self.find(text, 0).is_some()
    }
}

fn walk(nodes: &[Node], text: &[u32], at: usize, then: Then<'_>) -> bool {
    let Some((node, rest)) = nodes.split_first() else { return then(at) };
    let holds = match node {
        Node::Set { ranges, negated } => {
            let is_in =
                |code_point: &u32| ranges.iter().any(|(low, high)| (low..=high).contains(&code_point));
            return text.get(at).is_some_and(|code_point| is_in(code_point) != *negated)
                && walk(rest, text, at + 1, then);
        }
        Node::Group(group) => {
            return group.iter().any(|nodes| walk(nodes, text, at, &mut |end| walk(rest, text, end, then)));
        }
        Node::Repeat(node, least, most) => {
            return repeat(node, [*least, *most], text, at, &mut |end| walk(rest, text, end, then));
        }
        Node::Look { group, behind, negated } => {
            let start = at.checked_sub(behind.unwrap_or(0));
            start.is_some_and(|start| walk(from_ref(group), text, start, &mut |_| true)) != *negated
        }
        Node::Start => at == 0,
        Node::End { or_last_line } => at == text.len() || (*or_last_line && text[at..] == [0x0a]),
        Node::Border { negated } => is_border(text, at, *negated),
    };
    holds && walk(rest, text, at, then)
}

fn from_ref(node: &Node) -> &[Node] {
    std::slice::from_ref(node)
}

/// One more first, then what there is. A repeat that takes nothing and is not asked for leads nowhere.
fn repeat(node: &Node, [least, most]: [usize; 2], text: &[u32], at: usize, then: Then<'_>) -> bool {
    let again = most > 0
        && walk(from_ref(node), text, at, &mut |end| {
            (end > at || least > 0) && repeat(node, [least.saturating_sub(1), most - 1], text, end, then)
        });
    again || (least == 0 && then(at))
}

/// The empty text has neither borders nor places between them.
fn is_border(text: &[u32], at: usize, negated: bool) -> bool {
    let is_word =
        |code_point: Option<&u32>| code_point.is_some_and(|c| super::text::is_word(*c) || *c == 0x5f);
    let border = is_word(text[..at].last()) != is_word(text.get(at));
    if negated { !border && !text.is_empty() } else { border }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let character = characters.next();
        self.rest = characters.as_str();
        character
    }

    fn alternatives(&mut self) -> Option<Vec<Vec<Node>>> {
        let mut all = vec![self.sequence()?];
        while self.eat("|") {
            all.push(self.sequence()?);
        }
        Some(all)
    }

    fn sequence(&mut self) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with([')', '|']) {
            let node = self.node()?;
            nodes.push(self.quantified(node)?);
        }
        Some(nodes)
    }

    fn node(&mut self) -> Option<Node> {
        for (token, behind, negated) in
            [("(?=", false, false), ("(?!", false, true), ("(?<=", true, false), ("(?<!", true, true)]
        {
            if self.eat(token) {
                let group = Box::new(self.group()?);
                let behind = if behind { Some(width(&group)?) } else { None };
                return Some(Node::Look { group, behind, negated });
            }
        }
        if self.eat(r"(?-u:\b)") {
            return Some(Node::Border { negated: false });
        }
        if self.eat("(?:") {
            return self.group();
        }
        Some(match self.next()? {
            '(' if !self.rest.starts_with('?') => self.group()?,
            '[' => self.class()?,
            '.' => Node::Set { ranges: vec![(0x0a, 0x0a)], negated: true },
            '^' => Node::Start,
            '$' => Node::End { or_last_line: true },
            '\\' => self.escape()?,
            '*' | '+' | '?' | '{' | '}' | '(' => return None,
            literal => Node::Set { ranges: vec![single(literal)], negated: false },
        })
    }

    fn group(&mut self) -> Option<Node> {
        let alternatives = self.alternatives()?;
        self.eat(")").then_some(Node::Group(alternatives))
    }

    fn quantified(&mut self, node: Node) -> Option<Node> {
        let bounds = match self.rest.chars().next() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => return self.counted(node),
            _ => return Some(node),
        };
        self.next();
        self.ended(Node::Repeat(Box::new(node), bounds.0, bounds.1))
    }

    fn counted(&mut self, node: Node) -> Option<Node> {
        let (inside, rest) = self.rest[1..].split_once('}')?;
        let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
        self.rest = rest;
        let most = if most.is_empty() { usize::MAX } else { most.parse().ok()? };
        self.ended(Node::Repeat(Box::new(node), least.parse().ok()?, most))
    }

    /// Lazy and possessive quantifiers are not known here.
    fn ended(&self, repeat: Node) -> Option<Node> {
        (!self.rest.starts_with(['*', '+', '?', '{'])).then_some(repeat)
    }

    fn escape(&mut self) -> Option<Node> {
        let escaped = self.next()?;
        Some(match escaped {
            'A' => Node::Start,
            'Z' | 'z' => Node::End { or_last_line: false },
            'b' | 'B' => Node::Border { negated: escaped == 'B' },
            'D' | 'W' | 'S' => Node::Set { ranges: shorthand(escaped.to_ascii_lowercase())?, negated: true },
            other => Node::Set { ranges: shorthand(other)?, negated: false },
        })
    }

    fn class(&mut self) -> Option<Node> {
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while ranges.is_empty() || !self.eat("]") {
            let low = match self.next()? {
                '\\' => shorthand(self.next()?)?,
                literal => vec![single(literal)],
            };
            let is_range = self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if !is_range {
                ranges.extend(low);
                continue;
            }
            self.next();
            let high = self.next().filter(|high| *high != '\\')?;
            ranges.push((low.first()?.0, u32::from(high)));
        }
        Some(Node::Set { ranges, negated })
    }
}

/// How many code points a node takes, if it is always as many.
fn width(node: &Node) -> Option<usize> {
    match node {
        Node::Set { .. } => Some(1),
        Node::Group(group) => {
            let mut widths = group.iter().map(|nodes| nodes.iter().map(width).sum::<Option<usize>>());
            let first = widths.next()??;
            widths.all(|width| width == Some(first)).then_some(first)
        }
        Node::Repeat(node, least, most) if least == most => Some(width(node)? * least),
        Node::Repeat(..) => None,
        Node::Look { .. } | Node::Start | Node::End { .. } | Node::Border { .. } => Some(0),
    }
}

fn single(character: char) -> (u32, u32) {
    (u32::from(character), u32::from(character))
}

/// The ranges of an escape that is no place.
fn shorthand(escaped: char) -> Option<Vec<(u32, u32)>> {
    let one = |code_point: u32| vec![(code_point, code_point)];
    Some(match escaped {
        'd' => vec![(0x30, 0x39)],
        'w' => vec![(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)],
        's' => (0..0x80).filter(|code_point| is_pinned_whitespace(*code_point)).flat_map(one).collect(),
        't' => one(0x09),
        'n' => one(0x0a),
        'v' => one(0x0b),
        'f' => one(0x0c),
        'r' => one(0x0d),
        other if !other.is_ascii_alphanumeric() => one(u32::from(other)),
        _ => return None,
    })
}
