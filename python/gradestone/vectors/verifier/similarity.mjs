// Similarity and retrieval (SPEC.md 10 and 11).

import { textOf } from './json.mjs';
import { codePoints, lowercase, tokens } from './text.mjs';
import { harmonicMean, numberOption, scored, unscored } from './verdict.mjs';

const MAX_TOKENS = 4096;
const MAX_MEMBERS = 64;
const MAX_CODE_POINTS = 8192;
const LONGEST_GRAM = 4;
const DEFAULT_THRESHOLD = 0.5;
const DEFAULT_SIMILARITY = 0.7;

// Tokens hold no LF, so that joined n-grams stay apart.
const GRAM_SEPARATOR = '\n';

function counted(items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function sharedCount(one, other) {
  const otherCounts = counted(other);
  let shared = 0;
  for (const [item, count] of counted(one)) shared += Math.min(count, otherCounts.get(item) ?? 0);
  return shared;
}

function grams(items, length) {
  const starts = Math.max(0, items.length - length + 1);
  return Array.from({ length: starts }, (_, start) => items.slice(start, start + length).join(GRAM_SEPARATOR));
}

const onTokens = ({ isCapped, refusesBlank }, score) => (options, candidate, caseReference) => {
  const reference = options.has('reference') ? options.get('reference') : caseReference;
  if (reference === undefined) return unscored('missing_reference');
  if (typeof reference !== 'string') return unscored('invalid_reference');
  const r = tokens(reference);
  if (r.length === 0 || (refusesBlank && reference.trim() === '')) return unscored('empty_reference');
  const c = tokens(textOf(candidate));
  if (c.length === 0) return unscored('empty_candidate');
  if (isCapped && Math.max(c.length, r.length) > MAX_TOKENS) return unscored('over_cap');
  const { value, metadata } = score(c, r, options);
  return scored(value, numberOption(options, 'threshold', DEFAULT_THRESHOLD), metadata);
};

export const bleuScore = onTokens({ isCapped: true, refusesBlank: true }, (c, r) => {
  const longest = Math.min(LONGEST_GRAM, c.length, r.length);
  const clipped = [0, 0, 0, 0];
  let logarithms = 0;
  for (let n = 1; n <= longest; n += 1) {
    const total = c.length - n + 1;
    clipped[n - 1] = sharedCount(grams(c, n), grams(r, n));
    logarithms += Math.log(clipped[n - 1] === 0 ? 1 / (2 * total) : clipped[n - 1] / total);
  }
  const brevity = c.length >= r.length ? 1 : Math.exp(1 - r.length / c.length);
  return {
    value: brevity * Math.exp(logarithms / longest),
    metadata: { clipped, candidate_tokens: c.length, reference_tokens: r.length },
  };
});

function commonSubsequence(one, other) {
  let previous = new Uint16Array(other.length + 1);
  for (const item of one) {
    const current = new Uint16Array(other.length + 1);
    for (let index = 0; index < other.length; index += 1) {
      current[index + 1] = item === other[index]
        ? previous[index] + 1
        : Math.max(previous[index + 1], current[index]);
    }
    previous = current;
  }
  return previous[other.length];
}

export const rougeScore = onTokens({ isCapped: true, refusesBlank: true }, (c, r, options) => {
  const overlap = options.get('rouge_type') === 'rouge_l' ? commonSubsequence(c, r) : sharedCount(c, r);
  const precision = overlap / c.length;
  const recall = overlap / r.length;
  const measures = { precision, recall, fmeasure: harmonicMean(precision, recall) };
  return {
    value: measures[options.get('measure') ?? 'fmeasure'],
    metadata: { overlap, candidate_tokens: c.length, reference_tokens: r.length },
  };
});

export const semantic = onTokens({ isCapped: false, refusesBlank: false }, (c, r) => {
  const all = new Set([...c, ...r]);
  const reference = new Set(r);
  const shared = [...new Set(c)].filter((token) => reference.has(token)).length;
  return { value: shared / all.size, metadata: { shared_tokens: shared, all_tokens: all.size } };
});

function isOverCap(members) {
  if (members.length > MAX_MEMBERS) return true;
  return members.reduce((sum, member) => sum + codePoints(member).length, 0) > MAX_CODE_POINTS;
}

function normalised(text) {
  return lowercase(text).replace(/[ \t\n\r\f\v]+/g, ' ').replace(/^ | $/g, '');
}

function distance(one, other) {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  one.forEach((codePoint, row) => {
    const current = [row + 1];
    other.forEach((otherCodePoint, column) => {
      const substituted = previous[column] + (codePoint === otherCodePoint ? 0 : 1);
      current.push(Math.min(substituted, previous[column + 1] + 1, current[column] + 1));
    });
    previous = current;
  });
  return previous[other.length];
}

function similarity(one, other) {
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : 1.0 - distance(one, other) / longer;
}

export function contextF1(options) {
  const given = [options.get('retrieved'), options.get('expected')];
  if (given.some(isOverCap)) return unscored('over_cap');
  const [retrieved, expected] = given.map((members) => members.map((member) => codePoints(normalised(member))));
  if (retrieved.every((member) => member.length === 0)) return unscored('empty_retrieved');
  if (expected.every((member) => member.length === 0)) return unscored('empty_expected');

  const least = numberOption(options, 'similarity_threshold', DEFAULT_SIMILARITY);
  const matched = (members, others) =>
    members.filter((member) => others.some((other) => similarity(member, other) >= least)).length;
  const metadata = {
    retrieved_matched: matched(retrieved, expected), retrieved: retrieved.length,
    expected_matched: matched(expected, retrieved), expected: expected.length,
  };
  const precision = metadata.retrieved_matched / retrieved.length;
  const recall = metadata.expected_matched / expected.length;
  const measures = { precision, recall, f1: harmonicMean(precision, recall) };
  const score = measures[options.get('measure') ?? 'f1'];
  return scored(score, numberOption(options, 'threshold', DEFAULT_THRESHOLD), metadata);
}
