import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { cpuMs } from '../measure.ts';
import { eventOf, newNin } from '../stage/verify.ts';

/**
 * One process that verifies: to warm up, then in sequence to measure processor time, then in parallel to measure
 * throughput. Arguments: bundle, API key, and the numbers of requests to warm up, in sequence, in parallel.
 */
export interface Flow {
  readonly cpuMs: number;
  readonly perSecond: number;
  readonly requests: number;
  readonly failed: number;
}

const CONCURRENCY = 32;
const [, , file = '', key = '', ...numbers] = process.argv;
const [warmUp = 0, counted = 0, atOnce = 0] = numbers.map(Number);
const { handler } = (await import(pathToFileURL(file).href)) as {
  handler: (event: APIGatewayProxyEvent, context: object) => Promise<{ statusCode: number }>;
};

let failed = 0;
async function verify(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const event = eventOf(key, { id_number: newNin() });
    const { statusCode } = await handler(event, { getRemainingTimeInMillis: () => 28_000 });
    if (statusCode !== 200) failed += 1;
  }
}

await verify(warmUp);
const start = process.cpuUsage();
await verify(counted);
const perRequestMs = cpuMs(start) / counted;
const began = performance.now();
await Promise.all(Array.from({ length: CONCURRENCY }, () => verify(Math.ceil(atOnce / CONCURRENCY))));
const requests = Math.ceil(atOnce / CONCURRENCY) * CONCURRENCY;
const perSecond = requests / ((performance.now() - began) / 1000);
const result = { cpuMs: perRequestMs, perSecond, requests: warmUp + counted + requests, failed };
process.send?.(result satisfies Flow, () => process.exit(0));
