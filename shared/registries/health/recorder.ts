import type { IdType } from '../../core/id-types.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { type RegistryState, WINDOW_MS } from '../breaker.ts';
import type { RegistryResult } from '../port.ts';
import type { RegistryStateTable } from './registry-state-table.ts';

/** How one provider took one look-up. */
export interface LookUpNews {
  readonly place: ProviderKey;
  readonly idType: IdType;
  readonly answer: RegistryResult;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What an instance tells the others of its look-ups. Nothing here may hold up or change a customer's answer. */
export interface ProviderRecorder {
  /** Notes an outcome; `seen` is the state that the request had read. Never rejects, and never takes long. */
  note(news: LookUpNews, seen: RegistryState): Promise<void>;
  /** May this request be the probe? False where another one is, or nobody knows. */
  takeProbe(place: ProviderKey, seen: RegistryState, nowMs: number): Promise<boolean>;
}

/** Nobody waits longer than this for a note. */
const NOTE_WAIT_MS = 500;

/** `report` makes metrics of every look-up; `table` is written to only where something went wrong, or right again. */
export function providerRecorder(
  table: RegistryStateTable,
  report: (news: LookUpNews) => void,
): ProviderRecorder {
  /** When this instance last had answers, by provider: told only along with a failure. */
  const answeredMs = new Map<string, number[]>();

  async function tell(news: LookUpNews, seen: RegistryState): Promise<void> {
    report(news);
    const { place, answer, startedMs, endedMs } = news;
    if (answer.kind !== 'found' && answer.excludedFromHealth) return;
    const { pk } = registryStateKey(place);
    const recent = (answeredMs.get(pk) ?? []).filter((atMs) => atMs > endedMs - WINDOW_MS);
    if (answer.kind === 'unreachable' || answer.kind === 'timeout') {
      answeredMs.delete(pk);
      await table.noteFailure(place, { startedMs, nowMs: endedMs, successes: recent.length });
      return;
    }
    answeredMs.set(pk, [...recent, endedMs]);
    if (seen.breaker !== 'closed') await table.recordOutcome(place, { startedMs, nowMs: endedMs });
  }

  return {
    note: (news, seen) => soon(tell(news, seen)),
    async takeProbe(place, seen, nowMs) {
      return (await soon(table.takeProbe(place, seen, nowMs))) === true;
    },
  };
}

/** The write's result; undefined where it failed or takes too long. */
async function soon<T>(write: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), NOTE_WAIT_MS);
  });
  const noted = write.catch((error: unknown) => {
    logger.warn("A registry's state was not noted.", errorFields(error));
    return undefined;
  });
  try {
    return await Promise.race([noted, late]);
  } finally {
    clearTimeout(timer);
  }
}
