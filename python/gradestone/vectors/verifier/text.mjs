// Text by code points (SPEC.md 2 and appendix B).

const PINNED_WHITESPACE = /[ \t\n\r\f\v]/;

const NEWER_PAIRS = [
  [0x1c89, 0x1c8a], [0xa7cb, 0x0264], [0xa7cc, 0xa7cd], [0xa7ce, 0xa7cf], [0xa7d2, 0xa7d3],
  [0xa7d4, 0xa7d5], [0xa7da, 0xa7db], [0xa7dc, 0x019b],
  ...shifted(0x10d50, 0x10d65, 0x20), ...shifted(0x16ea0, 0x16eb8, 0x1b),
];
const NEWER_LOWERCASE = new Map(NEWER_PAIRS.map((pair) => pair.map((codePoint) => String.fromCodePoint(codePoint))));
const NEWER_CASED = new Set([...NEWER_LOWERCASE].flat());

function shifted(first, last, distance) {
  return Array.from({ length: last - first + 1 }, (_, index) => [first + index, first + index + distance]);
}

export function codePoints(text) {
  return Array.from(text, (character) => character.codePointAt(0));
}

export function isLongerThan(text, limit) {
  // A code point takes at most two units, so most texts need no counting.
  if (text.length <= limit) return false;
  return text.length > 2 * limit || codePoints(text).length > limit;
}

function isBorder(text, index) {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return !(before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff);
}

export function* occurrences(text, fragment) {
  for (let at = text.indexOf(fragment); at !== -1; at = text.indexOf(fragment, at + 1)) {
    if (isBorder(text, at) && isBorder(text, at + fragment.length)) yield at;
  }
}

export function occurs(text, fragment) {
  return !occurrences(text, fragment).next().done;
}

export function isBlank(text) {
  return trimPinned(text) === '';
}

export function trimPinned(text) {
  let start = 0;
  let end = text.length;
  while (start < end && PINNED_WHITESPACE.test(text[start])) start += 1;
  while (end > start && PINNED_WHITESPACE.test(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isCased(character) {
  return /\p{Cased}/u.test(character) || NEWER_CASED.has(character);
}

function meetsCasedLetter(characters, start, step) {
  let at = start + step;
  while (at in characters && /\p{Case_Ignorable}/u.test(characters[at])) at += step;
  return at in characters && isCased(characters[at]);
}

function lowerSigma(characters, at) {
  const isFinal = meetsCasedLetter(characters, at, -1) && !meetsCasedLetter(characters, at, 1);
  return isFinal ? '\u03c2' : '\u03c3';
}

export function lowercase(text) {
  const characters = Array.from(text);
  const lower = (character, at) => {
    if (character === '\u03a3') return lowerSigma(characters, at);
    return NEWER_LOWERCASE.get(character) ?? character.toLowerCase();
  };
  return characters.map(lower).join('');
}

export function tokens(text) {
  const pieces = lowercase(text).match(/[a-z0-9]+|[^]/gu) ?? [];
  return pieces.filter((piece) => !PINNED_WHITESPACE.test(piece));
}
