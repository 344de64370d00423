import { expect, test } from '@jest/globals';
import table from '../../conformance.json' with { type: 'json' };
import { runSituation } from './conformance/run-situation.ts';
import type { ConformanceTable, Situation } from './conformance/table.ts';

const conformance = table as unknown as ConformanceTable;

const calls = conformance.situations.flatMap((situation: Situation) =>
  (situation.calls ?? ['verify']).map((call) => ({ title: `${situation.name} (${call})`, situation, call })),
);

test.each(calls)('$title', async ({ situation, call }) => {
  expect(await runSituation(situation, call, conformance)).toEqual([]);
});
