import { createServer } from 'node:http';
import { listen } from '../../../../infra/local/http-server.ts';
import type { IdType } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';
import { recordAbout } from '../../../support/registries/any-envelope.ts';
import {
  bodyWith,
  ESCAPED_DIRECTORS,
  HOSTILE_BODIES,
  HOSTILE_LISTS,
  HOSTILE_TEXTS,
} from '../../../support/registries/hostile-sizes.ts';
import { inTurn, sample, spreadOf } from '../measure.ts';
import type { Line } from './goal.ts';

interface LargeResponse {
  readonly name: string;
  readonly idType: IdType;
  readonly body: string;
}

const response = (name: string, idType: IdType, field: string, json: string): LargeResponse => {
  const record = recordAbout(numberFormat(idType).example.replace(/^RC/, ''));
  return { name, idType, body: bodyWith('prembly', idType, record, field, json) };
};

const TOO_LARGE = [
  ...Object.entries(HOSTILE_TEXTS).map(([name, json]) => response(name, 'NIN', 'firstname', json)),
  ...Object.entries(HOSTILE_LISTS).map(([name, json]) => response(name, 'CAC', 'directors', json)),
  ...Object.entries(HOSTILE_BODIES).map(([name, json]) => response(name, 'NIN', 'more', json)),
];

const MARKS = `A${'\u0301\u0323'.repeat(299)}`;
const director = { surname: MARKS, firstname: MARKS, otherName: MARKS };

/** Responses that exceed no limit of a field, although they are as large as a response can be. */
const LARGEST = [
  response('500 directors with escaped names', 'CAC', 'directors', ESCAPED_DIRECTORS),
  response(
    '500 directors with combining marks',
    'CAC',
    'directors',
    JSON.stringify(Array(500).fill(director)),
  ),
  response('a photo of single letters', 'NIN', 'photo', JSON.stringify('A '.repeat(750_000))),
  response('49,000 unknown fields', 'NIN', 'more', `{${fields(49_000)}}`),
];

function fields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"f${index}":${index}`).join();
}

/** Measures goal 11: how long a provider's large response blocks a function. */
export async function blockGoals(rounds: number): Promise<Line[]> {
  const responses = [...TOO_LARGE, ...LARGEST];
  const server = createServer(({ url = '' }, outgoing) => {
    const { body = '' } = responses[Number(url.split('/')[1])] ?? {};
    outgoing.setHeader('Content-Type', 'application/json').end(body);
  });
  const { url, close } = await listen(server);
  const types = responses.map(({ idType }) => idType).join();
  try {
    const { blocks } = await inTurn(['blocks'], rounds, () => sample<number[]>('blocks', [types, url]));
    const line = (goal: string, what: string, from: number, to: number): Line => ({
      ...{ goal, what, reference: 'absolute, processor time on the machine that ran it', unit: 'ms' },
      measured: spreadOf(blocks.map((longest) => Math.max(...longest.slice(from, to)))),
      ...{ goalValue: 50, failsAt: 150 },
    });
    for (const [index, { name }] of responses.entries())
      process.stderr.write(
        `${name}: ${spreadOf(blocks.map((longest) => longest[index] ?? 0)).median.toFixed(0)} ms\n`,
      );
    return [
      line('11a', 'longest block of the event loop, response beyond a limit', 0, TOO_LARGE.length),
      line('11b', 'longest block of the event loop, largest response', TOO_LARGE.length, responses.length),
    ];
  } finally {
    await close();
  }
}
