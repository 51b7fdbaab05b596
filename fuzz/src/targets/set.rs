//! Graders that share a pass: what one leaves for another, or one row for the next, changes no verdict.

use std::sync::LazyLock;

use gradestone::bleu::Bleu;
use gradestone::blocklist::Blocklist;
use gradestone::context::ContextF1;
use gradestone::jaccard::Jaccard;
use gradestone::matching::{Contains, ExactMatch, Pattern};
use gradestone::pii::Pii;
use gradestone::rouge::{self, Rouge, RougeType};
use gradestone::set::{Column, Grader, Task};
use gradestone::text::Cell;

use super::shown;
use crate::Text;
use crate::harness::{Verdict, agree, grade};
use crate::input::{Input, decode, encode};
use crate::oracle::overlap::{self, Measure};
use crate::oracle::{backtrack, blocklist, matching, pii};
use crate::words::PROSE;

/// The threshold of all that are scored.
const THRESHOLD: f64 = 0.5;

const TERMS: [&str; 4] = ["a", "σας", "as an ai", "the"];
const KINDS: [&str; 2] = ["email", "ipv4"];
const PATTERN: &str = "[ab]c";

static READ: LazyLock<Option<backtrack::Pattern>> = LazyLock::new(|| backtrack::Pattern::read(PATTERN));

/// Columns: texts, the same one row further, one text for all rows, no texts, the input's own bytes as texts that
/// nobody has looked at, and the same as texts that somebody has vouched for.
const COLUMNS: usize = 6;

static GRADERS: LazyLock<[Grader; 10]> = LazyLock::new(|| {
    let rouge = |kind| Grader::Rouge(Rouge { kind, measure: rouge::Measure::Fmeasure, threshold: THRESHOLD });
    [
        Grader::Bleu(Bleu { threshold: THRESHOLD }),
        rouge(RougeType::One),
        rouge(RougeType::L),
        Grader::Jaccard(Jaccard { threshold: THRESHOLD }),
        Grader::Blocklist(Blocklist::new(&TERMS)),
        Grader::Pii(Pii::new(&KINDS).expect("known kinds")),
        Grader::ExactMatch(ExactMatch { case_sensitive: false, remove_punctuation: true }),
        Grader::Contains(Contains::new(&["a"], false)),
        Grader::Pattern(Pattern::new(PATTERN, true).expect("a pattern")),
        Grader::ContextF1(ContextF1 {
            measure: rouge::Measure::Fmeasure,
            similarity_threshold: THRESHOLD,
            threshold: THRESHOLD,
        }),
    ]
});

fn text(written: &str) -> Text {
    written.chars().map(u32::from).collect()
}

/// What a grader of the list says of two cells, `None` standing for one that is no text.
fn oracle(grader: usize, candidate: Option<&Text>, reference: Option<&Text>) -> Verdict {
    // The one that takes lists gets none here.
    let needs_reference = matches!(grader, 0..=3 | 6);
    let (Some(candidate), Some(reference)) = (candidate, if needs_reference { reference } else { candidate })
    else {
        return Verdict::plain("not_text");
    };
    let is_plain = candidate.iter().all(|code_point| char::from_u32(*code_point).is_some());
    match grader {
        0 => overlap::bleu(candidate, reference, THRESHOLD),
        1 | 2 => overlap::rouge(candidate, reference, grader == 2, Measure::F, THRESHOLD),
        3 => overlap::semantic(candidate, reference, THRESHOLD),
        4 => blocklist::blocklist(candidate, &TERMS.map(text)),
        5 => pii::no_pii(candidate, &KINDS),
        6 => matching::exact_match(candidate, reference, false, true),
        7 => matching::contains(candidate, &[text("a")], false),
        8 if is_plain => matching::pattern(candidate, READ.as_ref().expect("a pattern"), true),
        8 => Verdict::plain("needs_engine"),
        _ => Verdict::plain("not_text"),
    }
}

/// The first field chooses tasks, a byte each for grader and columns; the others are the texts of the rows.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let texts = input.texts(4).split_off(1);
    if texts.is_empty() {
        return;
    }
    let bytes: Vec<Vec<u8>> = texts.iter().map(|text| encode(text)).collect();
    let rows = texts.len();
    let raw = &input.fields[1..=rows];
    let cells =
        |shift: usize| (0..rows).map(|row| Cell::Text(&bytes[(row + shift) % rows])).collect::<Vec<_>>();
    let columns: [Column<'_>; COLUMNS] = [
        Column::Many(cells(0)),
        Column::Many(cells(1)),
        Column::One(Cell::Text(&bytes[0])),
        Column::One(Cell::Other),
        Column::Unseen(raw.iter().map(|bytes| Cell::Text(bytes)).collect()),
        Column::Many(raw.iter().map(|bytes| Cell::Text(bytes)).collect()),
    ];
    let read = raw.iter().map(|bytes| decode(bytes)).collect::<Vec<Text>>();
    let cell = |column: usize, row: usize| match column {
        0 => Some(&texts[row]),
        1 => Some(&texts[(row + 1) % rows]),
        2 => Some(&texts[0]),
        4 => std::str::from_utf8(raw[row]).ok().map(|_| &read[row]),
        5 => Some(&read[row]),
        _ => None,
    };
    // Bytes that are no text at all cannot be vouched for: no rule says what they give, only that they are survived.
    let is_ruled = |column: usize, row: usize| column < 5 || encode(&read[row]) == raw[row];
    let chosen: Vec<[usize; 3]> = input.fields[0].iter().take(6).map(|byte| choice(*byte)).collect();
    let tasks: Vec<Task<'_>> = chosen
        .iter()
        .map(|[grader, candidate, reference]| Task {
            grader: &GRADERS[*grader],
            candidate: *candidate,
            reference: *reference,
        })
        .collect();
    let verdicts = grade(&tasks, &columns, rows);
    assert_eq!(verdicts.len(), rows * tasks.len());
    for (place, verdict) in verdicts.iter().enumerate() {
        let (row, task) = (place / tasks.len(), place % tasks.len());
        let [grader, candidate, reference] = chosen[task];
        if !is_ruled(candidate, row) || !is_ruled(reference, row) {
            assert_ne!(verdict.code, "internal_error");
            continue;
        }
        let expected = oracle(grader, cell(candidate, row), cell(reference, row));
        agree(verdict, &expected, &(&chosen, row, task, shown(&texts)));
    }
}

/// Grader, candidates, references.
fn choice(byte: u8) -> [usize; 3] {
    let byte = usize::from(byte);
    [byte % 10, byte / 10 % COLUMNS, byte / 43 % COLUMNS]
}
