import { Agent } from 'node:http';
import { newNin } from '../stage/verify.ts';
import { post } from './post.ts';

/**
 * Clients of a service on this machine. Each sends one verification after the other, over one connection. Arguments:
 * URL, API key, number of clients, number of warm-up requests, and number of measured requests.
 */
export interface Load {
  readonly medianMs: number;
  readonly perSecond: number;
  readonly requests: number;
  readonly failed: number;
}

const [, , address = '', key = '', ...numbers] = process.argv;
const [clients = 1, warmUp = 0, counted = 0] = numbers.map(Number);
const url = new URL(address);
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
let failed = 0;

async function send(amount: number): Promise<number[]> {
  const times: number[] = [];
  let left = amount;
  const client = async () => {
    for (; left > 0; ) {
      left -= 1;
      const startedMs = performance.now();
      const { status } = await post(url, agent, headers, JSON.stringify({ id_number: newNin() }));
      times.push(performance.now() - startedMs);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

await send(warmUp);
const startedMs = performance.now();
const times = (await send(counted)).sort((a, b) => a - b);
const seconds = (performance.now() - startedMs) / 1000;
const medianMs = times[Math.floor(times.length / 2)] ?? Number.NaN;
const result: Load = { medianMs, perSecond: counted / seconds, requests: warmUp + counted, failed };
process.send?.(result, () => process.exit(0));
