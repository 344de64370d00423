import { CATALOGUE, type ErrorCode, type ErrorDetails, RETRY_BY_REASON } from '../../core/errors.ts';
import { ENVELOPE_FIELDS, FIELD_MATCH_FIELDS, RECORD_FIELDS } from '../field-descriptions.ts';
import { isObject } from './bodies.ts';
import { meaningOfCode } from './explain-request.ts';
import type { TestRequestView } from './views.ts';

/** Explains the parts of a response. */

type Json = Readonly<Record<string, unknown>>;

/** Returns the fields of an envelope in their order, each with its meaning. */
export function explainedFields(envelope: Json, prefix = ''): TestRequestView['fields'] {
  return Object.entries(envelope).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const description = descriptionOf(name, key);
    const [first] = Array.isArray(value) ? value : [];
    return [
      ...(description === undefined ? [] : [{ name, description }]),
      ...(isObject(value) ? explainedFields(value, `${name}.`) : []),
      ...(isObject(first) ? explainedFields(first, `${name}[].`) : []),
    ];
  });
}

function descriptionOf(name: string, key: string): string | undefined {
  if (name.startsWith('data.')) return RECORD_FIELDS[key];
  if (name.startsWith('match.fields.')) return matchFieldDescription(name, key);
  return Object.hasOwn(ENVELOPE_FIELDS, name)
    ? ENVELOPE_FIELDS[name as keyof typeof ENVELOPE_FIELDS]
    : undefined;
}

/** Describes a field of the match, or a part of its result. */
function matchFieldDescription(name: string, key: string): string | undefined {
  if (name === `match.fields.${key}`) return 'How the value that you sent compares with the record.';
  return Object.hasOwn(FIELD_MATCH_FIELDS, key)
    ? FIELD_MATCH_FIELDS[key as keyof typeof FIELD_MATCH_FIELDS]
    : undefined;
}

const RETRY = {
  no: 'Repeating the same request does not help.',
  once: 'Repeating the request once, after a short pause, may help.',
  later: 'Repeat the request after the number of seconds in Retry-After, or with increasing pauses.',
} as const;
const NO_TEST_CREDITS =
  'The test wallet has too few credits for this request. Test credits are free. Add today’s credits, then send the request again.';

/** Explains a response to the caller: what happened, whether the request was charged, and whether to repeat it. */
export function meaningOf(envelope: Json | undefined, creditsCharged: number): string {
  const charged =
    creditsCharged === 1 ? '1 test credit was charged.' : `${creditsCharged} test credits were charged.`;
  if (!envelope) return `This is the slip, as a PDF. ${charged}`;
  const code = String(envelope['code']);
  if (!Object.hasOwn(CATALOGUE, code)) return `The registry has a record for this number. ${charged}`;
  const { retry, charged: isCharged } = CATALOGUE[code as ErrorCode];
  const details = (envelope['error'] ?? {}) as Pick<ErrorDetails, 'reason' | 'field'>;
  const { reason } = details;
  if (code === 'INSUFFICIENT_FUNDS' && reason !== 'held') return NO_TEST_CREDITS;
  const advice = (reason && RETRY_BY_REASON[code as ErrorCode]?.[reason]) ?? retry;
  const cost = isCharged === 'unknown' ? 'It may have been charged.' : 'Nothing was charged.';
  return `${meaningOfCode(code as ErrorCode, details)} ${cost} ${RETRY[advice]}`;
}
