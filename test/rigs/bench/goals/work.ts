import { createServer } from 'node:http';
import { listen } from '../../../../infra/local/http-server.ts';
import { inTurn, ratioOf, sample } from '../measure.ts';
import type { Loops } from '../samples/loops.ts';
import { registryBody } from '../samples/photo.ts';
import { type Line, timesOf } from './goal.ts';

const BARE = 'JSON.parse and the schema alone';

/** Measures goals 4 and 10: the work of a warm request inside the process. */
export async function workGoals(rounds: number): Promise<Line[]> {
  const loops = await sample<Loops>('loops', [String(rounds)]);
  const upstream = await upstreamSamples(rounds);
  return [
    timesOf(BARE, {
      ...{ goal: '4a', what: 'chain, parsing and schema', goalValue: 10, failsAt: 16 },
      measured: ratioOf(loops.chain, loops.bareParse),
    }),
    // If JSON.parse and the schema take 0.71 µs, 21 times the reference is 15 µs.
    timesOf(BARE, {
      ...{ goal: '4b', what: 'one log line', goalValue: 21, failsAt: 30 },
      measured: ratioOf(loops.logLine, loops.bareParse),
    }),
    timesOf('JSON.parse of it', {
      ...{ goal: '10a', what: 'registry response with a 60 KB photo: parse, check, envelope' },
      ...{ measured: ratioOf(loops.photoAnswer, loops.photoParse), goalValue: 4, failsAt: 11 },
    }),
    timesOf('the same with the global fetch', {
      ...{ goal: '10b', what: 'registry call', goalValue: 0.6, failsAt: 0.8 },
      measured: ratioOf(upstream.ours, upstream.fetch),
    }),
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
