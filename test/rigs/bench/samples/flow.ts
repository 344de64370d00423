import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { cpuMs, spreadOf } from '../measure.ts';
import { eventOf, newNin } from '../stage/verify.ts';

/**
 * One process that verifies in sequence: first to warm up, then to measure user processor time. Arguments: bundle, API
 * key, and the numbers of warm-up requests and of measured requests.
 */
export interface Flow {
  readonly cpuMs: number;
  readonly medianMs: number;
  readonly failed: number;
}

const [, , file = '', key = '', ...numbers] = process.argv;
const [warmUp = 0, counted = 0] = numbers.map(Number);
const { handler } = (await import(pathToFileURL(file).href)) as {
  handler: (event: APIGatewayProxyEvent, context: object) => Promise<{ statusCode: number }>;
};

let failed = 0;
const elapsedMs: number[] = [];
async function verify(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const event = eventOf(key, { id_number: newNin() });
    const startedMs = performance.now();
    const { statusCode } = await handler(event, { getRemainingTimeInMillis: () => 28_000 });
    elapsedMs.push(performance.now() - startedMs);
    if (statusCode !== 200) failed += 1;
  }
}

await verify(warmUp);
globalThis.gc?.();
const start = process.cpuUsage();
await verify(counted);
const perRequestMs = cpuMs(start) / counted;
const { median } = spreadOf(elapsedMs.slice(warmUp));
const result: Flow = { cpuMs: perRequestMs, medianMs: median, failed };
process.send?.(result, () => process.exit(0));
