// User patterns (SPEC.md appendix A): the checks, and the parser of the dialect.

import { codePoints, isLongerThan } from './text.mjs';
import { compile, Matcher } from './matcher.mjs';
import { endOfComment, isUnsafe } from './unsafe.mjs';

const MAX_PATTERN = 1024;
const MAX_REPEAT = 4294967295;
const QUANTIFIERS = '*+?{';
const PINNED_WHITESPACE = ' \t\n\r\f\v';
const FLAG_LETTERS = 'aimsx';
const IDENTIFIER = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;
const CONTROL_ESCAPES = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const HEX_DIGITS = { x: 2, u: 4, U: 8 };
const ANCHOR_ESCAPES = { A: 'start', Z: 'end', b: 'border', B: 'noBorder' };

const isDigit = (c) => c >= 48 && c <= 57;
const isLetter = (c) => (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
const isWord = (c) => isDigit(c) || isLetter(c) || c === 95;
const isSpace = (c) => c === 32 || (c >= 9 && c <= 13);
const CATEGORIES = {
  d: isDigit, D: (c) => !isDigit(c), w: isWord, W: (c) => !isWord(c), s: isSpace, S: (c) => !isSpace(c),
};

export function patternFault(pattern) {
  if (isLongerThan(pattern, MAX_PATTERN)) return 'over_cap';
  if (isUnsafe(pattern)) return 'unsafe_pattern';
  try {
    new PatternParser(pattern).parse();
    return null;
  } catch (error) {
    if (error instanceof InvalidPattern) return 'invalid_pattern';
    throw error;
  }
}

export function matches(pattern, text) {
  const program = compile(new PatternParser(pattern).parse());
  return new Matcher(codePoints(text)).search(program);
}

class InvalidPattern extends Error {}

function swapCase(c) {
  return isLetter(c) ? c ^ 32 : c;
}

function folding(test, flags) {
  return flags.i ? (c) => test(c) || test(swapCase(c)) : test;
}

// The fewest and the most code points that a node consumes.
function widthOf(node) {
  switch (node.type) {
    case 'set': return [1, 1];
    case 'sequence': return sumOfWidths(node.items);
    case 'alternation': return rangeOfWidths(node.branches);
    case 'group': case 'atomic': return widthOf(node.body);
    case 'repeat': return widthOfRepeat(node);
    case 'condition': return rangeOfWidths([node.yes, node.no]);
    case 'reference': return node.width;
    default: return [0, 0];
  }
}

function widthOfRepeat({ body, min, max }) {
  const [low, high] = widthOf(body);
  return [low * min, high === 0 ? 0 : high * max];
}

function sumOfWidths(nodes) {
  return nodes.map(widthOf).reduce(([low, high], [min, max]) => [low + min, high + max], [0, 0]);
}

function rangeOfWidths(nodes) {
  const widths = nodes.map(widthOf);
  return [Math.min(...widths.map(([low]) => low)), Math.max(...widths.map(([, high]) => high))];
}

class PatternParser {
  constructor(pattern) {
    this.symbols = Array.from(pattern);
    this.at = 0;
    this.groupNames = new Map();
    this.groupWidths = [];
    this.conditionNumbers = [];
    this.firstGroupOfLookbehind = Infinity;
    this.groupCount = 0;
  }

  parse() {
    const flags = { i: false, m: false, s: false, x: false };
    const body = this.alternation(flags, true);
    if (this.at < this.symbols.length) this.fail('an unopened parenthesis');
    if (this.conditionNumbers.some((number) => number > this.groupCount)) this.fail('a condition on no group');
    return { body, groupCount: this.groupCount };
  }

  fail(reason) {
    throw new InvalidPattern(reason);
  }

  get next() {
    return this.symbols[this.at];
  }

  take() {
    if (this.at >= this.symbols.length) this.fail('an early end');
    return this.symbols[this.at++];
  }

  accept(symbol) {
    const found = this.next === symbol;
    if (found) this.at += 1;
    return found;
  }

  expect(symbol) {
    if (!this.accept(symbol)) this.fail(`no ${symbol}`);
  }

  takeWhile(test, most = Infinity) {
    let taken = '';
    while (this.next !== undefined && taken.length < most && test.test(this.next)) taken += this.take();
    return taken;
  }

  takeUntil(symbol) {
    const end = this.symbols.indexOf(symbol, this.at);
    if (end === -1) this.fail(`no ${symbol}`);
    const taken = this.symbols.slice(this.at, end).join('');
    this.at = end + 1;
    return taken;
  }

  alternation(flags, isWhole = false) {
    const branches = [];
    do branches.push(this.sequence(flags, isWhole && branches.length === 0));
    while (this.accept('|'));
    return branches.length === 1 ? branches[0] : { type: 'alternation', branches };
  }

  sequence(flags, mayOpenPattern = false) {
    const items = [];
    while (this.next !== undefined && this.next !== '|' && this.next !== ')') {
      if (flags.x && this.skipsLayout()) continue;
      if (QUANTIFIERS.includes(this.next) && this.quantifier(items)) continue;
      const item = this.item(flags, mayOpenPattern && items.length === 0);
      if (item) items.push(item);
    }
    return { type: 'sequence', items };
  }

  skipsLayout() {
    if (PINNED_WHITESPACE.includes(this.next)) {
      this.at += 1;
      return true;
    }
    if (this.next !== '#') return false;
    this.at = endOfComment(this.symbols, this.at, '\n') + 1;
    return true;
  }

  // false when a brace is literal.
  quantifier(items) {
    const bounds = this.bounds();
    if (!bounds) return false;
    const body = items.at(-1);
    if (!body || body.type === 'anchor') this.fail('nothing to repeat');
    if (body.type === 'repeat') this.fail('a quantifier behind a quantifier');
    let mode = 'greedy';
    if (this.accept('?')) mode = 'lazy';
    else if (this.accept('+')) mode = 'possessive';
    items[items.length - 1] = { type: 'repeat', body, mode, ...bounds };
    return true;
  }

  bounds() {
    const symbol = this.take();
    if (symbol === '*') return { min: 0, max: Infinity };
    if (symbol === '+') return { min: 1, max: Infinity };
    if (symbol === '?') return { min: 0, max: 1 };
    return this.braces(this.at - 1);
  }

  braces(start) {
    const low = this.takeWhile(/[0-9]/);
    const hasComma = this.accept(',');
    const high = hasComma ? this.takeWhile(/[0-9]/) : low;
    if ((!hasComma && low === '') || !this.accept('}')) {
      this.at = start;
      return null;
    }
    const min = Number(low);
    const max = high === '' ? Infinity : Number(high);
    if (min >= MAX_REPEAT || (high !== '' && max >= MAX_REPEAT)) this.fail('a bound too large');
    if (min > max) this.fail('a minimum above its maximum');
    return { min, max };
  }

  item(flags, isAtStart) {
    const symbol = this.take();
    switch (symbol) {
      case '\\': return this.escape(flags);
      case '[': return this.characterClass(flags);
      case '(': return this.parenthesis(flags, isAtStart);
      case '.': return { type: 'set', test: flags.s ? () => true : (c) => c !== 10 };
      case '^': return { type: 'anchor', kind: flags.m ? 'lineStart' : 'start' };
      case '$': return { type: 'anchor', kind: flags.m ? 'lineEnd' : 'lastLineEnd' };
      default: return this.literal(symbol.codePointAt(0), flags);
    }
  }

  literal(codePoint, flags) {
    return { type: 'set', test: folding((c) => c === codePoint, flags) };
  }

  escape(flags) {
    const symbol = this.take();
    if (Object.hasOwn(ANCHOR_ESCAPES, symbol)) return { type: 'anchor', kind: ANCHOR_ESCAPES[symbol] };
    if (Object.hasOwn(CATEGORIES, symbol)) return { type: 'set', test: CATEGORIES[symbol] };
    return this.literal(this.characterEscape(symbol), flags);
  }

  characterEscape(symbol) {
    if (Object.hasOwn(CONTROL_ESCAPES, symbol)) return CONTROL_ESCAPES[symbol];
    if (Object.hasOwn(HEX_DIGITS, symbol)) return this.hexEscape(HEX_DIGITS[symbol]);
    if (symbol === '0') return parseInt(`0${this.takeWhile(/[0-7]/, 2)}`, 8);
    if (/[A-Za-z0-9]/.test(symbol)) this.fail('an unknown escape');
    return symbol.codePointAt(0);
  }

  hexEscape(length) {
    const digits = this.takeWhile(/[0-9A-Fa-f]/, length);
    const codePoint = parseInt(digits, 16);
    if (digits.length !== length || codePoint > 0x10ffff) this.fail('a bad hex escape');
    return codePoint;
  }

  characterClass(flags) {
    const isNegated = this.accept('^');
    const tests = [];
    while (tests.length === 0 || this.next !== ']') tests.push(...this.classMember());
    this.take();
    const holds = folding((c) => tests.some((test) => test(c)), flags);
    return { type: 'set', test: isNegated ? (c) => !holds(c) : holds };
  }

  classMember() {
    const low = this.classAtom();
    if (this.next !== '-') return [this.testOfAtom(low)];
    this.take();
    if (this.next === ']') return [this.testOfAtom(low), (c) => c === 45];
    const high = this.classAtom();
    if (typeof low === 'function' || typeof high === 'function' || low > high) this.fail('a bad range');
    return [(c) => c >= low && c <= high];
  }

  // A code point, or the test of a category.
  classAtom() {
    const symbol = this.take();
    if (symbol !== '\\') return symbol.codePointAt(0);
    const escaped = this.take();
    if (escaped === 'b') return 8;
    return Object.hasOwn(CATEGORIES, escaped) ? CATEGORIES[escaped] : this.characterEscape(escaped);
  }

  testOfAtom(atom) {
    return typeof atom === 'function' ? atom : (c) => c === atom;
  }

  // null for what stands for nothing: a comment, or flags for the whole pattern.
  parenthesis(flags, isAtStart) {
    if (!this.accept('?')) return this.capture(null, flags);
    const symbol = this.take();
    switch (symbol) {
      case ':': return { type: 'group', number: null, body: this.closed(flags) };
      case '>': return { type: 'atomic', body: this.closed(flags) };
      case '#': this.comment(); return null;
      case 'P': return this.named(flags);
      case '(': return this.condition(flags);
      case '=': return { type: 'look', isBehind: false, isNegated: false, body: this.closed(flags) };
      case '!': return { type: 'look', isBehind: false, isNegated: true, body: this.closed(flags) };
      case '<': return this.lookBehind(flags);
      default: return this.flagGroup(symbol, flags, isAtStart);
    }
  }

  comment() {
    this.at = endOfComment(this.symbols, this.at, ')');
    this.expect(')');
  }

  closed(flags) {
    const body = this.alternation(flags);
    this.expect(')');
    return body;
  }

  capture(name, flags) {
    this.groupCount += 1;
    const number = this.groupCount;
    if (name !== null) this.groupNames.set(name, number);
    const body = this.closed(flags);
    this.groupWidths[number] = widthOf(body);
    return { type: 'group', number, body };
  }

  named(flags) {
    if (this.accept('=')) return this.reference(this.takeUntil(')'), flags);
    this.expect('<');
    const name = this.takeUntil('>');
    if (!IDENTIFIER.test(name) || this.groupNames.has(name)) this.fail('a bad or repeated name');
    return this.capture(name, flags);
  }

  numberOfName(name) {
    if (!this.groupNames.has(name)) this.fail('a name that no group has');
    return this.groupNames.get(name);
  }

  reference(name, flags) {
    const number = this.numberOfName(name);
    const width = this.groupWidths[number];
    if (!width) this.fail('a reference to an open group');
    this.demandOutsideLookbehind(number);
    return { type: 'reference', number, width, fold: flags.i ? (c) => (c >= 65 && c <= 90 ? c + 32 : c) : (c) => c };
  }

  demandOutsideLookbehind(number) {
    if (number >= this.firstGroupOfLookbehind) this.fail('a reference into the same look-behind');
  }

  condition(flags) {
    const number = this.conditionNumber(this.takeUntil(')'));
    this.demandOutsideLookbehind(number);
    const yes = this.sequence(flags);
    const no = this.accept('|') ? this.sequence(flags) : { type: 'sequence', items: [] };
    this.expect(')');
    return { type: 'condition', number, yes, no };
  }

  conditionNumber(id) {
    if (IDENTIFIER.test(id)) return this.numberOfName(id);
    if (!/^[0-9]+$/.test(id) || Number(id) === 0) this.fail('a bad group number');
    this.conditionNumbers.push(Number(id));
    return Number(id);
  }

  lookBehind(flags) {
    const symbol = this.take();
    if (symbol !== '=' && symbol !== '!') this.fail('an unknown extension');
    const outer = this.firstGroupOfLookbehind;
    this.firstGroupOfLookbehind = Math.min(outer, this.groupCount + 1);
    const body = this.closed(flags);
    this.firstGroupOfLookbehind = outer;
    const [low, high] = widthOf(body);
    if (low !== high) this.fail('a look-behind whose width varies');
    return { type: 'look', isBehind: true, isNegated: symbol === '!', width: low, body };
  }

  flagGroup(symbol, flags, isAtStart) {
    this.at -= 1;
    const on = this.flagLetters();
    if (symbol !== '-' && this.accept(')')) {
      if (!isAtStart) this.fail('flags for the whole pattern not at its start');
      for (const flag of on) flags[flag] = true;
      return null;
    }
    const off = this.accept('-') ? this.offFlagLetters(on) : '';
    this.expect(':');
    const inner = { ...flags };
    for (const flag of on) inner[flag] = true;
    for (const flag of off) inner[flag] = false;
    return { type: 'group', number: null, body: this.closed(inner) };
  }

  flagLetters() {
    const letters = this.takeWhile(new RegExp(`[${FLAG_LETTERS}]`));
    if (letters === '' && this.next !== '-') this.fail('an unknown extension');
    return letters;
  }

  offFlagLetters(on) {
    const letters = this.takeWhile(/[imsx]/);
    if (letters === '' || [...letters].some((letter) => on.includes(letter))) this.fail('bad flags to turn off');
    return letters;
  }
}
