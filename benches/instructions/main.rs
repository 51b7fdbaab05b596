//! What a row costs each kernel, in instructions: they stay the same from run to run, as no time does.
//!
//! `benches/check.py` runs this under callgrind, which counts within [`counted`] alone and writes its count down each
//! time that ends. What is printed tells which count is whose: a line a bench, its name and its rows, in that order;
//! before them the features of the processor that code asks for and valgrind has.
//!
//! Everything is prepared, and every bench has run once, before it is counted: buffers have grown, and what asks the
//! processor for its features knows them. A bench whose rows are refused instead of graded ends the run.

mod corpus;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use arrow_array::ffi::to_ffi;
use arrow_array::{Array, StringArray};
use corpus::{Chance, Pair};
use gradestone::arrow::{self, Chunked};
use gradestone::batch::{Code, Hits, Row};
use gradestone::bleu::Bleu;
use gradestone::blocklist::Blocklist;
use gradestone::context::ContextF1;
use gradestone::jaccard::Jaccard;
use gradestone::jsonl::{self, Wanted};
use gradestone::matching::{Contains, ExactMatch, Pattern};
use gradestone::pii::Pii;
use gradestone::rouge::{Measure, Rouge, RougeType};
use gradestone::set::{Column, Grader, Scratch, Task, grade_rows};
use gradestone::splice::{self, Frame, Phrase, Verdicts};
use gradestone::text::Cell;
use gradestone::threads::Watch;
use gradestone::tokenizer::Tokenizer;

/// Rows of the corpus: enough that the seeds of hash tables, new in each run, do not show.
const ROWS: usize = 400;

static STOP: AtomicBool = AtomicBool::new(false);

fn main() {
    let pairs = corpus::pairs(ROWS);
    println!("cpu\t{}", features());
    tokenizer(&pairs);
    for (name, grader) in text_graders() {
        grades(name, &grader, &columns(&pairs));
    }
    contexts(&pairs);
    json_lines(&pairs);
    splicing(&pairs);
    arrow_column(&pairs);
}

/// Counts the work, which tells how many rows it was, after it ran once.
fn bench(name: &str, mut work: impl FnMut() -> usize) {
    assert_eq!([work(), counted(&mut work)], [ROWS; 2], "{name} did not do all rows");
    println!("{name}\t{ROWS}");
}

/// Where callgrind counts. Something is done with the result, so that the call is no jump out of here.
#[inline(never)]
fn counted(work: &mut dyn FnMut() -> usize) -> usize {
    black_box(work())
}

#[cfg(target_arch = "x86_64")]
fn features() -> String {
    macro_rules! known {
        ($($feature:tt),*) => { [$(($feature, is_x86_feature_detected!($feature))),*] };
    }
    let known = known!("sse4.2", "avx", "avx2", "bmi1", "bmi2", "popcnt", "lzcnt", "avx512f");
    known.iter().filter(|(_, is_there)| *is_there).map(|(feature, _)| *feature).collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> String {
    std::env::consts::ARCH.to_owned()
}

fn tokenizer(pairs: &[Pair]) {
    let mut tokenizer = Tokenizer::default();
    let mut tokens = Vec::new();
    bench("tokenizer", || {
        let rows = pairs.iter().filter(|pair| {
            tokenizer.clear();
            tokenizer.tokenize(pair.reference.as_bytes(), usize::MAX, &mut tokens);
            tokenizer.tokenize(pair.candidate.as_bytes(), usize::MAX, &mut tokens);
            !tokens.is_empty()
        });
        rows.count()
    });
}

fn text_graders() -> Vec<(&'static str, Grader)> {
    let rouge = |kind| Grader::Rouge(Rouge { kind, measure: Measure::Fmeasure, threshold: 0.5 });
    let terms = |count| Grader::Blocklist(Blocklist::new(&terms(count)));
    vec![
        ("bleu", Grader::Bleu(Bleu { threshold: 0.5 })),
        ("rouge_1", rouge(RougeType::One)),
        ("rouge_l", rouge(RougeType::L)),
        ("semantic", Grader::Jaccard(Jaccard { threshold: 0.5 })),
        ("blocklist_10", terms(10)),
        ("blocklist_1000", terms(1000)),
        ("no_pii", Grader::Pii(Pii::new(&gradestone::pii::KINDS).expect("all kinds are known"))),
        ("contains", Grader::Contains(Contains::new(&["ering", "zebra", "permenlo"], false))),
        ("exact_match", Grader::ExactMatch(ExactMatch { case_sensitive: false, remove_punctuation: false })),
        (
            "regex",
            Grader::Pattern(Pattern::new("as an ai|[0-9]{4}-[0-9]{2}", false).expect("it is a pattern")),
        ),
    ]
}

/// Words like those of the texts, few of which are in them, and one phrase.
fn terms(count: usize) -> Vec<String> {
    let mut terms = corpus::words(8 * count, &mut Chance::new(u64::MAX));
    terms.retain(|word| word.len() > 6);
    terms.truncate(count - 1);
    terms.push("as an ai".to_owned());
    assert_eq!(terms.len(), count);
    terms
}

fn columns(pairs: &[Pair]) -> [Column<'_>; 2] {
    let column = |text: fn(&Pair) -> &String| {
        Column::Many(pairs.iter().map(|pair| Cell::Text(text(pair).as_bytes())).collect())
    };
    [column(|pair| &pair.candidate), column(|pair| &pair.reference)]
}

fn grades(name: &str, grader: &Grader, columns: &[Column<'_>]) {
    let task = Task { grader, candidate: 0, reference: columns.len() - 1 };
    let mut scratch = Scratch::default();
    let mut pass = || grade_rows(&[task], columns, 0..ROWS, &mut scratch, &mut Watch::follower(&STOP));
    assert!(pass().iter().all(is_graded), "{name} refuses rows of the corpus");
    bench(name, || pass().len());
}

/// Whether the kernel had to do its work for the verdict.
fn is_graded(row: &Row) -> bool {
    use Code::{BelowThreshold, BlockedTerm, Mismatch, MissingFragment, NoMatch, Ok, PiiFound};
    matches!(row.code, Ok | BelowThreshold | BlockedTerm | Mismatch | MissingFragment | NoMatch | PiiFound)
}

fn contexts(pairs: &[Pair]) {
    let lists = |list: fn(&Pair) -> &[String]| -> Vec<Vec<&[u8]>> {
        pairs.iter().map(|pair| list(pair).iter().map(String::as_bytes).collect()).collect()
    };
    let [retrieved, expected] = [lists(|pair| &pair.retrieved), lists(|pair| &pair.expected)];
    let columns = [&retrieved, &expected]
        .map(|lists| Column::Many(lists.iter().map(|list| Cell::Texts(list)).collect()));
    let kernel = ContextF1 { measure: Measure::Fmeasure, similarity_threshold: 0.7, threshold: 0.5 };
    grades("context_f1", &Grader::ContextF1(kernel), &columns);
}

/// The corpus as lines of JSON.
fn block(pairs: &[Pair]) -> Vec<u8> {
    let quoted = |text: &str| text.replace('\n', "\\n");
    let line = |(row, pair): (usize, &Pair)| {
        let [candidate, reference] = [quoted(&pair.candidate), quoted(&pair.reference)];
        format!("{{\"id\": {row}, \"candidate\": \"{candidate}\", \"reference\": \"{reference}\"}}\n")
    };
    pairs.iter().enumerate().map(line).collect::<String>().into_bytes()
}

fn json_lines(pairs: &[Pair]) {
    let block = block(pairs);
    let wanted = Wanted {
        names: ["candidate", "reference"].map(str::to_owned).to_vec(),
        reserved: vec!["bleu_score".to_owned()],
    };
    let mut tape = Vec::new();
    bench("json_lines", || {
        let (lines, _) = jsonl::lines(&block, 1);
        let found = jsonl::read(&block, &lines, &wanted, &mut tape, &mut Watch::follower(&STOP));
        found.hard.iter().filter(|is_hard| !**is_hard).count()
    });
}

/// Rows are written with a score and with what hit.
fn splicing(pairs: &[Pair]) {
    let block = block(pairs);
    let (lines, _) = jsonl::lines(&block, 1);
    let rows = splice::Rows::Whole(lines.iter().map(|line| &block[line.place.clone()]).collect());
    let frames = [Frame {
        front: b"\"bleu_score\":{\"passed\":false,\"score\":".to_vec(),
        middle: b",\"outcome\":\"failed\",\"code\":\"below_threshold\",\"reason\":".to_vec(),
    }];
    let scored = [Some(Phrase::Scored(b"\"score ".to_vec(), b" is below threshold 0.5\"".to_vec()))];
    let words = ["\\\"one\\\"", "\\\"two\\\""].map(|word| word.as_bytes().to_vec()).to_vec();
    let listed = [Some(Phrase::Hits(b"\"found: ".to_vec(), words, b"\"".to_vec()))];
    let scores: Vec<f64> = (1..=ROWS).map(|row| 1.0 / row as f64).collect();
    let mut hits = Hits::default();
    (0..ROWS).step_by(4).for_each(|row| hits.add(row, &[0, 1]));
    let verdicts = |phrases| Verdicts {
        frames: &frames,
        codes: &[0; ROWS],
        scores: scores.as_slice().into(),
        phrases,
        reasons: Default::default(),
        hits: &hits,
    };
    let verdicts = [verdicts(&scored), verdicts(&listed)];
    bench("splice", || {
        let written = splice::write(&rows, &verdicts, &[], 0..ROWS, &mut Watch::follower(&STOP));
        written.iter().filter(|byte| **byte == b'\n').count()
    });
}

/// A column is imported, its cells are found, and one grader that asks for nothing looks whether they are texts.
fn arrow_column(pairs: &[Pair]) {
    let texts: StringArray = pairs.iter().map(|pair| Some(&pair.candidate)).collect();
    let grader = Grader::Contains(Contains::new::<&str>(&[], false));
    let task = Task { grader: &grader, candidate: 0, reference: 0 };
    let mut scratch = Scratch::default();
    let export = || to_ffi(&texts.to_data()).expect("memory of ours can be handed on");
    let mut exported = vec![export(), export()];
    bench("arrow_column", || {
        let (array, schema) = exported.pop().expect("one for each run");
        let array = arrow::import_array(&schema, array).expect("texts can be read");
        let column = Chunked::new(vec![array]).expect("few rows");
        let mut cells = Vec::with_capacity(ROWS);
        column.each(0, ROWS, |array, row| {
            cells.push(arrow::text(array, row).map_or(Cell::Other, Cell::Text));
        });
        let columns = [Column::Unseen(cells)];
        let rows = grade_rows(&[task], &columns, 0..ROWS, &mut scratch, &mut Watch::follower(&STOP));
        rows.iter().filter(|row| row.code == Code::Ok).count()
    });
}
