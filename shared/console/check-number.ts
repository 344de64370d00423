import type { RegistryStateTable } from '../registries/health/registry-state-table.ts';
import type { RegistryRecord } from '../registries/port.ts';
import type { OnAttempt, RegistryRouter } from '../registries/router.ts';
import type { NumberCheck } from './rows.ts';

export type CheckedType = 'CAC' | 'TIN';

export interface CheckDependencies {
  readonly registries: Pick<RegistryRouter, 'providerKeys' | 'lookUp'>;
  readonly states: Pick<RegistryStateTable, 'getStates'>;
  readonly nowMs: () => number;
  /** The time limit for the registries, in milliseconds. */
  readonly timeoutMs: number;
  /** Receives each call to a provider, because the operator pays for it. */
  readonly onAttempt: OnAttempt;
}

/**
 * Looks up a number of a profile at its registry, at the operator's cost: no wallet is charged, and no log row is
 * written. The result contains only the registered name from the record.
 */
export async function checkNumber(
  idType: CheckedType,
  number: string,
  requestId: string,
  { registries, states, nowMs, timeoutMs, onAttempt }: CheckDependencies,
): Promise<NumberCheck> {
  const keys = registries.providerKeys('live', [idType]);
  const found = await states.getStates(keys);
  const statesByName = new Map(keys.map(({ provider }, index) => [provider, found[index]] as const));
  const query = { idType, level: 'basic', number, requestId, deadlineMs: nowMs() + timeoutMs } as const;
  const { result } = await registries.lookUp('live', query, withoutGaps(statesByName), onAttempt);
  const check = { number, checkedAt: new Date(nowMs()).toISOString(), requestId };
  if (result.kind === 'found') return { ...check, result: 'FOUND', name: nameOf(result.record) };
  return { ...check, result: result.kind === 'not-found' ? 'NOT_FOUND' : 'UNAVAILABLE' };
}

function withoutGaps<T>(map: ReadonlyMap<string, T | undefined>): Map<string, T> {
  return new Map([...map].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** Returns the registered name of a company or a taxpayer. */
function nameOf(record: RegistryRecord): string {
  if ('companyName' in record) return record.companyName;
  return 'tin' in record ? record.name : '';
}
