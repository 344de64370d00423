import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inTurn, ratioOf, sample } from '../measure.ts';
import type { Cold } from '../samples/cold.ts';
import type { Stage } from '../stage/stage.ts';
import { eventOf, newNin } from '../stage/verify.ts';
import type { Variants } from '../variants.ts';
import { exact, type Line, timesOf } from './goal.ts';

/** Goals 1 to 3: the cold start of a function, and the size of its bundle. */
export async function startGoals(variants: Variants, stage: Stage, rounds: number): Promise<Line[]> {
  const event = JSON.stringify(eventOf(stage.live, { id_number: newNin() }));
  const names = ['deployed', 'bareSdk', 'plain', 'external'] as const;
  const taken = await inTurn(names, rounds, (name) =>
    sample<Cold>('cold', [variants[name], name === 'bareSdk' ? '' : freshEvent(event)], stage.environment),
  );
  const imports = (name: (typeof names)[number]) => taken[name].map(({ importMs }) => importMs);
  const colds = (name: (typeof names)[number]) => taken[name].map(({ coldMs }) => coldMs);
  return [
    timesOf('import of a bare SDK client, bundled the same way', {
      ...{ goal: '1', what: 'import of a function', goalValue: 1.4, failsAt: 2 },
      measured: ratioOf(imports('deployed'), imports('bareSdk')),
    }),
    timesOf('the same as a plain ES module bundle', {
      ...{ goal: '2a', what: 'import and first verification', goalValue: 0.78, failsAt: 0.9 },
      measured: ratioOf(colds('deployed'), colds('plain')),
    }),
    timesOf("the same with the CDK's default bundling", {
      ...{ goal: '2b', what: 'import and first verification', goalValue: 0.62, failsAt: 0.8 },
      measured: ratioOf(colds('deployed'), colds('external')),
    }),
    ...sizes('3a', 'bundle of a verification', variants.deployed, { bytes: 270, packed: 90 }, 1.4),
    ...sizes('3c', 'bundle of the slip', variants.slip, { bytes: 700, packed: 270 }, 1.25),
  ];
}

/** The event with the present time: the ledger rejects a request that is too old. */
function freshEvent(event: string): string {
  const { requestContext, ...rest } = JSON.parse(event) as { requestContext: object };
  return JSON.stringify({ ...rest, requestContext: { ...requestContext, requestTimeEpoch: Date.now() } });
}

function sizes(
  goal: string,
  what: string,
  file: string,
  goals: { readonly bytes: number; readonly packed: number },
  room: number,
): Line[] {
  const content = readFileSync(file);
  const line = (name: string, bytes: number, goalValue: number): Line => ({
    ...{ goal: name, what, reference: name === goal ? 'minified' : 'compressed by gzip', unit: 'KB' },
    ...{ measured: exact(bytes / 1000), goalValue, failsAt: goalValue * room },
  });
  const next = goal.replace(/.$/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1));
  return [line(goal, content.length, goals.bytes), line(next, gzipSync(content).length, goals.packed)];
}
