import { withDeadline } from '../core/deadline.ts';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { Asker } from './breaker.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from './port.ts';

/** One look-up at one provider. Times are epoch milliseconds. */
export interface Attempt extends Asker {
  readonly provider: Pick<RegistryProvider, 'name' | 'displayName'>;
  readonly env: Environment;
  readonly idType: IdType;
  readonly result: RegistryResult;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface FailedProvider {
  readonly provider: string;
  readonly outcome: RegistryResult['kind'];
  readonly detail: string;
  readonly maybeBilled: boolean;
  readonly latencyMs: number;
}

export interface AskedQuery extends Pick<RegistryQuery, 'idType'> {
  readonly bank?: RegistryQuery['bank'] | undefined;
  readonly bankCode?: string | undefined;
  readonly organisationId?: string | undefined;
}

/** How long after the deadline an adapter is abandoned. */
const GRACE_MS = 100;
/** With less time than this, no response says nothing about a provider, and no further one is asked: it might bill. */
export const SHORTEST_WAIT_MS = 1_000;
const OVERRUN: RegistryResult = { kind: 'timeout', detail: 'overrun', maybeBilled: true };

/** Asks one provider. Returns at most 100 ms after the query's deadline, even if the adapter hangs. */
export async function askProvider(
  provider: RegistryProvider,
  query: RegistryQuery,
  env: Environment,
  nowMs: () => number,
): Promise<Attempt> {
  const startedMs = nowMs();
  const byMs = query.deadlineMs + GRACE_MS;
  const answer = await withDeadline(provider.lookUp(query), byMs, startedMs, () => OVERRUN);
  const isLate = answer.kind === 'timeout' && query.deadlineMs - startedMs < SHORTEST_WAIT_MS;
  const isExcluded = isLate || (query.isOfProfile && ['unreachable', 'timeout'].includes(answer.kind));
  const result = isExcluded ? { ...answer, excludedFromHealth: true as const } : answer;
  return {
    provider,
    env,
    idType: query.idType,
    ...askerOf(query),
    result,
    startedMs,
    endedMs: nowMs(),
  };
}

/** Of an account: one code for each bank, although callers may send any of its codes. */
function bankCodesOf({ idType, bank, bankCode }: AskedQuery): string[] | undefined {
  const code = bank?.cbnCode || bank?.nipCode || bankCode;
  return idType === 'NUBAN' && code ? [code] : undefined;
}

/** Returns what the breaker distinguishes of a query. */
export function askerOf(query: AskedQuery): Asker {
  return { bankCodes: bankCodesOf(query), organisationId: query.organisationId };
}

/**
 * Returns the attempt whose result counts: the last one that was sent to a provider or, if none was sent, the last
 * one.
 */
export function decisiveAttempt<T extends Attempt>(attempts: readonly T[]): T | undefined {
  return attempts.findLast(({ result }) => !wasNotSent(result)) ?? attempts.at(-1);
}

/**
 * Whether another provider may be asked after this result: only if it is `unreachable` (which includes rate limits and
 * rejected credentials) or `timeout`, or if nothing was sent. Any other result is final, because the provider has
 * processed the look-up, and a second provider would bill it again.
 */
export function allowsFailover(result: RegistryResult): boolean {
  return result.kind === 'unreachable' || result.kind === 'timeout' || wasNotSent(result);
}

/** Whether the adapter sent nothing, because the request lacks something that this provider requires. */
export function wasNotSent(result: RegistryResult): boolean {
  return result.kind === 'failed' && result.excludedFromHealth === true;
}

/** Whether the provider may have billed a look-up that returned no record. */
export function mayBeBilled(result: RegistryResult): boolean {
  return result.kind !== 'found' && result.maybeBilled === true;
}

export function failedProvider({ provider, result, startedMs, endedMs }: Attempt): FailedProvider {
  return {
    provider: provider.name,
    outcome: result.kind,
    detail: result.kind === 'found' ? '' : result.detail,
    maybeBilled: mayBeBilled(result),
    latencyMs: Math.round(endedMs - startedMs),
  };
}
