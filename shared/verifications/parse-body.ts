import * as v from 'valibot';
import { invalidSchema, type ServiceError } from '../core/errors.ts';
import { shownFieldName, unknownNameHint } from '../core/field-name.ts';
import { wrongChoice } from '../core/wrong-choice.ts';
import { type Entries, entriesAt, entriesOf, isUnknownField } from '../http/known-fields.ts';
import { NUMBER_ALIASES } from './services.ts';

/** Parses request bodies with their schemas, and converts one fault to an error that names the field. */

/** The checks for text that is stored with the log row. */
export const UNPRINTABLE = 'unprintable';
export const LONG_NUMBER = 'long number';

const HINT_FOLLOWS = '\n';

/** Returns the message of a check: the error's text after the name of the field, and its hint. */
export function problem(text: string, hint: string): string {
  return text + HINT_FOLLOWS + hint;
}

/** Parses a body, in which only documented fields are permitted. Throws INVALID_SCHEMA, which names one fault. */
export function parseBody<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const hint = Array.isArray(json) ? 'Send one object, not a list.' : SEE_DOCUMENT;
    throw invalidSchema('not_an_object', '', 'The body must be a JSON object.', hint);
  }
  const result = v.safeParse(schema, withoutAbsent(json, entriesOf(schema)));
  if (result.success) return result.output;
  // A misspelt field is also missing under its correct name. Naming the unknown field is more helpful.
  throw rejection(schema, result.issues.find(isMisspelt) ?? result.issues[0]);
}

/**
 * Leaves out optional fields that are null, and empty fields of `match` (contract C7): the JSON libraries of Java and
 * .NET write a field without a value like this.
 */
function withoutAbsent(json: object, entries: Entries, name = ''): object {
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      const schema = Object.hasOwn(entries, key) ? entries[key] : undefined;
      const isAbsent = value === null || (value === '' && name === 'match');
      if (schema && 'wrapped' in schema && isAbsent) return [];
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [[key, schema && isObject ? withoutAbsent(value, entriesOf(schema), key) : value]];
    }),
  );
}

const SEE_DOCUMENT = 'GET /v1/openapi.json describes its fields.';

type Issue = v.BaseIssue<unknown>;

const isMisspelt = (issue: Issue) => isUnknownField(issue) && !isInList(issue);

/** The schemas have no lists, but treat a list as an object without fields. */
function isInList({ path }: Issue): boolean {
  return Array.isArray(path?.at(-1)?.input);
}

/** Returns the error for one fault that the schema found. It never contains a value that the caller sent. */
function rejection(schema: v.GenericSchema, issue: Issue): ServiceError {
  const keys = issue.path?.map(({ key }) => String(key)) ?? [];
  if (isInList(issue)) return notAnObject(keys.slice(0, -1).join('.'));
  if (isMisspelt(issue)) return unknownField(schema, keys);
  const field = keys.join('.');
  const { type } = issue;
  if (issue.input === undefined)
    return invalidSchema('missing_field', field, `The field ${field} is missing.`, 'Add it.');
  if (type === 'string')
    return invalidSchema('wrong_type', field, `The field ${field} must be a string.`, hintForText(issue));
  if (type === 'number' || type === 'safe_integer' || type === 'min_value') return wrongNumber(field, issue);
  if (type === 'strict_object') return notAnObject(field);
  if (type === 'max_length')
    return invalidSchema(
      'too_long',
      field,
      `The field ${field} is longer than ${issue.requirement} characters.`,
      'Shorten it.',
    );
  if (type === 'min_entries') return emptyObject(field, entriesAt(schema, keys));
  if (type === 'check') return unsuitableText(field, issue.message);
  if (type === 'boolean')
    return invalidSchema('wrong_type', field, `The field ${field} must be true or false.`, BOOLEAN_HINT);
  if (type === 'regex')
    return invalidSchema('wrong_format', field, issue.message, 'GET /v1/banks lists the codes.');
  return wrongChoice(`The field ${field}`, field, issue);
}

/** How hints name the types that callers send instead of a string, by the name that the schema library uses. */
const NOT_STRINGS: Readonly<Record<string, string>> = { Array: 'a list', Object: 'an object' };

function hintForText({ input, received }: Issue): string {
  if (typeof input === 'number') return 'Send it in quotes.';
  return `Send a string, not ${NOT_STRINGS[received] ?? received}.`;
}

function wrongNumber(field: string, { type, input }: Issue): ServiceError {
  const reason = type === 'number' ? 'wrong_type' : 'wrong_value';
  const hint = typeof input === 'string' ? 'Send it without quotes.' : 'Send a number such as 1000.';
  return invalidSchema(reason, field, `The field ${field} must be a whole number of 1 or more.`, hint);
}

const BOOLEAN_HINT = 'Send true or false, without quotes.';

function unsuitableText(field: string, check: string): ServiceError {
  const [text, hint] = check.split(HINT_FOLLOWS);
  if (text && hint) return invalidSchema('wrong_format', field, `The field ${field} ${text}`, hint);
  if (check === UNPRINTABLE)
    return invalidSchema(
      'wrong_format',
      field,
      `The field ${field} contains a control character or an invisible character.`,
      'Send one line of visible characters.',
    );
  return invalidSchema(
    'wrong_format',
    field,
    `The field ${field} contains a number of 10 or more digits, which may be an identity number.`,
    'Send text without such a number. Digits with at most two characters between them that are no letters count as one number. UUIDs, ULIDs and dates are accepted.',
  );
}

function emptyObject(field: string, entries: Entries): ServiceError {
  const hint = `Send at least one of ${Object.keys(entries).join(', ')}.`;
  return invalidSchema('missing_field', field, `The field ${field} is empty.`, hint);
}

function notAnObject(field: string): ServiceError {
  return invalidSchema('wrong_type', field, `The field ${field} must be an object.`, SEE_DOCUMENT);
}

/**
 * Returns an error that names the unknown field, and suggests where it belongs, or else the most similar field of the
 * same object.
 */
function unknownField(schema: v.GenericSchema, keys: readonly string[]): ServiceError {
  const field = shownFieldName(keys.join('.'));
  const name = keys.at(-1) ?? '';
  const entries = entriesAt(schema, keys.slice(0, -1));
  const hint =
    matchFieldHint(entriesOf(schema), entries, name) ??
    misplacedFieldHint(entries, name) ??
    unknownNameHint('fields', name, Object.keys(entries));
  return invalidSchema('unknown_field', field, `Unknown field "${field}".`, hint);
}

const MATCH_FIELDS: readonly string[] = ['match', 'match_only'];
const MATCH_HINT = 'Verifications of a NIN or BVN accept it, at the top level of the body.';
const SLIP_HINT = 'A slip shows the record. Leave match_only out, or send it when you verify the NIN.';

/** Returns the hint for a match field that the request does not accept, or does not accept in this object. */
function matchFieldHint(body: Entries, entries: Entries, name: string): string | undefined {
  if (!MATCH_FIELDS.includes(name) || Object.hasOwn(entries, name)) return undefined;
  const isSlip = Object.hasOwn(body, 'match') && !Object.hasOwn(body, 'match_only');
  return isSlip && name === 'match_only' ? SLIP_HINT : MATCH_HINT;
}

/** Returns the hint for a field that belongs elsewhere, and for `id_number` if the body accepts only its alias. */
function misplacedFieldHint(entries: Entries, name: string): string | undefined {
  const parent = Object.keys(entries).find((key) => Object.hasOwn(entriesOf(entries[key]), name));
  if (parent !== undefined) return `Send it as ${parent}.${name}.`;
  const alias = Object.values(NUMBER_ALIASES).find((known) => Object.hasOwn(entries, known));
  return name === 'id_number' && alias !== undefined ? `Did you mean "${alias}"?` : undefined;
}
