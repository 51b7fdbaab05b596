// The graders by name, and the order of work (SPEC.md 4). Those that take more than a few lines have their own modules.

import { deeperThan, equal, isNumber, isObject, MAX_LEVELS, sortedJsonText, textOf, tryParse } from './json.mjs';
import { isLongerThan, lowercase, occurs } from './text.mjs';
import { localizationF1 } from './localization.mjs';
import { optionFault } from './options.mjs';
import { jsonPathAssertion } from './paths.mjs';
import { matches } from './patterns.mjs';
import { blocklist, noPii } from './safety.mjs';
import { satisfies } from './schema.mjs';
import { bleuScore, contextF1, rougeScore, semantic } from './similarity.mjs';
import { toolArgumentAssertion, toolCalled, toolNotCalled, toolSequence } from './tools.mjs';
import { unscored, verdict } from './verdict.mjs';

const MAX_SEARCHED = 65536;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const DECIMAL = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

function comparable(value, options) {
  let text = typeof value === 'string' ? value.trim() : sortedJsonText(value);
  if (options.get('case_sensitive') !== true) text = lowercase(text);
  return options.get('remove_punctuation') === true ? text.replace(PUNCTUATION, '') : text;
}

function exactMatch(options, candidate, caseReference) {
  const wanted = options.has('expected') ? options.get('expected') : caseReference;
  if (wanted === undefined) return verdict('missing_reference');
  const areStrings = typeof candidate === 'string' && typeof wanted === 'string';
  if (options.get('remove_punctuation') === true && !areStrings) return verdict('structured_value');
  return verdict(comparable(candidate, options) === comparable(wanted, options) ? 'ok' : 'mismatch');
}

function contains(options, candidate) {
  const text = textOf(candidate);
  const fragments = options.get('fragments').map(textOf).filter((fragment) => !occurs(text, fragment));
  return fragments.length > 0 ? verdict('missing_fragment', { fragments }) : verdict('ok');
}

function notContains(options, candidate) {
  const text = textOf(candidate);
  const fragments = options.get('fragments').filter((fragment) => occurs(text, fragment));
  return fragments.length > 0 ? verdict('forbidden_fragment', { fragments }) : verdict('ok');
}

function regex(options, candidate) {
  const text = textOf(candidate);
  if (isLongerThan(text, MAX_SEARCHED)) return verdict('over_cap');
  return verdict(matches(options.get('pattern'), text) ? 'ok' : 'no_match');
}

function notRegex(options, candidate) {
  const text = textOf(candidate);
  if (isLongerThan(text, MAX_SEARCHED)) return verdict('over_cap');
  const searched = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  return verdict(matches(options.get('pattern'), searched) ? 'forbidden_match' : 'ok');
}

function jsonSchema(options, candidate) {
  const value = typeof candidate === 'string' ? tryParse(candidate) : candidate;
  if (value === undefined) return verdict('not_json');
  return verdict(satisfies(value, options.get('schema')) ? 'ok' : 'schema_mismatch');
}

// undefined when the candidate has none of the fields; one that is null counts as absent.
function measured(candidate, fields) {
  if (!isObject(candidate)) return undefined;
  return fields.map((field) => candidate.get(field) ?? undefined).find((value) => value !== undefined);
}

function httpStatus(options, candidate) {
  const value = measured(candidate, ['status', 'status_code']);
  const isWanted = value !== undefined && equal(value, options.get('status'));
  return verdict(isWanted ? 'ok' : 'status_mismatch');
}

// An integer stays exact; null when its double would be infinite, or the text is none.
function numberIn(text) {
  if (!DECIMAL.test(text) || !Number.isFinite(Number(text))) return null;
  return text.includes('.') ? Number(text) : BigInt(text);
}

// undefined when the value is no measurement.
function amount(value) {
  const number = typeof value === 'string' ? numberIn(value) : value;
  return isNumber(number) && number >= 0 ? number : undefined;
}

const ceiling = (option, fields) => (options, candidate) => {
  const measurement = amount(measured(candidate, fields));
  if (measurement === undefined) return verdict('unmeasured');
  return verdict(measurement <= options.get(option) ? 'ok' : 'over_ceiling');
};

const CUSTOM_SHAPES = [
  { grader: 'regex', keys: { regex: 'pattern' } },
  { grader: 'json_path_assertion', keys: { jsonpath: 'path' } },
  { grader: 'json_path_assertion', keys: { jsonpath: 'path', equals: 'equals' } },
  { grader: 'contains', keys: { contains: 'fragments' } },
];

function customShape(reference) {
  if (!isObject(reference)) return undefined;
  return CUSTOM_SHAPES.find(({ keys }) =>
    Object.keys(keys).length === reference.size && Object.keys(keys).every((key) => reference.has(key)));
}

function customOptions(shape, reference) {
  const options = new Map();
  for (const [key, value] of reference) options.set(shape.keys[key], key === 'contains' ? [value] : value);
  return options;
}

function custom(options, candidate, reference) {
  if (reference === undefined) return verdict('missing_reference');
  const shape = customShape(reference);
  if (!shape) return verdict('invalid_reference');
  const inner = customOptions(shape, reference);
  const isText = shape.grader !== 'contains' || typeof reference.get('contains') === 'string';
  if (!isText || optionFault(shape.grader, inner)) return verdict('invalid_reference');
  return GRADERS[shape.grader](inner, candidate);
}

export const GRADERS = {
  exact_match: exactMatch,
  contains,
  not_contains: notContains,
  regex,
  not_regex: notRegex,
  json_schema: jsonSchema,
  json_path_assertion: jsonPathAssertion,
  localization_f1: localizationF1,
  tool_called: toolCalled,
  tool_not_called: toolNotCalled,
  tool_sequence: toolSequence,
  tool_argument_assertion: toolArgumentAssertion,
  http_status: httpStatus,
  latency_threshold: ceiling('p95_ms', ['p95_ms', 'latency_ms']),
  cost_threshold: ceiling('max_usd', ['cost_usd', 'total_cost_usd']),
  token_threshold: ceiling('max_tokens', ['tokens', 'total_tokens']),
  bleu_score: bleuScore,
  rouge_score: rougeScore,
  context_f1: contextF1,
  semantic,
  blocklist,
  no_pii: noPii,
  custom,
};

const SCORED = ['bleu_score', 'rouge_score', 'context_f1', 'localization_f1', 'semantic'];

function candidateFault(grader, candidate) {
  if (grader === 'context_f1') return null;
  if (candidate === undefined) return 'missing_candidate';
  return deeperThan(candidate, MAX_LEVELS) ? 'not_json_value' : null;
}

// The option that the case reference stands in for.
const OWN_REFERENCE = {
  exact_match: 'expected', bleu_score: 'reference', rouge_score: 'reference', localization_f1: 'reference',
};
const ALWAYS_REFER = ['semantic', 'custom'];

function referenceFault(grader, options, reference) {
  const own = OWN_REFERENCE[grader];
  const isUsed = ALWAYS_REFER.includes(grader) || (own !== undefined && !options.has(own));
  return isUsed && reference !== undefined && deeperThan(reference, MAX_LEVELS) ? 'invalid_reference' : null;
}

export function judge(grader, { options, candidate, reference }) {
  const fault = optionFault(grader, options) ?? candidateFault(grader, candidate)
    ?? referenceFault(grader, options, reference);
  if (fault) return SCORED.includes(grader) ? unscored(fault) : verdict(fault);
  return GRADERS[grader](options, candidate, reference);
}
