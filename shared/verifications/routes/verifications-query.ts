import * as v from 'valibot';
import { OUTCOMES } from '../../core/outcome.ts';
import { IDEMPOTENCY_KEY, KEY_FORMAT } from '../../http/idempotency-key.ts';
import { cursorOf, cursorText, instant, type ListCursor, limit } from '../../http/query.ts';
import { MAX_REFERENCE } from '../reference.ts';
import { SERVICE_NAMES } from '../services.ts';

const LIST_POSITION =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T\d{2}:\d{2}:\d{2}\.\d{3}Z(?:#[!-~]{1,200})?$/;

const listCursor = cursorOf(
  v.strictTuple([v.pipe(v.string(), v.regex(LIST_POSITION)), v.string()]),
  ([position, digest]): ListCursor => ({ position, digest }),
);

export const listCursorText = ({ position, digest }: ListCursor) => cursorText(position, digest);

const SEND_KEY = `${KEY_FORMAT} Send the key of one of your requests.`;
const SEND_REFERENCE = `Send 1 to ${MAX_REFERENCE} characters, or leave the parameter out.`;

/** GET /v1/verifications */
export const verificationsQuery = v.strictObject({
  cursor: v.optional(listCursor),
  limit,
  from: v.optional(instant),
  to: v.optional(instant),
  reference: v.optional(
    v.pipe(v.string(), v.minLength(1, SEND_REFERENCE), v.maxLength(MAX_REFERENCE, SEND_REFERENCE)),
  ),
  service: v.optional(v.picklist(SERVICE_NAMES)),
  idempotency_key: v.optional(v.pipe(v.string(), v.regex(IDEMPOTENCY_KEY, SEND_KEY))),
  outcome: v.optional(v.picklist([...OUTCOMES, 'REJECTED'])),
});
