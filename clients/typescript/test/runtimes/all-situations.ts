import table from '../../../conformance.json' with { type: 'json' };
import { runSituation } from '../conformance/run-situation.ts';
import type { ConformanceTable } from '../conformance/table.ts';

/** Runs the whole table in the runtime that loads this program. Prints each difference, and how many calls passed. */

const conformance = table as unknown as ConformanceTable;
let passed = 0;
let failed = 0;
for (const situation of conformance.situations) {
  for (const call of situation.calls ?? ['verify']) {
    const differences = await runSituation(situation, call, conformance);
    if (differences.length === 0) passed += 1;
    else failed += 1;
    for (const difference of differences) console.log(`${situation.name} (${call}): ${difference}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
