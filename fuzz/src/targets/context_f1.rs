//! `context_f1`.

use gradestone::context::ContextF1;
use gradestone::set::Grader;
use gradestone::text::Cell;

use super::rouge_1::MEASURES;
use super::shown;
use crate::Text;
use crate::harness::{agree, grade_pairs};
use crate::input::{Input, encode, threshold};
use crate::oracle::context::{Options, context_f1, normal, similarity};
use crate::words::PROSE;

/// Members of both lists together.
const MEMBERS: usize = 6;

/// Code points of a member: two words of a column, and some.
const LONGEST: usize = 140;

/// Code points of the first long member; each other has one more. Somewhere there a byte that counts is full.
const LONG: usize = 253;

/// Texts and variations of them, some as the one list and the others as the other; now and then, long ones.
pub fn run(data: &[u8]) {
    let input = Input::new(data, &PROSE);
    let mut members = input.variations(MEMBERS);
    members.iter_mut().for_each(|member| member.truncate(LONGEST));
    if super::is_rare(data) {
        members = (LONG..)
            .zip(members)
            .map(|(length, member)| member.into_iter().cycle().take(length).collect())
            .collect();
    }
    let lists = members.split_at(usize::from(input.head[1]) % (members.len() + 1));
    let (measure, plain) = MEASURES[usize::from(input.head[1] / 16) % 3];
    let first = || match members.as_slice() {
        [one, .., other] => similarity(&normal(one), &normal(other)),
        _ => 0.7,
    };
    let similarity_threshold = threshold(input.head[2], first);
    let options = Options { measure: plain, similarity_threshold, threshold: 0.0 };
    let limit = threshold(input.head[3], || context_f1(lists.0, lists.1, options).score);
    let options = Options { threshold: limit, ..options };
    let grader = Grader::ContextF1(ContextF1 { measure, similarity_threshold, threshold: limit });
    let encoded = |list: &[Text]| list.iter().map(|text| encode(text)).collect::<Vec<_>>();
    let bytes = [encoded(lists.0), encoded(lists.1)];
    let [retrieved, expected] =
        bytes.each_ref().map(|list| list.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let verdicts = grade_pairs(&grader, &[(Cell::Texts(&retrieved), Cell::Texts(&expected))]);
    agree(&verdicts[0], &context_f1(lists.0, lists.1, options), &(shown(lists.0), shown(lists.1), options));
}
