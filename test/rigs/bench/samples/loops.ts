import * as v from 'valibot';
import { logger } from '../../../../shared/core/logger.ts';
import { envelopeText } from '../../../../shared/http/envelope.ts';
import { readSandboxResult } from '../../../../shared/registries/providers/sandbox/result.ts';
import { verifiedEnvelope } from '../../../../shared/verifications/middleware/look-up-response.ts';
import { viewOf } from '../../../../shared/verifications/views.ts';
import { cpuMs } from '../measure.ts';
import { eventOf } from '../stage/verify.ts';
import { NIN, registryBody } from './photo.ts';
import { route } from './route.ts';

/**
 * Measures several kinds of work inside the process in turn. Results are microseconds of user processor time per
 * repetition. Argument: the number of rounds.
 */
export type Loops = Readonly<Record<keyof typeof LOOPS, readonly number[]>>;

const bodyShape = v.object({
  id_number: v.pipe(v.string(), v.regex(/^[0-9]{11}$/)),
  consent: v.optional(v.string()),
  reason: v.optional(v.string()),
});
const event = eventOf('idv_live_none', { id_number: NIN });
const text = JSON.stringify({ id_number: NIN });
const run = route(() => '');
const answer = registryBody();
const query = { idType: 'NIN', level: 'basic', number: NIN, deadlineMs: 0 } as const;
const meta = { request_id: 'req_0123456789ab', timestamp: new Date().toISOString() };
const line = {
  ...{ route: 'nin-basic', request_id: 'req_0123456789ab', status: 200, code: 'NIN_VERIFIED' },
  ...{ credits_charged: 1, latency_ms: 312, organisation: 'bench', env: 'live' },
};

const LOOPS = {
  bareParse: () => v.parse(bodyShape, JSON.parse(text)),
  chain: () => run(event, {}),
  logLine: () => logger.info('request', line),
  photoParse: () => JSON.parse(answer),
  photoAnswer: () => {
    const found = readSandboxResult(query, JSON.parse(answer));
    if (found.kind !== 'found') throw new Error('The registry result has no record.');
    return envelopeText(verifiedEnvelope('NIN', 'Bench', viewOf('nin-basic', found.record), meta));
  },
} satisfies Record<string, () => unknown>;

const ROUNDS = Number(process.argv[2]);
const ROUND_MS = 300;
const taken: Record<string, number[]> = Object.fromEntries(Object.keys(LOOPS).map((name) => [name, []]));
for (let round = 0; round <= ROUNDS; round += 1)
  for (const [name, loop] of Object.entries(LOOPS)) {
    let times = 0;
    const start = process.cpuUsage();
    for (; cpuMs(start) < ROUND_MS; times += 100) for (let time = 0; time < 100; time += 1) await loop();
    if (round > 0) taken[name]?.push((cpuMs(start) * 1000) / times);
  }
process.send?.(taken, () => process.exit(0));
