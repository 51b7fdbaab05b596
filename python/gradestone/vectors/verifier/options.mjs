// The option table (SPEC.md 5): which keys a grader knows, and which values fit.

import { deeperThan, isNumber, isObject, isWhole, MAX_LEVELS } from './json.mjs';
import { isBlank } from './text.mjs';
import { patternFault } from './patterns.mjs';
import { isWellFormed } from './schema.mjs';
import { KINDS } from './pii.mjs';

const isString = (value) => typeof value === 'string';
const isListOf = (fits) => (value) => Array.isArray(value) && value.length > 0 && value.every(fits);
const isOneOf = (words) => (value) => words.includes(value);

const isValue = (value) => !deeperThan(value, MAX_LEVELS);
const isFinite = (value) => isNumber(value) && Number.isFinite(Number(value));

const must = (fits) => (value) => (fits(value) ? null : 'invalid_option');
const anyValue = must(isValue);
const boolean = must((value) => typeof value === 'boolean');
const ratio = must((value) => isNumber(value) && value >= 0 && value <= 1);
const ceiling = must((value) => isFinite(value) && value >= 0);
const string = must(isString);
const notBlank = must((value) => isString(value) && !isBlank(value));
const texts = must(isListOf((value) => isString(value) && value !== ''));
const names = must(isListOf((value) => isString(value) && !isBlank(value)));

function pattern(value) {
  return isString(value) && value !== '' ? patternFault(value) : 'invalid_option';
}

function schema(value) {
  if (!isObject(value) || !isValue(value)) return 'invalid_option';
  return isWellFormed(value) ? null : 'invalid_schema';
}

const required = (check) => ({ check, isRequired: true });
const optional = (check) => ({ check, isRequired: false });

const patterns = { pattern: required(pattern) };
const toolNames = { tools: required(names) };

const ROWS = {
  exact_match: {
    expected: optional(anyValue), case_sensitive: optional(boolean), remove_punctuation: optional(boolean),
  },
  contains: { fragments: required(must(isListOf((value) => value !== '' && isValue(value)))) },
  not_contains: { fragments: required(texts) },
  regex: patterns,
  not_regex: patterns,
  blocklist: { terms: required(texts) },
  no_pii: { entities: optional(must(isListOf(isOneOf(KINDS)))) },
  json_schema: { schema: required(schema) },
  json_path_assertion: { path: required(notBlank), equals: optional(anyValue), exists: optional(boolean) },
  localization_f1: {
    reference: optional(anyValue), threshold: optional(ratio), file_threshold: optional(ratio),
    line_threshold: optional(ratio),
  },
  tool_called: toolNames,
  tool_not_called: toolNames,
  tool_sequence: toolNames,
  tool_argument_assertion: { tool: required(notBlank), path: required(notBlank), equals: required(anyValue) },
  http_status: { status: required(must((value) => isFinite(value) && isWhole(value))) },
  latency_threshold: { p95_ms: required(ceiling) },
  cost_threshold: { max_usd: required(ceiling) },
  token_threshold: { max_tokens: required(ceiling) },
  bleu_score: { reference: optional(string), threshold: optional(ratio) },
  rouge_score: {
    reference: optional(string), rouge_type: optional(must(isOneOf(['rouge_1', 'rouge_l']))),
    measure: optional(must(isOneOf(['precision', 'recall', 'fmeasure']))), threshold: optional(ratio),
  },
  context_f1: {
    retrieved: required(must(isListOf(isString))), expected: required(must(isListOf(isString))),
    measure: optional(must(isOneOf(['precision', 'recall', 'f1']))), similarity_threshold: optional(ratio),
    threshold: optional(ratio),
  },
  semantic: { threshold: optional(ratio) },
  custom: {},
};

// The code of the first fault, or null.
export function optionFault(grader, options) {
  const row = ROWS[grader];
  for (const key of options.keys()) {
    if (!Object.hasOwn(row, key)) return 'unknown_option';
  }
  for (const [key, { isRequired }] of Object.entries(row)) {
    if (isRequired && !options.has(key)) return 'missing_option';
  }
  for (const [key, value] of options) {
    const fault = row[key].check(value);
    if (fault) return fault;
  }
  return null;
}
