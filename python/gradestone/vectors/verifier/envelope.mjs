// A vector file: reading it, checking its envelope (SPEC.md 1.1) and expanding the shorthand (1.3).

import { readFileSync } from 'node:fs';
import { isNumber, isObject, parseFile } from './json.mjs';
import { GRADERS } from './graders.mjs';

const FILE_MEMBERS = ['schema', 'format', 'grader', 'source', 'number_of_tests', 'notes', 'tests'];
const SOURCE_MEMBERS = ['name', 'version', 'generator'];
const NOTE_MEMBERS = ['kind', 'why'];
const CASE_MEMBERS = ['id', 'name', 'comment', 'flags', 'options', 'expected'];
const OPTIONAL_CASE_MEMBERS = ['candidate', 'reference'];
const EXPECTED_MEMBERS = ['passed', 'code'];
const OPTIONAL_EXPECTED_MEMBERS = ['score', 'metadata'];

export class BrokenFile extends Error {}

export function loadCases(path) {
  const text = readFileSync(path, 'utf8');
  demand(/^[\x00-\x7f]*\n$/.test(text) && !text.endsWith('\n\n'), 'is not ASCII with one newline at its end');
  const file = parseFile(text);
  checkFile(file);
  return { grader: file.get('grader'), cases: file.get('tests').map(expandCase) };
}

function demand(condition, complaint) {
  if (!condition) throw new BrokenFile(complaint);
}

function demandMembers(value, where, required, optional = []) {
  demand(isObject(value), `${where} is no object`);
  for (const key of required) demand(value.has(key), `${where} has no ${key}`);
  for (const key of value.keys()) demand([...required, ...optional].includes(key), `${where} has an odd member ${key}`);
}

function checkFile(file) {
  demandMembers(file, 'the file', FILE_MEMBERS);
  demand(file.get('schema') === 'schema.json', 'schema is not "schema.json"');
  demand(file.get('format') === 1n, 'format is not 1');
  demand(Object.hasOwn(GRADERS, file.get('grader')), `grader ${file.get('grader')} is unknown`);
  demandMembers(file.get('source'), 'source', SOURCE_MEMBERS);
  checkNotes(file.get('notes'));
  checkCases(file);
}

function checkNotes(notes) {
  demand(isObject(notes), 'notes is no object');
  for (const [flag, note] of notes) demandMembers(note, `note ${flag}`, NOTE_MEMBERS);
}

function checkCases(file) {
  const cases = file.get('tests');
  demand(Array.isArray(cases), 'tests is no list');
  demand(file.get('number_of_tests') === BigInt(cases.length), 'number_of_tests is not the number of tests');
  cases.forEach((one, index) => checkCase(one, index + 1, file.get('notes')));
  const names = new Set(cases.map((one) => one.get('name')));
  demand(names.size === cases.length, 'a name is given twice');
  const used = new Set(cases.flatMap((one) => one.get('flags')));
  for (const flag of file.get('notes').keys()) demand(used.has(flag), `note ${flag} is not used`);
}

function checkCase(one, id, notes) {
  const where = `case ${id}`;
  demandMembers(one, where, CASE_MEMBERS, OPTIONAL_CASE_MEMBERS);
  demand(one.get('id') === BigInt(id), `${where} has another id`);
  demand(typeof one.get('name') === 'string', `${where} has no name`);
  demand(typeof one.get('comment') === 'string' && one.get('comment') !== '', `${where} has no comment`);
  demand(isObject(one.get('options')), `${where} has no option bag`);
  demand(Array.isArray(one.get('flags')) && one.get('flags').length > 0, `${where} has no flags`);
  for (const flag of one.get('flags')) demand(notes.has(flag), `${where} has a flag without a note`);
  checkExpected(one.get('expected'), where);
}

function checkExpected(expected, where) {
  demandMembers(expected, `${where} expected`, EXPECTED_MEMBERS, OPTIONAL_EXPECTED_MEMBERS);
  demand(typeof expected.get('passed') === 'boolean', `${where} expects no boolean`);
  demand(typeof expected.get('code') === 'string', `${where} expects no code`);
  demand(!expected.has('score') || isNumber(expected.get('score')), `${where} expects no number as score`);
  demand(!expected.has('metadata') || isObject(expected.get('metadata')), `${where} expects no metadata object`);
}

function expandCase(one) {
  const expandMember = (key) => (one.has(key) ? expand(one.get(key)) : undefined);
  return {
    id: one.get('id'),
    name: one.get('name'),
    options: expandMember('options'),
    candidate: expandMember('candidate'),
    reference: expandMember('reference'),
    expected: one.get('expected'),
  };
}

const SHORTHAND = {
  $repeat: ([value, times]) => joined(Array(Number(times)).fill(value), value),
  $concat: (values) => joined(values, values[0]),
  $nest: ([value, times]) => {
    let nested = value;
    for (let level = 0; level < Number(times); level += 1) nested = [nested];
    return nested;
  },
};

function joined(parts, sample) {
  return typeof sample === 'string' ? parts.join('') : parts.flat();
}

function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (!isObject(value)) return value;
  const [key] = value.keys();
  if (value.size === 1 && key === '$literal') return value.get(key);
  const expanded = new Map([...value].map(([name, member]) => [name, expand(member)]));
  return value.size === 1 && Object.hasOwn(SHORTHAND, key) ? SHORTHAND[key](expanded.get(key)) : expanded;
}
