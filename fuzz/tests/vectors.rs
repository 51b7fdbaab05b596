//! The oracles against the shipped vectors: what the fuzzer compares with is the reference's rule.
//!
//! A case counts where everything that the kernel would see is text. The rest (options that do not fit, values that
//! become text) is decided before any kernel, in Python.

use gradestone_fuzz::Text;
use gradestone_fuzz::harness::Verdict;
use gradestone_fuzz::json::{Kind, Value};
use gradestone_fuzz::oracle::backtrack::Pattern;
use gradestone_fuzz::oracle::overlap::Measure;
use gradestone_fuzz::oracle::{blocklist, context, matching, overlap, pii};
use gradestone_fuzz::vectors::{cases, text, texts};

/// Decided before a kernel sees the row.
const BEFORE: [&str; 9] = [
    "unknown_option",
    "missing_option",
    "invalid_option",
    "invalid_pattern",
    "unsafe_pattern",
    "missing_candidate",
    "missing_reference",
    "invalid_reference",
    "not_json_value",
];

struct Case<'a>(&'a Value);

impl Case<'_> {
    fn option(&self, name: &str) -> Option<&Value> {
        self.0.get("options")?.get(name)
    }

    fn candidate(&self) -> Option<Text> {
        text(self.0.get("candidate")?)
    }

    /// The option, else the case reference.
    fn reference(&self, option: &str) -> Option<Text> {
        text(self.option(option).or_else(|| self.0.get("reference"))?)
    }

    fn number(&self, option: &str, default: f64) -> Option<f64> {
        match self.option(option).map(|value| &value.kind) {
            None => Some(default),
            Some(Kind::Number(number)) => Some(*number),
            Some(_) => None,
        }
    }

    fn flag(&self, option: &str) -> bool {
        matches!(self.option(option).map(|value| &value.kind), Some(Kind::Bool(true)))
    }

    fn name(&self, option: &str, default: &str) -> String {
        self.option(option).and_then(Value::string).unwrap_or_else(|| default.to_owned())
    }

    fn measure(&self) -> Measure {
        match self.name("measure", "f1").as_str() {
            "precision" => Measure::Precision,
            "recall" => Measure::Recall,
            _ => Measure::F,
        }
    }

    fn names(&self, option: &str) -> Option<Vec<String>> {
        self.option(option)?.list()?.iter().map(Value::string).collect()
    }

    fn expected(&self, name: &str) -> Option<&Value> {
        self.0.get("expected")?.get(name)
    }

    fn code(&self) -> String {
        self.expected("code").and_then(Value::string).expect("a code")
    }

    /// A figure of the expected metadata, or several.
    fn figures(&self, name: &str) -> Option<Vec<u32>> {
        let figure =
            |value: &Value| if let Kind::Number(number) = value.kind { Some(number as u32) } else { None };
        let value = self.expected("metadata")?.get(name)?;
        value.list().map_or_else(|| Some(vec![figure(value)?]), |list| list.iter().map(figure).collect())
    }

    fn assert_scored(&self, verdict: &Verdict, figures: &[&str]) {
        let Some(Kind::Number(score)) = self.expected("score").map(|score| &score.kind) else {
            panic!("a score")
        };
        assert!((verdict.score - score).abs() <= 1e-12, "{verdict:?}");
        let stated: Option<Vec<u32>> =
            figures.iter().map(|name| self.figures(name)).collect::<Option<Vec<_>>>().map(|all| all.concat());
        assert_eq!(verdict.stats[..stated.as_ref().map_or(0, Vec::len)], *stated.unwrap_or_default());
    }

    /// What hit, as the metadata name it.
    fn assert_hits(&self, verdict: &Verdict, metadata: &str, given: &[Text]) {
        let hit: Vec<&Text> = verdict.hits.iter().map(|hit| &given[*hit as usize]).collect();
        let stated = self.expected("metadata").and_then(|all| texts(all.get(metadata)?)).unwrap_or_default();
        assert_eq!(hit, stated.iter().collect::<Vec<_>>());
    }
}

/// Holds an oracle to the cases that it can see, of which there are at least so many.
fn hold(grader: &str, at_least: usize, oracle: impl Fn(&Case<'_>) -> Option<Verdict>) {
    let mut seen = 0;
    for value in cases(grader) {
        let case = Case(&value);
        let code = case.code();
        if BEFORE.contains(&code.as_str()) {
            continue;
        }
        if let Some(verdict) = oracle(&case) {
            assert_eq!(verdict.code, code, "{grader} {:?}", value.get("name").and_then(Value::string));
            seen += 1;
        }
    }
    assert!(seen >= at_least, "{grader}: {seen} cases");
}

#[test]
fn bleu() {
    hold("bleu_score", 60, |case| {
        let verdict =
            overlap::bleu(&case.candidate()?, &case.reference("reference")?, case.number("threshold", 0.5)?);
        case.assert_scored(&verdict, &["clipped", "candidate_tokens", "reference_tokens"]);
        Some(verdict)
    });
}

#[test]
fn rouge() {
    for kind in ["rouge_1", "rouge_l"] {
        hold("rouge_score", 30, |case| {
            let is_kind = case.name("rouge_type", "rouge_1") == kind;
            let [candidate, reference] = [case.candidate()?, case.reference("reference")?];
            let threshold = case.number("threshold", 0.5)?;
            let verdict = is_kind.then(|| {
                overlap::rouge(&candidate, &reference, kind == "rouge_l", case.measure(), threshold)
            })?;
            case.assert_scored(&verdict, &["overlap", "candidate_tokens", "reference_tokens"]);
            Some(verdict)
        });
    }
}

#[test]
fn semantic() {
    hold("semantic", 25, |case| {
        let reference = text(case.0.get("reference")?)?;
        let verdict = overlap::semantic(&case.candidate()?, &reference, case.number("threshold", 0.5)?);
        case.assert_scored(&verdict, &["shared_tokens", "all_tokens"]);
        Some(verdict)
    });
}

#[test]
fn context_f1() {
    hold("context_f1", 65, |case| {
        let [retrieved, expected] = [texts(case.option("retrieved")?)?, texts(case.option("expected")?)?];
        let options = context::Options {
            measure: case.measure(),
            similarity_threshold: case.number("similarity_threshold", 0.7)?,
            threshold: case.number("threshold", 0.5)?,
        };
        let verdict = context::context_f1(&retrieved, &expected, options);
        case.assert_scored(&verdict, &["retrieved_matched", "retrieved", "expected_matched", "expected"]);
        Some(verdict)
    });
}

#[test]
fn blocked_terms() {
    hold("blocklist", 50, |case| {
        let terms = texts(case.option("terms")?)?;
        let verdict = blocklist::blocklist(&case.candidate()?, &terms);
        case.assert_hits(&verdict, "hits", &terms);
        Some(verdict)
    });
}

#[test]
fn no_pii() {
    hold("no_pii", 130, |case| {
        let all = pii::NAMES.map(str::to_owned).to_vec();
        let wanted = if case.option("entities").is_some() { case.names("entities")? } else { all.clone() };
        let verdict = pii::no_pii(&case.candidate()?, &wanted.iter().map(String::as_str).collect::<Vec<_>>());
        let names = all.iter().map(|name| name.chars().map(u32::from).collect()).collect::<Vec<Text>>();
        case.assert_hits(&verdict, "entities", &names);
        Some(verdict)
    });
}

#[test]
fn exact_match() {
    hold("exact_match", 50, |case| {
        let [candidate, expected] = [case.candidate()?, case.reference("expected")?];
        Some(matching::exact_match(
            &candidate,
            &expected,
            case.flag("case_sensitive"),
            case.flag("remove_punctuation"),
        ))
    });
}

#[test]
fn fragments() {
    for (grader, forbid) in [("contains", false), ("not_contains", true)] {
        hold(grader, 20, |case| {
            let fragments = texts(case.option("fragments")?)?;
            let verdict = matching::contains(&case.candidate()?, &fragments, forbid);
            case.assert_hits(&verdict, "fragments", &fragments);
            Some(verdict)
        });
    }
}

#[test]
fn patterns() {
    for (grader, forbid) in [("regex", false), ("not_regex", true)] {
        hold(grader, 30, |case| {
            let written: Option<String> =
                text(case.option("pattern")?)?.into_iter().map(char::from_u32).collect();
            // The cap on patterns is the options'.
            let pattern = Pattern::read(&written.filter(|written| written.chars().count() <= 1024)?)?;
            Some(matching::pattern(&case.candidate()?, &pattern, forbid))
        });
    }
}
