// Which patterns are unsafe, by their text alone (SPEC.md A.3).

const QUANTIFIERS = '*+?{';
const PINNED_WHITESPACE = ' \t\n\r\f\v';
const NUMBER = /[1-9]/;
const FLAGS = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?/;

// The place of the symbol that ends a comment, or of the end.
export function endOfComment(pattern, start, last) {
  let at = start;
  while (at < pattern.length && pattern[at] !== last) at += pattern[at] === '\\' ? 2 : 1;
  return at;
}

export function isUnsafe(pattern) {
  return new Scanner(pattern).isUnsafe();
}

class Scanner {
  constructor(pattern) {
    this.pattern = pattern;
    this.at = 0;
    // The first group stands for the pattern itself. `ignores`: whether (?x) is in force.
    this.groups = [{ varies: false, ignores: false }];
    this.isBehindVarying = false;
  }

  get group() {
    return this.groups.at(-1);
  }

  isUnsafe() {
    for (; this.at < this.pattern.length; this.at += 1) {
      if (!this.skipsLayout() && this.isUnsafeHere()) return true;
    }
    return false;
  }

  // Leaves `at` on the last symbol that is skipped.
  skipsLayout() {
    const { ignores } = this.group;
    const symbol = this.pattern[this.at];
    if (ignores && PINNED_WHITESPACE.includes(symbol)) return true;
    const last = this.pattern.startsWith('(?#', this.at) ? ')' : '\n';
    if (last === '\n' && !(ignores && symbol === '#')) return false;
    this.at = endOfComment(this.pattern, this.at, last);
    return true;
  }

  // Leaves `at` on the last symbol of what it reads.
  isUnsafeHere() {
    const isBehindVarying = this.isBehindVarying;
    this.isBehindVarying = false;
    const symbol = this.pattern[this.at];
    switch (symbol) {
      case '\\': return this.escapesNumber();
      case '[': return this.classHoldsNumber();
      case '(': this.open(); return false;
      case ')': this.close(); return false;
      default:
        this.group.varies ||= symbol === '|' || QUANTIFIERS.includes(symbol);
        return isBehindVarying && QUANTIFIERS.includes(symbol);
    }
  }

  escapesNumber() {
    this.at += 1;
    return NUMBER.test(this.pattern[this.at] ?? '');
  }

  classHoldsNumber() {
    let holdsNumber = false;
    this.at += this.pattern[this.at + 1] === '^' ? 2 : 1;
    if (this.pattern[this.at] === ']') this.at += 1;
    for (; this.at < this.pattern.length && this.pattern[this.at] !== ']'; this.at += 1) {
      if (this.pattern[this.at] === '\\') holdsNumber = this.escapesNumber() || holdsNumber;
    }
    return holdsNumber;
  }

  open() {
    const [text, on, off = ''] = FLAGS.exec(this.pattern.slice(this.at)) ?? ['(', ''];
    const ignores = (this.group.ignores || on.includes('x')) && !off.includes('x');
    this.at += text.length - 1;
    if (text !== '(' && this.pattern[this.at + 1] === ')') {
      this.at += 1;
      this.group.ignores = ignores;
    } else {
      this.groups.push({ varies: false, ignores });
    }
  }

  close() {
    if (this.groups.length === 1) return;
    this.isBehindVarying = this.groups.pop().varies;
    this.group.varies ||= this.isBehindVarying;
  }
}
