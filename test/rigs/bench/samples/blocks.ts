import { setImmediate } from 'node:timers/promises';
import type { IdType } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';
import { envelopeText } from '../../../../shared/http/envelope.ts';
import { ALWAYS_CLOSED } from '../../../../shared/registries/breaker.ts';
import { liveProvider } from '../../../../shared/registries/providers/make-provider.ts';
import type { RegistryRouter } from '../../../../shared/registries/router.ts';
import { limitResponse } from '../../../../shared/verifications/limit-response.ts';
import { verifiedEnvelope } from '../../../../shared/verifications/middleware/look-up-response.ts';
import { verifyIdentity } from '../../../../shared/verifications/verify-identity.ts';

/**
 * The longest turn of the event loop while one look-up after another reads a large response: from the socket to the
 * body of our own response. In milliseconds of this thread's processor time, which a busy machine hardly changes,
 * unlike the delays of `perf_hooks`. Arguments: the ID type of each response, and the URL of their server.
 */
const [, , types = '', url = ''] = process.argv;
const REPETITIONS = 3;
const meta = { request_id: 'req_0123456789ab', timestamp: new Date().toISOString() };

async function verify(idType: IdType, baseUrl: string): Promise<void> {
  const config = { credentials: async () => ({ apiKey: 'k', baseUrl }), allowLocal: true };
  const provider = liveProvider('prembly', config);
  const registries: Pick<RegistryRouter, 'lookUp'> = {
    lookUp: async (_, query) => ({ result: await provider.lookUp(query), provider, failedProviders: [] }),
  };
  const command = {
    ...{ idType, number: numberFormat(idType).example, numberField: 'id_number' as const, needsPhoto: false },
    service: idType === 'CAC' ? ('cac-premium' as const) : ('nin-premium' as const),
  };
  const context = {
    requestId: '',
    deadlineMs: Date.now() + 20_000,
    registryStates: () => ALWAYS_CLOSED,
    onAttempt: () => undefined,
  };
  const found = await verifyIdentity(command, 'live', context, registries as RegistryRouter);
  const result = limitResponse(found);
  // Between the look-up and the response, the service charges the request in the database.
  await setImmediate();
  if (result.kind === 'found' && result.content.type === 'json')
    JSON.stringify({ body: envelopeText(verifiedEnvelope(idType, 'Bench', result.content.data, meta)) });
}

/** Returns the longest turn of the event loop until the work is done, in milliseconds. */
async function longestTurnMs(work: Promise<void>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  let before = process.threadCpuUsage();
  while (!isDone) {
    await setImmediate();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
  }
  await done;
  return longest / 1000;
}

const longestMs: number[] = [];
for (let time = 0; time < REPETITIONS; time += 1)
  for (const [index, idType] of (types.split(',') as IdType[]).entries())
    longestMs[index] = Math.max(
      longestMs[index] ?? 0,
      await longestTurnMs(verify(idType, `${url}/${index}`)),
    );
process.send?.(longestMs, () => process.exit(0));
