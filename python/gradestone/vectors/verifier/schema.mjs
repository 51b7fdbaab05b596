// JSON Schema as far as SPEC.md 7.1 goes: Draft 2020-12 and draft-07.

import { equal, isNumber, isObject, isWhole } from './json.mjs';
import { codePoints } from './text.mjs';

// Unknown keywords there.
const NEWER_THAN_07 = ['prefixItems', '$defs'];
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

const DECIMAL_TEXT = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/;

const TYPES = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  number: isNumber,
  string: (value) => typeof value === 'string',
  integer: (value) => isNumber(value) && isWhole(value),
};

const isTypeName = (value) => typeof value === 'string' && Object.hasOwn(TYPES, value);
const isList = (value) => Array.isArray(value) && value.length > 0;
const isCount = (value) => TYPES.integer(value) && value >= 0;
const isSchema = (value, document) => document.isSchema(value);
const isSchemaList = (value, document) => isList(value) && value.every((member) => document.isSchema(member));
const isSchemaMap = (value, document) =>
  isObject(value) && [...value.values()].every((member) => document.isSchema(member));

const WELL_FORMED = {
  type: (value) => isTypeName(value) || (isList(value) && value.every(isTypeName)),
  enum: Array.isArray,
  required: (value) => Array.isArray(value) && value.every(TYPES.string),
  properties: isSchemaMap,
  additionalProperties: isSchema,
  items: (value, document) => (document.isDraft07 && Array.isArray(value)
    ? value.every((member) => document.isSchema(member))
    : document.isSchema(value)),
  prefixItems: isSchemaList,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: TYPES.boolean,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && value > 0,
  minLength: isCount,
  maxLength: isCount,
  pattern: isRegularExpression,
  allOf: isSchemaList,
  anyOf: isSchemaList,
  oneOf: isSchemaList,
  not: isSchema,
  $defs: isSchemaMap,
  definitions: isSchemaMap,
  $ref: (value, document) => document.isSchema(document.resolve(value)),
};

const forNumbers = (fits) => (operand, value) => !isNumber(value) || fits(operand, value);
const forStrings = (fits) => (operand, value) => typeof value !== 'string' || fits(operand, value);
const forArrays = (fits) => (operand, value, ...rest) => !Array.isArray(value) || fits(operand, value, ...rest);
const forObjects = (fits) => (operand, value, ...rest) => !isObject(value) || fits(operand, value, ...rest);

const SATISFIED = {
  type: (names, value) => [names].flat().some((name) => TYPES[name](value)),
  enum: (values, value) => values.some((member) => equal(member, value)),
  const: equal,
  properties: forObjects((schemas, value, schema, document) =>
    [...schemas].every(([key, inner]) => !value.has(key) || document.accepts(inner, value.get(key)))),
  required: forObjects((keys, value) => keys.every((key) => value.has(key))),
  additionalProperties: forObjects((inner, value, schema, document) => {
    const named = schema.get('properties') ?? new Map();
    return [...value].every(([key, member]) => named.has(key) || document.accepts(inner, member));
  }),
  items: forArrays((operand, value, schema, document) => {
    if (Array.isArray(operand)) return acceptsFirst(operand, value, document);
    const first = document.isDraft07 ? 0 : (schema.get('prefixItems') ?? []).length;
    return value.slice(first).every((member) => document.accepts(operand, member));
  }),
  prefixItems: forArrays((schemas, value, schema, document) => acceptsFirst(schemas, value, document)),
  minItems: forArrays((least, value) => value.length >= least),
  maxItems: forArrays((most, value) => value.length <= most),
  uniqueItems: forArrays((isWanted, value) => !isWanted || isUnique(value)),
  minimum: forNumbers((bound, value) => value >= bound),
  maximum: forNumbers((bound, value) => value <= bound),
  exclusiveMinimum: forNumbers((bound, value) => value > bound),
  exclusiveMaximum: forNumbers((bound, value) => value < bound),
  multipleOf: forNumbers(isMultiple),
  minLength: forStrings((least, value) => codePoints(value).length >= least),
  maxLength: forStrings((most, value) => codePoints(value).length <= most),
  pattern: forStrings((pattern, value) => new RegExp(pattern, 'u').test(value)),
  allOf: (schemas, value, schema, document) => schemas.every((inner) => document.accepts(inner, value)),
  anyOf: (schemas, value, schema, document) => schemas.some((inner) => document.accepts(inner, value)),
  oneOf: (schemas, value, schema, document) => schemas.filter((inner) => document.accepts(inner, value)).length === 1,
  not: (inner, value, schema, document) => !document.accepts(inner, value),
  $ref: (reference, value, schema, document) => document.accepts(document.resolve(reference), value),
};

function isRegularExpression(value) {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

function acceptsFirst(schemas, value, document) {
  return schemas.every((inner, index) => index >= value.length || document.accepts(inner, value[index]));
}

function isUnique(members) {
  return members.every((member, index) => !members.slice(0, index).some((earlier) => equal(earlier, member)));
}

// Numerator and denominator of what the text of a number says.
function fraction(number) {
  const [, sign, digits, decimals = '', exponent = '0'] = DECIMAL_TEXT.exec(String(number));
  const scale = Number(exponent) - decimals.length;
  const top = BigInt(sign + digits + decimals);
  return scale < 0 ? [top, 10n ** BigInt(-scale)] : [top * 10n ** BigInt(scale), 1n];
}

function isMultiple(factor, value) {
  const [valueTop, valueBottom] = fraction(value);
  const [factorTop, factorBottom] = fraction(factor);
  return (valueTop * factorBottom) % (valueBottom * factorTop) === 0n;
}

class Document {
  constructor(root) {
    this.root = root;
    this.isDraft07 = DRAFT_07.test(root.get('$schema') ?? '');
    this.seen = new Set();
  }

  isSchema(value) {
    if (typeof value === 'boolean') return true;
    if (!isObject(value)) return false;
    // A reference may lead back to a schema that is being looked at.
    if (this.seen.has(value)) return true;
    this.seen.add(value);
    return [...value].every(([key, operand]) => !this.knows(WELL_FORMED, key) || WELL_FORMED[key](operand, this));
  }

  knows(rules, keyword) {
    return Object.hasOwn(rules, keyword) && !(this.isDraft07 && NEWER_THAN_07.includes(keyword));
  }

  // undefined when the reference leads nowhere, or out of the document.
  resolve(reference) {
    if (reference === '#') return this.root;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    if (/%(?![0-9A-Fa-f]{2})/.test(reference)) return undefined;
    const steps = decodeURIComponent(reference.slice(2)).split('/');
    const keys = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return keys.reduce((place, key) => this.member(place, key), this.root);
  }

  member(place, step) {
    if (isObject(place)) return place.get(step);
    return Array.isArray(place) && /^(?:0|[1-9][0-9]*)$/.test(step) ? place[Number(step)] : undefined;
  }

  accepts(schema, value) {
    if (typeof schema === 'boolean') return schema;
    if (this.isDraft07 && schema.has('$ref')) return this.accepts(this.resolve(schema.get('$ref')), value);
    return [...schema].every(([key, operand]) =>
      !this.knows(SATISFIED, key) || SATISFIED[key](operand, value, schema, this));
  }
}

export function isWellFormed(schema) {
  return new Document(schema).isSchema(schema);
}

export function satisfies(value, schema) {
  return new Document(schema).accepts(schema, value);
}
