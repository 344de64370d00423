import { requestJson } from '../../../../shared/registries/transport/http-client.ts';
import { cpuMs } from '../measure.ts';

/**
 * Processor time of one registry call with a photo, by our HTTP client or by fetch. Arguments: `ours` or `fetch`, URL.
 */
const [, , which = '', address = ''] = process.argv;
const url = new URL(address);
const body = { id_type: 'NIN', number: '20000010001' };
const CALLS = { warmUp: 300, counted: 600 };

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  ours: () => requestJson({ method: 'POST', url, body, deadlineMs: Date.now() + 20_000 }),
  fetch: async () => {
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  },
};

async function call(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await calls[which]?.();
}

await call(CALLS.warmUp);
const start = process.cpuUsage();
await call(CALLS.counted);
process.send?.(cpuMs(start) / CALLS.counted, () => process.exit(0));
