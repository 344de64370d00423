import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { inTurn, ratioOf } from '../measure.ts';
import { NIN } from '../samples/photo.ts';
import { type Line, timesOf } from './goal.ts';

const LOAD = { connections: 32, amount: 4000 };

/** Goal 9: processor time of the local gateway, compared with bare node:http. */
export async function gatewayGoals(rounds: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const photo of ['', 'photo']) {
    const taken = await inTurn(['gateway', 'bare'], rounds, (which) => serve(which, photo));
    const line = timesOf('bare node:http', {
      goal: photo ? '9b' : '9a',
      what: `local gateway and chain, ${photo ? 'with a 60 KB photo' : 'no photo'}`,
      measured: ratioOf(taken.bare, taken.gateway),
      ...{ goalValue: photo ? 0.7 : 0.5, failsAt: photo ? 0.5 : 0.3, isLowerBound: true },
    });
    lines.push(line);
  }
  return lines;
}

/** Processor time of one warm server for the load, in milliseconds. */
async function serve(which: string, photo: string): Promise<number> {
  const file = join(import.meta.dirname, '../samples/serve.ts');
  const child = fork(file, [which, photo], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const [url] = (await once(child, 'message')) as [string];
    await load(url);
    await taken(child);
    await load(url);
    return await taken(child);
  } finally {
    child.kill();
  }
}

async function taken(child: ChildProcess): Promise<number> {
  child.send('report');
  const [ms] = (await once(child, 'message')) as [number];
  return ms;
}

async function load(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer idv_live_none' };
  const body = JSON.stringify({ id_number: NIN });
  const result = await autocannon({ url, method: 'POST', headers, body, ...LOAD });
  if (result.non2xx + result.errors > 0)
    throw new Error('The server did not respond with 2xx to every request.');
}
