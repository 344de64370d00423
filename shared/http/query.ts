import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { invalidSchema, type ServiceError } from '../core/errors.ts';
import { shownFieldName, unknownNameHint } from '../core/field-name.ts';
import { type WalletId, walletName } from '../core/keys.ts';
import { wrongChoice } from '../core/wrong-choice.ts';
import { entriesOf } from './known-fields.ts';

/** Documented parameters only, each at most once. The error says of a field of `body` where it belongs. */
export function readQuery<S extends v.ObjectEntries>(
  event: APIGatewayProxyEvent,
  schema: v.StrictObjectSchema<S, undefined>,
  body?: v.GenericSchema,
): v.InferOutput<v.StrictObjectSchema<S, undefined>> {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const repeated = given.find(([, values]) => values?.length !== 1);
  if (repeated) {
    const name = shownFieldName(repeated[0]);
    throw invalidSchema(
      'duplicate_field',
      name,
      `The query parameter "${name}" is sent more than once.`,
      'Send it once.',
    );
  }
  const result = v.safeParse(schema, Object.fromEntries(given.map(([name, values]) => [name, values?.[0]])));
  if (result.success) return result.output;
  throw rejection(schema, result.issues[0], body);
}

/** Unless the parameter is unknown or has permitted values, the issue's message becomes the hint. */
function rejection(
  { entries }: { readonly entries: v.ObjectEntries },
  issue: v.BaseIssue<unknown>,
  body?: v.GenericSchema,
): ServiceError {
  const name = String(issue.path?.[0]?.key);
  const field = shownFieldName(name);
  if (!Object.hasOwn(entries, name)) {
    const hint = Object.hasOwn(entriesOf(body), name)
      ? 'Send it in the body.'
      : unknownNameHint('parameters', name, Object.keys(entries));
    return invalidSchema('unknown_field', field, `Unknown query parameter "${field}".`, hint);
  }
  const subject = `The query parameter ${field}`;
  if (issue.type === 'picklist') return wrongChoice(subject, field, issue);
  const reason = issue.type === 'max_length' ? 'too_long' : 'wrong_format';
  return invalidSchema(reason, field, `${subject} is not valid.`, issue.message);
}

const SEND_TIME =
  'Send a date such as 2026-01-15, or a time such as 2026-01-15T09:30:00Z or 2026-01-15T10:30:00%2B01:00.';

/**
 * An ISO 8601 date in UTC, or a time with its offset, converted to a full time in UTC. In a query string, a plus sign
 * that is not encoded is a space.
 */
export const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+ -]\d{2}:\d{2}))?$/, SEND_TIME),
  v.transform((text) => text.replace(' ', '+')),
  // Parsers reject a day that does not exist, or move it to the next month.
  v.check((text) => {
    const local = text.replace(/(T.*)[+-].*$/, '$1Z');
    const exists = [text, local].every((one) => !Number.isNaN(Date.parse(one)));
    return exists && new Date(local).toISOString().startsWith(text.slice(0, 10));
  }, 'Send a date or time that exists.'),
  v.transform((text) => new Date(text).toISOString()),
);

/** It must not end before it begins. */
export function requireOrder(from: string, to: string): void {
  if (from > to)
    throw invalidSchema(
      'wrong_value',
      'from',
      'The value of from must not be later than that of to.',
      'Send an earlier from or a later to.',
    );
}

const SEND_CURSOR = 'Send the next_cursor of the previous page, with the same other parameters.';

/** Opaque to callers, who by modifying it can change only what they see of their own list. */
export function cursorOf<P extends readonly unknown[], T>(
  parts: v.GenericSchema<unknown, P>,
  read: (parts: P) => T,
  longest = 400,
) {
  return v.pipe(
    v.string(),
    v.maxLength(longest, SEND_CURSOR),
    v.rawTransform(({ dataset, addIssue, NEVER }): T => {
      const text = Buffer.from(dataset.value, 'base64url').toString();
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), parts), text);
      if (parsed.success) return read(parsed.output);
      addIssue({ message: SEND_CURSOR });
      return NEVER;
    }),
  );
}

/** As `cursorOf` reads it. */
export function cursorText(...parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const SEND_LIMIT = 'Send a whole number from 1 to 100.';

/** Of a page. */
export const limit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[1-9][0-9]{0,2}$/, SEND_LIMIT),
    v.transform(Number),
    v.maxValue(100, SEND_LIMIT),
  ),
  '50',
);

/** Where a page ended, and a digest of the list, so that a cursor cannot be used with a different one. */
export interface ListCursor {
  readonly position: string;
  readonly digest: string;
}

/** From the wallet and the parameters that select entries. */
export function listDigest(wallet: WalletId, filter: object): string {
  const text = JSON.stringify([walletName(wallet), filter]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Rejects a cursor from a different list. */
export function requireSameList(cursor: Pick<ListCursor, 'digest'> | undefined, digest: string): void {
  if (cursor && cursor.digest !== digest)
    throw invalidSchema(
      'wrong_value',
      'cursor',
      'The query parameter cursor belongs to another list.',
      'Send the same parameters as for the first page of the list.',
    );
}

/** The query string of routes without parameters. */
export const noQuery = v.strictObject({});
