// Safety (SPEC.md 12).

import { isObject, jsonText } from './json.mjs';
import { lowercase, occurrences } from './text.mjs';
import { holds, KINDS } from './pii.mjs';
import { verdict } from './verdict.mjs';

function* stringsIn(value) {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const member of value) yield* stringsIn(member);
  else if (isObject(value)) {
    for (const [key, member] of value) {
      yield key;
      yield* stringsIn(member);
    }
  }
}

function textsOf(candidate) {
  return typeof candidate === 'string' ? [candidate] : [jsonText(candidate), ...stringsIn(candidate)];
}

function isAlphanumeric(symbol) {
  return symbol !== undefined && /[a-z0-9]/.test(symbol);
}

function hits(term, text) {
  for (const at of occurrences(text, term)) {
    if (!isAlphanumeric(text[at - 1]) && !isAlphanumeric(text[at + term.length])) return true;
  }
  return false;
}

export function blocklist(options, candidate) {
  const texts = textsOf(candidate).map(lowercase);
  const blocked = [...new Set(options.get('terms'))].filter((term) => {
    const lowered = lowercase(term);
    return texts.some((text) => hits(lowered, text));
  });
  return blocked.length > 0 ? verdict('blocked_term', { hits: blocked }) : verdict('ok');
}

export function noPii(options, candidate) {
  const wanted = options.get('entities') ?? KINDS;
  const texts = textsOf(candidate);
  const entities = KINDS.filter((kind) => wanted.includes(kind) && texts.some((text) => holds(kind, text)));
  return entities.length > 0 ? verdict('pii_found', { entities }) : verdict('ok');
}
