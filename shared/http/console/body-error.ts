import * as v from 'valibot';
import { invalidSchema, ServiceError } from '../../core/errors.ts';
import { shownFieldName, unknownNameHint } from '../../core/field-name.ts';
import { wrongChoice } from '../../core/wrong-choice.ts';
import { entriesAt, isUnknownField } from '../known-fields.ts';

/**
 * Unlike those of the API, bodies contain lists and email addresses. A message of the schema becomes the hint next to
 * the field.
 */

type Issue = v.BaseIssue<unknown>;

/** So that a body with many faults has a short response. */
const MOST_OTHERS = 20;

/** Documented fields only. INVALID_SCHEMA names each field with a fault, so that a page shows all. */
export function parseConsoleBody<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalidSchema('not_an_object', '', 'The body must be a JSON object.', 'Send one object.');
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  // A misspelt field is also missing: naming the unknown one is more helpful.
  const main = result.issues.find(isUnknownField) ?? result.issues[0];
  const others = result.issues.filter((issue) => issue !== main).slice(0, MOST_OTHERS);
  throw withOthers(
    rejection(schema, main),
    others.map((issue) => rejection(schema, issue)),
  );
}

/** Runs all checks of a form. If some throw, throws the first error with the others, so that a page shows all. */
export function checkFields(...checks: readonly (() => unknown)[]): void {
  const faults = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof ServiceError) return [error];
      throw error;
    }
  });
  const [first, ...others] = faults;
  if (first) throw withOthers(first, others);
}

function withOthers(first: ServiceError, others: readonly ServiceError[]): ServiceError {
  const { code, message, details } = first;
  return details ? new ServiceError(code, { message, details, others }) : first;
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

/** Never contains a value that was sent. */
function rejection(schema: v.GenericSchema, issue: Issue): ServiceError {
  const path = issue.path ?? [];
  const keys = path.map(({ key }) => String(key));
  // Schemas treat a list as an object without fields.
  const list = path.findIndex(({ type, input }) => type === 'object' && Array.isArray(input));
  if (list >= 0) return wrongType(shownFieldName(keys.slice(0, list).join('.')), 'an object');
  const field = shownFieldName(keys.join('.'));
  if (isUnknownField(issue)) {
    const hint = unknownNameHint(
      'fields',
      keys.at(-1) ?? '',
      Object.keys(entriesAt(schema, keys.slice(0, -1))),
    );
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
