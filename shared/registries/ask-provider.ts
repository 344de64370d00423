import type { ProviderKey } from '../core/keys.ts';
import type { LookUpNews } from './health/recorder.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from './port.ts';

/** A provider that was asked in vain, for the log line. */
export interface AskedProvider {
  readonly provider: string;
  readonly outcome: RegistryResult['kind'];
  readonly detail: string;
  readonly maybeBilled: boolean;
  readonly latencyMs: number;
}

/** What one provider answered to one request. */
export interface Heard {
  readonly news: LookUpNews;
  readonly answer: RegistryResult;
  readonly provider: RegistryProvider;
}

/** An adapter ends by its deadline; one that hangs elsewhere, as in its secret, gets this much more and no more. */
const GRACE_MS = 100;

/** Asks one provider; there is an answer by the query's deadline, whatever the adapter does. */
export async function askProvider(
  provider: RegistryProvider,
  query: RegistryQuery,
  env: ProviderKey['env'],
  nowMs: () => number,
): Promise<Heard> {
  const startedMs = nowMs();
  const answer = await inTime(provider.lookUp(query), query.deadlineMs + GRACE_MS - startedMs);
  const place = { provider: provider.name, env };
  const news = { place, idType: query.idType, answer, startedMs, endedMs: nowMs() };
  return { news, answer, provider };
}

async function inTime(asking: Promise<RegistryResult>, waitMs: number): Promise<RegistryResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RegistryResult>((resolve) => {
    const overrun: RegistryResult = { kind: 'timeout', detail: 'overrun', maybeBilled: true };
    timer = setTimeout(() => resolve(overrun), waitMs);
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The answer of those that counts: the last that is about a provider, and not about what the request lacks. */
export function telling<T extends Heard>(heard: readonly T[]): T | undefined {
  return heard.findLast(({ answer }) => !isUnasked(answer)) ?? heard.at(-1);
}

/** Only where one was unreachable, too slow or rate limited, or was not even asked; never after an answer. */
export function mayAskAnother(answer: RegistryResult): boolean {
  return answer.kind === 'unreachable' || answer.kind === 'timeout' || isUnasked(answer);
}

function isUnasked(answer: RegistryResult): boolean {
  return answer.kind === 'failed' && answer.excludedFromHealth === true;
}

/** Could the provider have billed a look-up that brought nothing? */
export function isWasted(answer: RegistryResult): boolean {
  return answer.kind !== 'found' && answer.maybeBilled === true;
}

export function inVain({ news: { place, answer, startedMs, endedMs } }: Heard): AskedProvider {
  return {
    provider: place.provider,
    outcome: answer.kind,
    detail: answer.kind === 'found' ? '' : answer.detail,
    maybeBilled: isWasted(answer),
    latencyMs: Math.round(endedMs - startedMs),
  };
}
