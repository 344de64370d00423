import { pathToFileURL } from 'node:url';
import { cpuMs } from '../measure.ts';

/**
 * A new process that imports a bundle, with its warm-up if the file is `start.mjs`, and calls it once. The times are
 * user processor time. Arguments: file, event.
 */

export interface Cold {
  readonly importMs: number;
  readonly coldMs: number;
  readonly firstMs: number;
}

const [, , file = '', event = ''] = process.argv;
const start = process.cpuUsage();
const module = (await import(pathToFileURL(file).href)) as { handler: Handler };
const importMs = cpuMs(start);
const first = process.cpuUsage();
type Handler = (event: unknown, context: object) => Promise<{ statusCode: number; body: string }>;
const { statusCode, body } = event
  ? await module.handler(JSON.parse(event), { getRemainingTimeInMillis: () => 28_000 })
  : { statusCode: 200, body: '' };
const firstMs = cpuMs(first);
const coldMs = cpuMs(start);
if (statusCode !== 200) throw new Error(`The first call returned ${statusCode}: ${body.slice(0, 200)}`);
process.send?.({ importMs, coldMs, firstMs } satisfies Cold, () => process.exit(0));
