import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { IdType } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';
import { liveProvider } from '../../../../shared/registries/providers/make-provider.ts';
import type { RegistryRouter } from '../../../../shared/registries/router.ts';
import { envelopeText, verifiedEnvelope } from '../../../../shared/verifications/envelope.ts';
import { limitResponse } from '../../../../shared/verifications/limit-response.ts';
import { verifyIdentity } from '../../../../shared/verifications/verify-identity.ts';

/**
 * The longest block of the event loop, in milliseconds, while one look-up after another reads a large response: from
 * the socket to the body of our own response. Arguments: the ID type of each response, the URL of their server.
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
  const context = { requestId: '', deadlineMs: Date.now() + 20_000, registryStates: new Map() };
  const found = await verifyIdentity(command, 'live', context, registries as RegistryRouter);
  const result = limitResponse(found);
  if (result.kind === 'found' && result.content.type === 'json')
    JSON.stringify({ body: envelopeText(verifiedEnvelope(idType, 'Bench', result.content.data, meta)) });
}

const longestMs: number[] = [];
for (let time = 0; time < REPETITIONS; time += 1)
  for (const [index, idType] of (types.split(',') as IdType[]).entries()) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    await verify(idType, `${url}/${index}`);
    // A delay is recorded by the next timer.
    await pause(5);
    delays.disable();
    longestMs[index] = Math.max(longestMs[index] ?? 0, delays.max / 1e6);
  }
process.send?.(longestMs, () => process.exit(0));
