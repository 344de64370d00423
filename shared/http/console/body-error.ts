import * as v from 'valibot';
import { invalidSchema, type ServiceError } from '../../core/errors.ts';
import { shownFieldName, unknownNameHint } from '../../core/field-name.ts';
import { wrongChoice } from '../../core/wrong-choice.ts';

/**
 * Parses the bodies of requests to the console. Unlike those of the API, they contain lists and email addresses. If a
 * schema sets the message of an issue, that message becomes the hint next to the field.
 */

type Issue = v.BaseIssue<unknown>;

/** Parses a body, in which only documented fields are permitted. Throws INVALID_SCHEMA, which names one fault. */
export function parseConsoleBody<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalidSchema('not_an_object', '', 'The body must be a JSON object.', 'Send one object.');
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  // A misspelt field is also missing under its correct name. Naming the unknown field is more helpful.
  throw rejection(schema, result.issues.find(isUnknownField) ?? result.issues[0]);
}

function isUnknownField(issue: Issue): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never';
}

/** Readable names for the types of schemas. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  array: 'a list',
  strict_object: 'an object',
  object: 'an object',
};

/** Returns the error for one fault that the schema found. It never contains a value that was sent. */
function rejection(schema: v.GenericSchema, issue: Issue): ServiceError {
  const path = issue.path ?? [];
  const keys = path.map(({ key }) => String(key));
  // The schemas treat a list as an object without fields.
  const list = path.findIndex(({ type, input }) => type === 'object' && Array.isArray(input));
  if (list >= 0) return wrongType(shownFieldName(keys.slice(0, list).join('.')), 'an object');
  const field = shownFieldName(keys.join('.'));
  if (isUnknownField(issue)) {
    const hint = unknownNameHint('fields', keys.at(-1) ?? '', knownFields(schema, keys.slice(0, -1)));
    return invalidSchema('unknown_field', field, `Unknown field "${field}".`, hint);
  }
  const subject = `The field ${field}`;
  if (issue.input === undefined)
    return invalidSchema('missing_field', field, `${subject} is missing.`, 'Add it.');
  const type = TYPES[issue.type];
  if (type) return wrongType(field, type);
  if (issue.type === 'picklist' || issue.type === 'literal') return wrongChoice(subject, field, issue);
  const reason = issue.type === 'max_length' ? 'too_long' : 'wrong_format';
  return invalidSchema(reason, field, `${subject} is not valid.`, issue.message);
}

function wrongType(field: string, type: string): ServiceError {
  return invalidSchema('wrong_type', field, `The field ${field} must be ${type}.`, `Send ${type}.`);
}

/** Returns the fields that the schema allows in the object at this path. */
function knownFields(schema: v.GenericSchema, path: readonly string[]): string[] {
  let entries = entriesOf(schema);
  for (const key of path) entries = entriesOf(entries[key]);
  return Object.keys(entries);
}

type Entries = Readonly<Record<string, v.GenericSchema>>;

function entriesOf(schema: v.GenericSchema | undefined): Entries {
  return schema && 'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : {};
}
