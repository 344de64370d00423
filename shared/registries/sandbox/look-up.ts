import type { IdType } from '../../core/id-types.ts';
import { bvnEntry } from './bvn-entry.ts';
import { cacEntry } from './cac-entry.ts';
import { ninEntry } from './nin-entry.ts';
import { nubanEntry } from './nuban-entry.ts';
import { endingOf } from './protocol.ts';
import { tinEntry } from './tin-entry.ts';

/** A query to the sandbox registry (contract G1). */
interface SandboxQuery {
  readonly idType: IdType;
  readonly number: string;
  readonly bankCode?: string;
}

interface SandboxResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly delayMs: number;
  readonly logCode: string;
}

/** Longer than any request waits for a provider, and shorter than the timeout of the sandbox function. */
const TOO_LATE_MS = 30_000;
const SLOW_MS = 3_000;

const ERRORS: Readonly<
  Record<string, { readonly status: number; readonly code: string; readonly delayMs?: number }>
> = {
  '0404': { status: 404, code: 'RECORD_NOT_FOUND' },
  '0400': { status: 400, code: 'SOURCE_ERROR' },
  '0503': { status: 503, code: 'SOURCE_UNAVAILABLE' },
  '0504': { status: 504, code: 'SOURCE_TIMEOUT', delayMs: TOO_LATE_MS },
  '0500': { status: 500, code: 'CLIENT_FAULT' },
};

/** Looks up a number. For every ID type, the last four digits of the number select the outcome. */
export function lookUpInSandbox(query: SandboxQuery): SandboxResponse {
  const ending = endingOf(query.number);
  const error = ERRORS[ending];
  if (error) return errorResponse(error.status, error.code, error.delayMs);
  const entry = entryOf(query, ending !== '0206');
  if (!entry) return errorResponse(404, 'RECORD_NOT_FOUND');
  return {
    status: 200,
    body: { found: true, entry },
    delayMs: ending === '0299' ? SLOW_MS : 0,
    logCode: 'FOUND',
  };
}

function errorResponse(status: number, code: string, delayMs = 0): SandboxResponse {
  return { status, body: { found: false, error: { code } }, delayMs, logCode: code };
}

function entryOf(query: SandboxQuery, withPhoto: boolean): Record<string, unknown> | undefined {
  const { idType, number, bankCode } = query;
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
