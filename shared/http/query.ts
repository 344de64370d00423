import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { invalidSchema } from '../core/errors.ts';
import { shownFieldName, unknownNameHint } from '../core/field-name.ts';
import type { StatementCursor } from '../ledger/statement/read-statement.ts';

/** Parses a query string: documented parameters only, each at most once and in its documented format. */
export function readQuery<S extends v.ObjectEntries>(
  event: APIGatewayProxyEvent,
  schema: v.StrictObjectSchema<S, undefined>,
): v.InferOutput<v.StrictObjectSchema<S, undefined>> {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const repeated = given.find(([, values]) => values?.length !== 1);
  if (repeated) {
    const name = shownFieldName(repeated[0]);
    throw invalidSchema(
      'duplicate_field',
      name,
      `The query parameter "${name}" is sent twice.`,
      'Send it once.',
    );
  }
  const result = v.safeParse(schema, Object.fromEntries(given.map(([name, values]) => [name, values?.[0]])));
  if (result.success) return result.output;
  const name = String(result.issues[0].path?.[0]?.key);
  const field = shownFieldName(name);
  if (Object.hasOwn(schema.entries, name))
    throw invalidSchema(
      'wrong_format',
      field,
      `The query parameter ${field} does not match the documented format.`,
      'GET /v1/openapi.json describes it.',
    );
  const hint = unknownNameHint('parameters', name, Object.keys(schema.entries));
  throw invalidSchema('unknown_field', field, `Unknown query parameter "${field}".`, hint);
}

/** An ISO 8601 date or time in UTC, converted to a full time. */
const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/),
  // A day that does not exist is invalid or rolls over into the next month, depending on the parser.
  v.check(
    (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text.slice(0, 10)),
  ),
  v.transform((text) => new Date(text).toISOString()),
);

const cursorParts = v.strictTuple([
  v.pipe(v.string(), v.regex(/^\d{4}-(0[1-9]|1[0-2])-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#[!-~]{1,200}$/)),
  v.pipe(v.number(), v.safeInteger()),
]);

/** A cursor is opaque to callers. A modified one can only move callers within their own statement. */
const cursor = v.pipe(
  v.string(),
  v.maxLength(400),
  v.rawTransform(({ dataset, addIssue, NEVER }): StatementCursor => {
    const parsed = v.safeParse(
      v.pipe(v.string(), v.parseJson(), cursorParts),
      Buffer.from(dataset.value, 'base64url').toString(),
    );
    if (parsed.success) return { sort: parsed.output[0], balance: parsed.output[1] };
    addIssue({ message: 'not a cursor' });
    return NEVER;
  }),
);

export function cursorText({ sort, balance }: StatementCursor): string {
  return Buffer.from(JSON.stringify([sort, balance])).toString('base64url');
}

/** GET /v1/wallet/transactions */
export const transactionsQuery = v.strictObject({
  cursor: v.optional(cursor),
  limit: v.optional(
    v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,2}$/), v.transform(Number), v.maxValue(100)),
    '50',
  ),
  from: v.optional(instant),
  to: v.optional(instant),
  type: v.optional(v.picklist(['debit', 'credit'])),
});

/** Routes without parameters. */
export const noQuery = v.strictObject({});
