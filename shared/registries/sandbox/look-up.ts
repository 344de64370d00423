import type { IdType } from '../../core/id-types.ts';
import { bvnEntry } from './bvn-entry.ts';
import { cacEntry } from './cac-entry.ts';
import { ninEntry } from './nin-entry.ts';
import { nubanEntry } from './nuban-entry.ts';
import { tinEntry } from './tin-entry.ts';

/** The sandbox registry's rules, without any transport (decision G1). */
export interface LookUp {
  readonly idType: IdType;
  readonly number: string;
  readonly bankCode?: string;
}

export interface LookUpResult {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** How long the registry thinks before it answers. */
  readonly delayMs: number;
  /** For the log line: what happened, without the number. */
  readonly outcome: string;
}

/** Longer than anybody waits for a registry, shorter than the function's own timeout. */
const NEVER_IN_TIME_MS = 30_000;
const SLOW_MS = 3_000;

const REFUSALS: Readonly<
  Record<string, { readonly status: number; readonly code: string; readonly delayMs?: number }>
> = {
  '0404': { status: 404, code: 'RECORD_NOT_FOUND' },
  '0400': { status: 400, code: 'SOURCE_ERROR' },
  '0503': { status: 503, code: 'SOURCE_UNAVAILABLE' },
  '0504': { status: 504, code: 'SOURCE_TIMEOUT', delayMs: NEVER_IN_TIME_MS },
  '0500': { status: 500, code: 'CLIENT_FAULT' },
};

/** Answers a look-up; the last four digits of the number choose the outcome, for every type. */
export function answerLookUp(lookUp: LookUp): LookUpResult {
  const ending = lookUp.number.replace(/[^0-9]/g, '').slice(-4);
  const refusal = REFUSALS[ending];
  if (refusal) return refused(refusal.status, refusal.code, refusal.delayMs);
  const entry = entryOf(lookUp, ending !== '0206');
  if (!entry) return refused(400, 'UNKNOWN_BANK');
  return {
    status: 200,
    body: { found: true, entry },
    delayMs: ending === '0299' ? SLOW_MS : 0,
    outcome: 'FOUND',
  };
}

function refused(status: number, code: string, delayMs = 0): LookUpResult {
  return { status, body: { found: false, error: { code } }, delayMs, outcome: code };
}

function entryOf(lookUp: LookUp, withPhoto: boolean): Record<string, unknown> | undefined {
  const { idType, number, bankCode } = lookUp;
  switch (idType) {
    case 'NIN':
      return ninEntry(number, withPhoto);
    case 'BVN':
      return bvnEntry(number, withPhoto);
    case 'CAC':
      return cacEntry(number);
    case 'TIN':
      return tinEntry(number);
    case 'NUBAN':
      return nubanEntry(number, bankCode);
  }
}
