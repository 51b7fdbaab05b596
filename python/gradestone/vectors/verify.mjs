#!/usr/bin/env node
// An independent checker of the vectors: every grader of SPEC.md, written from that page alone.
//
//     node verify.mjs [file or directory ...]        without arguments: the files beside this script
//
// Exit code: 0 all agree, 1 some differ, 2 a file is unreadable or breaks the envelope, 5 nothing was found.

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCases } from './verifier/envelope.mjs';
import { judge } from './verifier/graders.mjs';
import { isNumber, isObject, jsonText } from './verifier/json.mjs';

const TOLERANCE = 1e-12;
const EXIT = { agree: 0, differ: 1, broken: 2, nothing: 5 };

function filesIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  return names.sort().map((name) => join(path, name));
}

function agrees(expected, got) {
  if (isNumber(expected) && isNumber(got)) return Math.abs(Number(expected) - Number(got)) <= TOLERANCE;
  if (Array.isArray(expected) && Array.isArray(got)) {
    return expected.length === got.length && expected.every((member, index) => agrees(member, got[index]));
  }
  if (isObject(expected) && isObject(got)) {
    return expected.size === got.size && [...expected].every(([key, member]) => agrees(member, got.get(key)));
  }
  return expected === got;
}

// What was found, in the shape of `expected`; the score only where the file gives one.
function found(grader, one) {
  const { code, score, metadata } = judge(grader, one);
  const got = new Map([['passed', code === 'ok'], ['code', code]]);
  if (one.expected.has('score')) got.set('score', score ?? Number(code === 'ok'));
  if (metadata) got.set('metadata', new Map(Object.entries(metadata)));
  return got;
}

function differenceIn(grader, one) {
  try {
    const got = found(grader, one);
    return agrees(one.expected, got) ? null : jsonText(got);
  } catch (error) {
    return `an error: ${error.stack}`;
  }
}

function verifyFile(path) {
  const { grader, cases } = loadCases(path);
  const name = basename(path);
  let differing = 0;
  const lines = [];
  for (const one of cases) {
    const got = differenceIn(grader, one);
    if (got === null) continue;
    differing += 1;
    lines.push(`  ${name} ${one.id} ${one.name}`, `    expected ${jsonText(one.expected)}`, `    got      ${got}`);
  }
  console.log([`${name}  ${cases.length} cases, ${cases.length - differing} agree`, ...lines].join('\n'));
  return { cases: cases.length, differing };
}

function main(paths) {
  const total = { cases: 0, differing: 0, broken: 0 };
  for (const path of paths.flatMap(filesIn)) {
    try {
      const { cases, differing } = verifyFile(path);
      total.cases += cases;
      total.differing += differing;
    } catch (error) {
      total.broken += 1;
      console.log(`${basename(path)}  cannot be used: ${error.message}`);
    }
  }
  console.log(`${total.cases} cases, ${total.cases - total.differing} agree, ${total.differing} differ`);
  if (total.broken > 0) return EXIT.broken;
  if (total.cases === 0) return EXIT.nothing;
  return total.differing > 0 ? EXIT.differ : EXIT.agree;
}

const given = process.argv.slice(2);
process.exitCode = main(given.length > 0 ? given : [dirname(fileURLToPath(import.meta.url))]);
