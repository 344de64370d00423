import { expect, test } from '@jest/globals';
import { readRecorded } from './page.ts';
import { measureRows, type Recorded } from './record.ts';
import type { RowUse } from './row-use.ts';

test('the recorded units match those that requests to DynamoDB Local use', async () => {
  const measured = await measureRows();
  const recorded = readRecorded();

  // If this fails, review the new units, then run `npm run rig -- scale --record`.
  expect(unitsOf(measured)).toEqual(unitsOf(recorded));
  for (const story of Object.keys(recorded) as (keyof Recorded)[])
    for (const [at, { partition, bytes }] of recorded[story].entries()) {
      // Numbers such as latencies vary in length.
      const difference = Math.abs(Number(measured[story][at]?.bytes) - bytes);
      expect({ story, partition, isClose: difference <= 30 }).toEqual({ story, partition, isClose: true });
    }
});

function unitsOf(recorded: Recorded) {
  return Object.entries(recorded).map(([story, uses]) => [
    story,
    uses.map(({ partition, readUnits, writeUnits }: RowUse) => ({ partition, readUnits, writeUnits })),
  ]);
}
