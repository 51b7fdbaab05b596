// The path rules (SPEC.md 7.2), and the grader that they are made for.

import { equal, isObject, tryParse } from './json.mjs';
import { verdict } from './verdict.mjs';

const INDEX = /^(?:0|[1-9][0-9]*)$/;
const LIKE_A_NUMBER =
  /^(?:[+-]?(?:Infinity|[0-9]+(?:[eE][+-]?[0-9]+)?)|0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+)$/;
const NOT_FOUND = { found: false, isInvalid: false };

function takeStep(place, step) {
  if (isObject(place)) return place.has(step) ? { found: true, value: place.get(step) } : NOT_FOUND;
  if (!Array.isArray(place)) return NOT_FOUND;
  if (!INDEX.test(step)) return { found: false, isInvalid: LIKE_A_NUMBER.test(step.trim()) };
  return Number(step) < place.length ? { found: true, value: place[Number(step)] } : NOT_FOUND;
}

export function follow(value, path) {
  let result = { found: true, value };
  for (const step of path.split('.')) {
    result = takeStep(result.value, step);
    if (!result.found) return result;
  }
  return result;
}

function codeOfPath(options, candidate) {
  const parsed = typeof candidate === 'string' ? tryParse(candidate) : candidate;
  const { found, value, isInvalid } = follow(parsed === undefined ? candidate : parsed, options.get('path'));
  if (isInvalid) return 'path_step_invalid';
  if (options.get('exists') === false) {
    if (candidate === null || parsed === undefined) return 'not_json';
    return found ? 'path_found' : 'ok';
  }
  if (!found) return 'path_not_found';
  if (options.has('exists') || !options.has('equals')) return 'ok';
  return equal(value, options.get('equals')) ? 'ok' : 'value_mismatch';
}

export function jsonPathAssertion(options, candidate) {
  return verdict(codeOfPath(options, candidate));
}
