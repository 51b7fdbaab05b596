// localization_f1 (SPEC.md 7.3). Lines are bigints, for a range may be of any size; a side is a Map from a path to its
// ranges, and null when it cannot be read.

import { isObject } from './json.mjs';
import { isBlank, trimPinned } from './text.mjs';
import { harmonicMean, numberOption, unscored } from './verdict.mjs';

const DEFAULT_THRESHOLD = 0.5;
const LINES = /^[ \t\n\r\f\v]*([0-9]+)[ \t\n\r\f\v]*(?:-[ \t\n\r\f\v]*([0-9]+)[ \t\n\r\f\v]*)?$/;

function range(one, other) {
  return one <= other ? [one, other] : [other, one];
}

function readCompact(text) {
  const colon = text.lastIndexOf(':');
  if (colon === -1) return text === '' ? null : { path: text, ranges: [] };
  const lines = LINES.exec(text.slice(colon + 1));
  if (colon === 0 || !lines) return null;
  const start = BigInt(lines[1]);
  return { path: text.slice(0, colon), ranges: [range(start, lines[2] === undefined ? start : BigInt(lines[2]))] };
}

function isPair(value) {
  return Array.isArray(value) && value.length === 2 && value.every((line) => typeof line === 'bigint' && line >= 0n);
}

function readObjectItem(item) {
  const path = item.get('path');
  const lines = item.get('lines') ?? [];
  if (typeof path !== 'string' || isBlank(path)) return null;
  if (!Array.isArray(lines) || !lines.every(isPair)) return null;
  return { path, ranges: lines.map(([start, end]) => range(start, end)) };
}

function readItem(item) {
  if (typeof item === 'string') return readCompact(trimPinned(item));
  return isObject(item) ? readObjectItem(item) : null;
}

function itemsOf(value) {
  if (typeof value === 'string') return value.split('\n').filter((line) => trimPinned(line) !== '');
  return isObject(value) ? [value] : value;
}

function readSide(value) {
  const items = itemsOf(value);
  if (!Array.isArray(items)) return null;
  const side = new Map();
  for (const item of items.map(readItem)) {
    if (!item) return null;
    side.set(item.path, [...(side.get(item.path) ?? []), ...item.ranges]);
  }
  return side;
}

function merged(ranges) {
  const result = [];
  for (const [start, end] of [...ranges].sort((a, b) => (a[0] < b[0] ? -1 : Number(a[0] > b[0])))) {
    const last = result.at(-1);
    if (!last || start > last[1]) result.push([start, end]);
    else if (end > last[1]) last[1] = end;
  }
  return result;
}

function countLines(ranges) {
  return merged(ranges).reduce((sum, [start, end]) => sum + end - start + 1n, 0n);
}

function lineRatio(one, other) {
  if (one.length === 0 && other.length === 0) return 1;
  const either = countLines([...one, ...other]);
  const both = countLines(one) + countLines(other) - either;
  return quotient(both, either);
}

// Scaled before the division: either number may be beyond the doubles.
function quotient(part, whole) {
  const scale = 10n ** 20n;
  return Number((part * scale) / whole) / Number(scale);
}

function figures(candidate, reference) {
  const shared = [...candidate.keys()].filter((path) => reference.has(path));
  if (shared.length === 0) return { file_f1: 0, line_f1: 0 };
  const ratios = shared.map((path) => lineRatio(candidate.get(path), reference.get(path)));
  return {
    file_f1: harmonicMean(shared.length / candidate.size, shared.length / reference.size),
    line_f1: ratios.reduce((sum, ratio) => sum + ratio, 0) / shared.length,
  };
}

export function localizationF1(options, candidate, caseReference) {
  const wanted = options.has('reference') ? options.get('reference') : caseReference;
  if (wanted === undefined) return unscored('missing_reference');
  const reference = readSide(wanted);
  if (!reference || reference.size === 0) return unscored('invalid_reference');
  const answer = readSide(candidate);
  if (!answer) return unscored('unparseable_candidate');
  if (answer.size === 0) return unscored('empty_candidate');

  const metadata = figures(answer, reference);
  const threshold = numberOption(options, 'threshold', DEFAULT_THRESHOLD);
  const isGoodEnough = metadata.file_f1 > 0 && metadata.line_f1 > 0
    && metadata.file_f1 >= numberOption(options, 'file_threshold', threshold)
    && metadata.line_f1 >= numberOption(options, 'line_threshold', threshold);
  const score = Math.min(metadata.file_f1, metadata.line_f1);
  return { code: isGoodEnough ? 'ok' : 'below_threshold', score, metadata };
}
