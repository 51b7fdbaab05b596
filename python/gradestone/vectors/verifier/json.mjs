// JSON values (SPEC.md 3). null, booleans, strings and arrays are JavaScript's own; an integer is a bigint, a double a
// number, and an object a Map, so that key order and keys such as `__proto__` survive.

export const MAX_LEVELS = 512;

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]+/y;
const WHITESPACE = /[ \t\n\r]*/y;
const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const LITERALS = { true: true, false: false, null: null };
const LARGEST_ARRAY_INDEX = 4294967294;

export class NotJson extends Error {}

class Parser {
  constructor(text, limits) {
    this.text = text;
    this.position = 0;
    this.limits = limits;
  }

  document() {
    const value = this.spaced(() => this.value(0));
    if (this.position !== this.text.length) this.fail('something follows the value');
    return value;
  }

  fail(reason) {
    throw new NotJson(`${reason} at offset ${this.position}`);
  }

  take(pattern) {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match) this.position = pattern.lastIndex;
    return match;
  }

  accept(symbol) {
    const found = this.text.startsWith(symbol, this.position);
    if (found) this.position += symbol.length;
    return found;
  }

  expect(symbol) {
    if (!this.accept(symbol)) this.fail(`no ${symbol}`);
  }

  spaced(read) {
    this.take(WHITESPACE);
    const value = read();
    this.take(WHITESPACE);
    return value;
  }

  value(levels) {
    if (this.accept('"')) return this.string();
    if (this.accept('[')) return this.array(this.deeper(levels));
    if (this.accept('{')) return this.object(this.deeper(levels));
    for (const [word, value] of Object.entries(LITERALS)) {
      if (this.accept(word)) return value;
    }
    return this.number();
  }

  deeper(levels) {
    if (levels >= this.limits.levels) this.fail('too many levels');
    return levels + 1;
  }

  number() {
    const match = this.take(NUMBER);
    if (!match) this.fail('no value');
    const [digits, fraction, exponent] = match;
    if (this.limits.finite && !Number.isFinite(Number(digits))) this.fail('no finite double');
    return fraction || exponent ? Number(digits) : BigInt(digits);
  }

  string() {
    let result = '';
    while (!this.accept('"')) {
      const plain = this.take(PLAIN_CHARACTERS);
      if (plain) result += plain[0];
      else if (this.accept('\\')) result += this.escape();
      else this.fail('a string without end, or a control character in it');
    }
    return result;
  }

  escape() {
    const letter = this.text[this.position++];
    if (letter === 'u') {
      const digits = this.take(/[0-9A-Fa-f]{4}/y);
      if (!digits) this.fail('no four hex digits');
      return String.fromCharCode(parseInt(digits[0], 16));
    }
    if (letter === undefined || !Object.hasOwn(ESCAPES, letter)) this.fail('an unknown escape');
    return ESCAPES[letter];
  }

  array(levels) {
    const members = [];
    this.take(WHITESPACE);
    if (this.accept(']')) return members;
    do members.push(this.spaced(() => this.value(levels)));
    while (this.accept(','));
    this.expect(']');
    return members;
  }

  object(levels) {
    const members = new Map();
    this.take(WHITESPACE);
    if (this.accept('}')) return members;
    do {
      const key = this.spaced(() => this.key());
      this.expect(':');
      members.set(key, this.spaced(() => this.value(levels)));
    } while (this.accept(','));
    this.expect('}');
    return members;
  }

  key() {
    this.expect('"');
    return this.string();
  }
}

// A vector file may hold what no candidate text may: integers beyond the doubles.
export function parseFile(text) {
  return new Parser(text, { levels: Infinity, finite: false }).document();
}

// undefined when the text is no JSON; no JSON value is undefined.
export function tryParse(text) {
  try {
    return new Parser(text, { levels: MAX_LEVELS, finite: true }).document();
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

export function isNumber(value) {
  return typeof value === 'bigint' || typeof value === 'number';
}

export function isObject(value) {
  return value instanceof Map;
}

export function isWhole(value) {
  return typeof value === 'bigint' || Number.isInteger(value);
}

export function deeperThan(value, limit) {
  const members = Array.isArray(value) ? value : isObject(value) ? value.values() : null;
  if (members === null) return false;
  if (limit === 0) return true;
  for (const member of members) {
    if (deeperThan(member, limit - 1)) return true;
  }
  return false;
}

export function compareCodePoints(left, right) {
  const a = Array.from(left, (character) => character.codePointAt(0));
  const b = Array.from(right, (character) => character.codePointAt(0));
  const differs = a.findIndex((codePoint, index) => codePoint !== b[index]);
  if (differs === -1) return a.length - b.length;
  return differs < b.length ? a[differs] - b[differs] : 1;
}

function isArrayIndex(key) {
  return /^(?:0|[1-9][0-9]*)$/.test(key) && Number(key) <= LARGEST_ARRAY_INDEX;
}

function ecmascriptOrder(keys) {
  const indices = keys.filter(isArrayIndex).sort((a, b) => Number(a) - Number(b));
  return [...indices, ...keys.filter((key) => !isArrayIndex(key))];
}

function sortedOrder(keys) {
  return [...keys].sort(compareCodePoints);
}

function write(value, order) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((member) => write(member, order)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = order([...value.keys()]).map((key) => `${JSON.stringify(key)}:${write(value.get(key), order)}`);
  return `{${members.join(',')}}`;
}

export function jsonText(value) {
  return write(value, ecmascriptOrder);
}

export function sortedJsonText(value) {
  return write(value, sortedOrder);
}

export function textOf(candidate) {
  return typeof candidate === 'string' ? candidate : jsonText(candidate);
}

export function equal(a, b) {
  // Loose equality between a bigint and a number compares their exact mathematical values.
  if (isNumber(a) && isNumber(b)) return a == b;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, index) => equal(member, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    return a.size === b.size && [...a].every(([key, member]) => b.has(key) && equal(member, b.get(key)));
  }
  return a === b;
}
