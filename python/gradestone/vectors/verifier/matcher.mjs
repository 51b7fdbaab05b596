// A backtracking matcher with its own stack, so that a long text does not exhaust JavaScript's. A program is a list of
// instructions; the slots hold the ends of the groups and the state of the loops, and are copied when written, so that
// going back to an earlier choice needs no undoing.

const LF = 10;

const ANCHORS = {
  start: (text, at) => at === 0,
  end: (text, at) => at === text.length,
  lineStart: (text, at) => at === 0 || text[at - 1] === LF,
  lineEnd: (text, at) => at === text.length || text[at] === LF,
  lastLineEnd: (text, at) => at === text.length || (at === text.length - 1 && text[at] === LF),
  border: (text, at) => isWordAt(text, at - 1) !== isWordAt(text, at),
  // CPython 3.11 finds no \B in an empty text.
  noBorder: (text, at) => text.length > 0 && isWordAt(text, at - 1) === isWordAt(text, at),
};

function isWordAt(text, at) {
  return at >= 0 && at < text.length && /\w/.test(String.fromCodePoint(text[at]));
}

export function compile({ body, groupCount }) {
  const compiler = new Compiler(2 * (groupCount + 1));
  const code = compiler.program(body);
  return { code, slotCount: compiler.slotCount };
}

class Compiler {
  constructor(slotCount) {
    this.slotCount = slotCount;
    this.code = [];
  }

  program(node) {
    const outer = this.code;
    this.code = [];
    this.emit(node);
    this.push({ op: 'accept' });
    const inner = this.code;
    this.code = outer;
    return inner;
  }

  push(instruction) {
    this.code.push(instruction);
    return instruction;
  }

  emit(node) {
    switch (node.type) {
      case 'set': this.push({ op: 'set', test: node.test }); break;
      case 'anchor': this.push({ op: 'anchor', test: ANCHORS[node.kind] }); break;
      case 'reference': this.push({ op: 'reference', slot: 2 * node.number, fold: node.fold }); break;
      case 'look': this.push({ ...node, op: 'look', code: this.program(node.body) }); break;
      case 'atomic': this.push({ op: 'atomic', code: this.program(node.body) }); break;
      case 'sequence': node.items.forEach((item) => this.emit(item)); break;
      case 'alternation': this.alternation(node); break;
      case 'group': this.group(node); break;
      case 'condition': this.condition(node); break;
      case 'repeat': this.repeat(node); break;
      default: throw new Error(`no instruction for ${node.type}`);
    }
  }

  alternation({ branches }) {
    const jumps = [];
    branches.forEach((branch, index) => {
      const isLast = index === branches.length - 1;
      const split = isLast ? null : this.push({ op: 'split' });
      this.emit(branch);
      if (isLast) return;
      jumps.push(this.push({ op: 'jump' }));
      split.other = this.code.length;
    });
    for (const jump of jumps) jump.to = this.code.length;
  }

  group({ number, body }) {
    if (number === null) return this.emit(body);
    const opened = this.slotCount++;
    this.push({ op: 'open', slot: opened });
    this.emit(body);
    this.push({ op: 'close', opened, slot: 2 * number });
  }

  condition({ number, yes, no }) {
    const test = this.push({ op: 'condition', slot: 2 * number });
    this.emit(yes);
    const jump = this.push({ op: 'jump' });
    test.otherwise = this.code.length;
    this.emit(no);
    jump.to = this.code.length;
  }

  repeat(node) {
    const { body, min, max, mode } = node;
    if (body.type === 'set') {
      this.push({ op: 'run', test: body.test, min, max, mode });
    } else if (mode === 'possessive') {
      this.push({ op: 'atomic', code: this.program({ ...node, mode: 'greedy' }) });
    } else {
      this.loop(node);
    }
  }

  loop({ body, min, max, mode }) {
    const counter = this.slotCount;
    this.slotCount += 2;
    this.push({ op: 'enter', counter });
    const start = this.code.length;
    const loop = this.push({ op: 'loop', counter, min, max, isLazy: mode === 'lazy' });
    this.emit(body);
    this.push({ op: 'jump', to: start });
    loop.exit = this.code.length;
  }
}

function written(slots, ...pairs) {
  const copy = slots.slice();
  for (const [slot, value] of pairs) copy[slot] = value;
  return copy;
}

export class Matcher {
  constructor(text) {
    this.text = text;
  }

  search({ code, slotCount }) {
    const slots = new Array(slotCount).fill(-1);
    for (let start = 0; start <= this.text.length; start += 1) {
      if (this.run(code, start, slots)) return true;
    }
    return false;
  }

  // The end and the slots of the first way to match, or null.
  run(code, start, startSlots) {
    const choices = [{ pc: 0, at: start, slots: startSlots, last: start, step: 0 }];
    while (choices.length > 0) {
      const choice = choices.pop();
      if (choice.at !== choice.last) choices.push({ ...choice, at: choice.at + choice.step });
      let state = { pc: choice.pc, at: choice.at, slots: choice.slots };
      while (state && code[state.pc].op !== 'accept') state = this.step(code[state.pc], state, choices);
      if (state) return state;
    }
    return null;
  }

  // The state behind one instruction, or null when it fails. Alternatives go onto `choices`.
  step(instruction, { pc, at, slots }, choices) {
    const next = pc + 1;
    switch (instruction.op) {
      case 'set':
        return at < this.text.length && instruction.test(this.text[at]) ? { pc: next, at: at + 1, slots } : null;
      case 'anchor':
        return instruction.test(this.text, at) ? { pc: next, at, slots } : null;
      case 'run':
        return this.runOf(instruction, next, at, slots, choices);
      case 'jump':
        return { pc: instruction.to, at, slots };
      case 'split':
        choices.push({ pc: instruction.other, at, slots, last: at, step: 0 });
        return { pc: next, at, slots };
      case 'open':
        return { pc: next, at, slots: written(slots, [instruction.slot, at]) };
      case 'close': {
        const { slot, opened } = instruction;
        return { pc: next, at, slots: written(slots, [slot, slots[opened]], [slot + 1, at]) };
      }
      case 'condition':
        return { pc: slots[instruction.slot] === -1 ? instruction.otherwise : next, at, slots };
      case 'reference':
        return this.reference(instruction, next, at, slots);
      case 'look':
        return this.look(instruction, next, at, slots);
      case 'atomic': {
        const inner = this.run(instruction.code, at, slots);
        return inner && { pc: next, at: inner.at, slots: inner.slots };
      }
      case 'enter':
        return { pc: next, at, slots: written(slots, [instruction.counter, 0], [instruction.counter + 1, -1]) };
      case 'loop':
        return this.loop(instruction, next, at, slots, choices);
      default:
        throw new Error(`unknown instruction ${instruction.op}`);
    }
  }

  // A repeated single character: one choice stands for all the lengths that are left to try.
  runOf({ test, min, max, mode }, next, at, slots, choices) {
    const limit = Math.min(this.text.length, at + max);
    let end = at;
    while (end < limit && test(this.text[end])) end += 1;
    const least = at + min;
    if (end < least) return null;
    const isLazy = mode === 'lazy';
    if (mode !== 'possessive' && end > least) {
      const range = isLazy ? { at: least + 1, last: end, step: 1 } : { at: end - 1, last: least, step: -1 };
      choices.push({ pc: next, slots, ...range });
    }
    return { pc: next, at: isLazy ? least : end, slots };
  }

  loop({ counter, min, max, isLazy, exit }, next, at, slots, choices) {
    const count = slots[counter];
    const isIdle = count > 0 && slots[counter + 1] === at;
    const leave = { pc: exit, at, slots };
    if (isIdle || count >= max) return leave;
    const again = { pc: next, at, slots: written(slots, [counter, count + 1], [counter + 1, at]) };
    if (count < min) return again;
    choices.push({ ...(isLazy ? again : leave), last: at, step: 0 });
    return isLazy ? leave : again;
  }

  reference({ slot, fold }, next, at, slots) {
    if (slots[slot] === -1) return null;
    const length = slots[slot + 1] - slots[slot];
    if (at + length > this.text.length) return null;
    for (let index = 0; index < length; index += 1) {
      if (fold(this.text[slots[slot] + index]) !== fold(this.text[at + index])) return null;
    }
    return { pc: next, at: at + length, slots };
  }

  look({ isBehind, isNegated, width, code }, next, at, slots) {
    const start = isBehind ? at - width : at;
    const found = start >= 0 ? this.run(code, start, slots) : null;
    if (isNegated) return found ? null : { pc: next, at, slots };
    return found && { pc: next, at, slots: found.slots };
  }
}
