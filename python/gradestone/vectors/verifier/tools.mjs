// Tool calls (SPEC.md 8): reading a trace, and the four verdicts on it.

import { equal, isObject, tryParse } from './json.mjs';
import { follow } from './paths.mjs';
import { verdict } from './verdict.mjs';

const LIST_KEYS = ['tool_calls', 'tools_called', 'tools'];
const DEFINITION_KEYS = ['parameters', 'input_schema', 'inputSchema'];
const EMPTY = new Map();

const isName = (value) => typeof value === 'string' && value !== '';
const functionOf = (entry) => (isObject(entry.get('function')) ? entry.get('function') : EMPTY);

// undefined when the key is absent, as one that is null counts here.
const present = (object, key) => object.get(key) ?? undefined;

class Trace {
  calls = [];
  unclearNames = [];
  isReadable = false;
  hasUnreadable = false;

  show() {
    this.isReadable = true;
    return this;
  }

  absorb(other) {
    this.calls.push(...other.calls);
    this.unclearNames.push(...other.unclearNames);
    this.isReadable ||= other.isReadable;
    this.hasUnreadable ||= other.hasUnreadable;
  }

  addEntry(entry) {
    if (isDefinition(entry)) return;
    const name = nameOf(entry);
    if (name === undefined) this.hasUnreadable = true;
    else this.calls.push({ name, input: argumentsOf(entry) });
  }
}

function nameOf(entry) {
  if (!isObject(entry)) return isName(entry) ? entry : undefined;
  return [entry.get('name'), entry.get('tool'), functionOf(entry).get('name')].find(isName);
}

function parsed(value) {
  if (typeof value !== 'string') return value;
  const json = tryParse(value);
  return json === undefined ? value : json;
}

// undefined when there are none.
function argumentsOf(entry) {
  if (!isObject(entry)) return undefined;
  return parsed(present(entry, 'arguments') ?? present(entry, 'args')
    ?? present(functionOf(entry), 'arguments') ?? present(entry, 'input'));
}

function isDefinition(entry) {
  if (!isObject(entry) || argumentsOf(entry) !== undefined) return false;
  return [entry, functionOf(entry)].some((place) =>
    DEFINITION_KEYS.some((key) => present(place, key) !== undefined));
}

function isLikeACall(object) {
  return nameOf(object) !== undefined && argumentsOf(object) !== undefined;
}

function isOffered(entry) {
  return nameOf(entry) !== undefined && argumentsOf(entry) === undefined;
}

function addCallList(trace, holder) {
  const key = LIST_KEYS.find((name) => present(holder, name) !== undefined);
  if (key === undefined) return;
  const list = holder.get(key);
  if (!Array.isArray(list)) {
    trace.hasUnreadable = true;
  } else if (key === 'tools') {
    addOffers(trace, list);
  } else {
    trace.show();
    for (const entry of list) trace.addEntry(entry);
  }
}

function addOffers(trace, list) {
  const part = new Trace();
  for (const entry of list.filter((member) => !isOffered(member))) part.addEntry(entry);
  if (part.calls.length > 0) {
    part.show().unclearNames = list.filter((entry) => isOffered(entry) && !isDefinition(entry)).map(nameOf);
  }
  trace.absorb(part);
}

function addFunctionCall(trace, holder) {
  const call = present(holder, 'function_call');
  if (isObject(call)) trace.show().addEntry(call);
  else trace.hasUnreadable ||= call !== undefined;
}

function addBlock(trace, member, type) {
  if (member.get('type') === type) trace.show().addEntry(member);
  else trace.hasUnreadable ||= isLikeACall(member);
}

function objectsIn(list) {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function addContent(trace, content) {
  for (const member of objectsIn(content)) addBlock(trace, member, 'tool_use');
}

function addOutput(trace, output) {
  for (const member of objectsIn(output)) {
    if (present(member, 'role') !== undefined && member.get('type') !== 'function_call') trace.absorb(readMessage(member));
    else addBlock(trace, member, 'function_call');
  }
}

function addMessage(trace, message) {
  if (isObject(message)) trace.absorb(readMessage(message));
  else trace.hasUnreadable = true;
}

function addMessages(trace, messages) {
  if (!Array.isArray(messages) || messages.length === 0) return;
  trace.show();
  for (const message of messages) addMessage(trace, message);
}

function addChoices(trace, choices) {
  if (!Array.isArray(choices) || choices.length === 0) return;
  trace.show();
  for (const choice of choices) {
    if (!isObject(choice)) trace.hasUnreadable = true;
    else if (present(choice, 'message') !== undefined) addMessage(trace, choice.get('message'));
    else if (present(choice, 'delta') !== undefined) trace.hasUnreadable = true;
  }
}

function addSpokenCalls(trace, holder) {
  addCallList(trace, holder);
  addFunctionCall(trace, holder);
  addContent(trace, holder.get('content'));
}

function addParams(trace, request) {
  const params = request.get('params');
  if (!isObject(params)) return;
  const name = isName(params.get('name')) ? params.get('name') : undefined;
  const input = parsed(present(params, 'arguments'));
  const isWhole = name !== undefined && input !== undefined;
  if (!isWhole && request.get('method') !== 'tools/call') return;
  trace.show();
  if (name === undefined) trace.hasUnreadable = true;
  else trace.calls.push({ name, input });
}

function addItself(trace, object) {
  if (isLikeACall(object)) trace.show().addEntry(object);
}

function readMessage(message) {
  const trace = new Trace().show();
  addSpokenCalls(trace, message);
  addItself(trace, message);
  return trace;
}

function readObject(object) {
  const trace = new Trace();
  if (present(object, 'role') !== undefined) trace.show();
  addSpokenCalls(trace, object);
  addChoices(trace, object.get('choices'));
  addOutput(trace, object.get('output'));
  addMessages(trace, object.get('messages'));
  addParams(trace, object);
  addItself(trace, object);
  return trace;
}

function readList(list) {
  const trace = new Trace().show();
  for (const member of list) {
    const part = isObject(member) ? readObject(member) : new Trace();
    trace.absorb(part);
    if (!part.isReadable) trace.addEntry(member);
  }
  return trace;
}

function readTrace(candidate) {
  if (Array.isArray(candidate)) return readList(candidate);
  return isObject(candidate) ? readObject(candidate) : new Trace();
}

const onTrace = (judge) => (options, candidate) => {
  const trace = readTrace(candidate);
  return verdict(trace.isReadable ? judge(options, trace) : 'no_trace');
};

const namesIn = (trace) => trace.calls.map((call) => call.name);

export const toolCalled = onTrace((options, trace) => {
  const names = namesIn(trace);
  return options.get('tools').every((tool) => names.includes(tool)) ? 'ok' : 'tool_missing';
});

export const toolNotCalled = onTrace((options, trace) => {
  const names = namesIn(trace);
  const forbidden = options.get('tools');
  if (forbidden.some((tool) => names.includes(tool))) return 'tool_forbidden';
  const isUnclear = forbidden.some((tool) => trace.unclearNames.includes(tool));
  return trace.hasUnreadable || isUnclear ? 'unreadable_call' : 'ok';
});

export const toolSequence = onTrace((options, trace) => {
  const wanted = options.get('tools');
  let served = 0;
  for (const name of namesIn(trace)) {
    if (name === wanted[served]) served += 1;
  }
  return served === wanted.length ? 'ok' : 'tool_order';
});

export const toolArgumentAssertion = onTrace((options, trace) => {
  const calls = trace.calls.filter((call) => call.name === options.get('tool'));
  if (calls.length === 0) return 'tool_missing';
  const hasEqual = ({ input }) => {
    if (input === undefined) return false;
    const { found, value } = follow(input, options.get('path'));
    return found && equal(value, options.get('equals'));
  };
  return calls.some(hasEqual) ? 'ok' : 'argument_mismatch';
});
