import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inTurn, ratioOf, sample } from '../measure.ts';
import type { Cold } from '../samples/cold.ts';
import type { Stage } from '../stage/stage.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';
import type { Variants } from '../variants.ts';
import { exact, type Line, timesOf } from './goal.ts';

/** Measures goals 1 to 3: the start of a function, its first request, and the size of its bundle. */
export async function startGoals(variants: Variants, stage: Stage, rounds: number): Promise<Line[]> {
  const event = JSON.stringify(eventOf(stage.live, { id_number: newNin() }));
  const names = ['deployed', 'warmed', 'bareSdk', 'external'] as const;
  const taken = await inTurn(names, rounds, (name) =>
    sample<Cold>('cold', [variants[name], name === 'bareSdk' ? '' : freshEvent(event)], stage.environment),
  );
  const times = (name: (typeof names)[number], what: keyof Cold) => taken[name].map((one) => one[what]);
  return [
    timesOf('import of a bare SDK client, bundled the same way', {
      ...{ goal: '1', what: 'import of a function', goalValue: 1.4, failsAt: 2 },
      measured: ratioOf(times('deployed', 'importMs'), times('bareSdk', 'importMs')),
    }),
    timesOf("the same with the CDK's default bundling", {
      ...{ goal: '2b', what: 'import and first verification', goalValue: 0.62, failsAt: 0.8 },
      measured: ratioOf(times('deployed', 'coldMs'), times('external', 'coldMs')),
    }),
    timesOf(WITHOUT_WARM_UP, {
      ...{
        goal: '2d',
        what: 'first verification after the warm-up, user processor time',
        goalValue: 0.55,
        failsAt: 0.8,
      },
      measured: ratioOf(times('warmed', 'firstMs'), times('deployed', 'firstMs')),
    }),
    timesOf(WITHOUT_WARM_UP, {
      ...{ goal: '2e', what: 'import, warm-up and first verification', goalValue: 1.2, failsAt: 1.4 },
      measured: ratioOf(times('warmed', 'coldMs'), times('deployed', 'coldMs')),
    }),
    await firstSlip(variants, stage, rounds),
    // The match and its tables of names, which were added after the goal was set, take 128 KB.
    ...sizes('3a', 'bundle of a verification', variants.deployed, { bytes: 270, packed: 90 }, 2.15),
    ...sizes('3c', 'bundle of the slip', variants.slip, { bytes: 700, packed: 270 }, 1.5),
  ];
}

const WITHOUT_WARM_UP = 'the same bundle without warm-up';

async function firstSlip(variants: Variants, stage: Stage, rounds: number): Promise<Line> {
  const { handler } = await import('../../../../functions/nin-basic.ts');
  const nin = newNin();
  const { statusCode } = await invoke(handler, eventOf(stage.live, { id_number: nin }));
  if (statusCode !== 200) throw new Error(`The verification before the slips returned ${statusCode}.`);
  const event = JSON.stringify(eventOf(stage.live, { nin, slip_type: 'regular' }));
  const taken = await inTurn(['warmedSlip', 'slip'], rounds, (name) =>
    sample<Cold>('cold', [variants[name], freshEvent(event)], stage.environment),
  );
  const times = (name: 'warmedSlip' | 'slip') => taken[name].map(({ firstMs }) => firstMs);
  return timesOf(WITHOUT_WARM_UP, {
    ...{ goal: '2f', what: 'first slip after the warm-up, user processor time' },
    ...{ measured: ratioOf(times('warmedSlip'), times('slip')), goalValue: 0.55, failsAt: 0.8 },
  });
}

/** Returns the event with the current time, because the ledger rejects a request that is too old. */
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
