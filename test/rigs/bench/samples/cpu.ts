import { pathToFileURL } from 'node:url';
import type { LambdaHandler } from '../../../../shared/http/chain.ts';
import { cpuMs } from '../measure.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';

/**
 * The processor time of one kind of request in a function that has served many. Arguments: bundle, API key, ending of
 * the number, and how many requests are counted after the warm-up requests. `REQUEST_HEADERS` contains the headers of
 * the request.
 */
export interface RequestCpu {
  readonly cpuMs: number;
}

/** The compiler is busy during the first 500 requests. */
const WARM_UP = 560;

const [, , file = '', key = '', ending = '', counted = '1'] = process.argv;
const headers = JSON.parse(process.env['REQUEST_HEADERS'] ?? '{}') as Record<string, string[]>;
const { handler } = (await import(pathToFileURL(file).href)) as { handler: LambdaHandler };

async function send(times: number, numberEnding: string): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const own = headers['Idempotency-Key'] && { 'Idempotency-Key': [`cost-${crypto.randomUUID()}`] };
    await invoke(handler, eventOf(key, { id_number: newNin(numberEnding) }, { ...headers, ...own }));
  }
}

await send(WARM_UP, '0001');
const start = process.cpuUsage();
await send(Number(counted), ending);
process.send?.({ cpuMs: cpuMs(start) / Number(counted) } satisfies RequestCpu, () => process.exit(0));
