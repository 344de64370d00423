import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Part } from '../leak.ts';
import { eventOf, newNin } from '../stage/verify.ts';

/**
 * One function process that serves many requests. Arguments: bundle, API key, request count, number endings in turn.
 */
const [, , file = '', key = '', requests = '', endings = ''] = process.argv;
const { handler } = (await import(pathToFileURL(file).href)) as {
  handler: (event: APIGatewayProxyEvent, context: object) => Promise<{ statusCode: number }>;
};
const STATUS: Readonly<Record<string, number>> = { '0001': 200, '0404': 400, '0400': 400, '0206': 200 };
const turns = endings.split(',');
const PARTS = 10;
const perPart = Number(requests) / PARTS;

for (let part = 1; part <= PARTS; part += 1) {
  const began = performance.now();
  let failed = 0;
  for (let request = 0; request < perPart; request += 1) {
    const ending = turns[request % turns.length] ?? '';
    const event = eventOf(key, { id_number: newNin(ending) });
    const { statusCode } = await handler(event, { getRemainingTimeInMillis: () => 28_000 });
    if (statusCode !== STATUS[ending]) failed += 1;
  }
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const megabytes = { heapMb: heapUsed / 1_000_000, residentMb: rss / 1_000_000 };
  const perSecond = (perPart * 1000) / (performance.now() - began);
  process.send?.({ requests: part * perPart, ...megabytes, perSecond, failed } satisfies Part);
}
process.disconnect();
