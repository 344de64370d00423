import { createServer } from 'node:http';
import { listen } from '../../../infra/local/http-server.ts';
import { inTurn, ratioOf, sample, spreadOf } from '../measure.ts';
import type { Loops } from '../samples/loops.ts';
import { registryBody } from '../samples/photo.ts';
import type { Line } from './goal.ts';

/** Goals 4 and 10: what a warm request takes inside the process. */
export async function workGoals(rounds: number): Promise<Line[]> {
  const loops = await sample<Loops>('loops', []);
  const upstream = await upstreamSamples(rounds);
  return [
    {
      ...{
        goal: '4a',
        what: 'chain, parsing and schema',
        reference: 'JSON.parse and the schema alone',
        unit: '×',
      },
      measured: ratioOf(loops.chain, loops.bareParse),
      ...{ goalValue: 10, failsAt: 16 },
    },
    {
      // 15 µs where JSON.parse and the schema take 0.71 µs.
      ...{ goal: '4b', what: 'one log line', reference: 'JSON.parse and the schema alone', unit: '×' },
      measured: ratioOf(loops.logLine, loops.bareParse),
      ...{ goalValue: 21, failsAt: 30 },
    },
    {
      ...{
        goal: '4c',
        what: 'chain, parsing and schema',
        reference: 'absolute, on the machine of the run',
        unit: 'µs',
      },
      measured: spreadOf(loops.chain),
      ...{ goalValue: 10, failsAt: 40 },
    },
    {
      ...{
        goal: '10a',
        what: 'registry answer with a 60 KB photo: parse, check, envelope',
        reference: 'JSON.parse of it',
        unit: '×',
      },
      measured: ratioOf(loops.photoAnswer, loops.photoParse),
      ...{ goalValue: 4, failsAt: 11 },
    },
    {
      ...{ goal: '10b', what: 'registry call', reference: 'the same with the global fetch', unit: '×' },
      measured: ratioOf(upstream.ours, upstream.fetch),
      ...{ goalValue: 0.6, failsAt: 0.8 },
    },
  ];
}

async function upstreamSamples(rounds: number) {
  const body = registryBody();
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(body);
  });
  const { url, close } = await listen(server);
  try {
    return await inTurn(['ours', 'fetch'], rounds, (which) => sample<number>('upstream', [which, url]));
  } finally {
    await close();
  }
}
