import type { Environment } from '../../../../shared/core/environment.ts';
import { ID_TYPES } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';

interface TriedKey {
  readonly env: Environment;
  readonly text: string;
  readonly scopes: readonly string[] | null;
  readonly apiUrl: string;
}

/** The look-ups that need only a number. NUBAN also needs a bank. */
const SIMPLE_TYPES = ID_TYPES.filter((idType) => idType !== 'NUBAN');

/**
 * Returns a command that tries a key. With a test key, it looks up a number in the sandbox. With a live key, or a key
 * that permits no such look-up, it reads the list of banks, which is free and needs no scope. The quotes work in a Unix
 * shell and on Windows.
 */
export function curlLine({ env, text, scopes, apiUrl }: TriedKey): string {
  const idType = env === 'test' ? SIMPLE_TYPES.find((type) => mayLookUp(scopes, type)) : undefined;
  const path = idType ? `/api/v1/ng/${serviceOf(idType)}/` : '/api/v1/banks/';
  const start = `curl -s "${apiUrl.replace(/\/$/, '')}${path}" -H "Authorization: Bearer ${text}"`;
  if (!idType) return start;
  const body = JSON.stringify({ id_number: numberFormat(idType).example });
  return `${start} -H "Content-Type: application/json" -d "${body.replaceAll('"', '\\"')}"`;
}

export function isLookUp(line: string): boolean {
  return line.includes('id_number');
}

const serviceOf = (idType: string) => `${idType.toLowerCase()}-basic`;

function mayLookUp(scopes: readonly string[] | null, idType: string): boolean {
  return scopes === null || scopes.includes('verify:*') || scopes.includes(`verify:${serviceOf(idType)}`);
}
