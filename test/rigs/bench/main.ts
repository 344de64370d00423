import '../../security/environment.ts';

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blockGoals } from './goals/blocks.ts';
import { bulkheadGoals } from './goals/bulkheads.ts';
import { closingGoals } from './goals/closing.ts';
import { consoleGoals } from './goals/console.ts';
import { callGoals, flowGoals } from './goals/flow.ts';
import { isFailed, type Line } from './goals/goal.ts';
import { localServiceGoals } from './goals/local-service.ts';
import { matchingGoals } from './goals/matching.ts';
import { requestGoals } from './goals/requests.ts';
import { shardGoals } from './goals/shards.ts';
import { slipGoals } from './goals/slip.ts';
import { startGoals } from './goals/start.ts';
import { workGoals } from './goals/work.ts';
import { openStage } from './stage/stage.ts';
import { goalsTable, merged, RECORDED_FILE, readRecorded, recordOf, withGoals } from './table.ts';
import { buildVariants } from './variants.ts';

/**
 * `npm run bench` measures the goals in docs/design/performance.md, most of them as a ratio to a reference in the same run.
 * `--record` writes the results to recorded.json and to that page, `--check` exits with 1 if a goal is missed by more than its margin,
 * `--rounds N` (9) sets the number of pairs, `--only 4,10` selects goals, and `--rows N` (1,000,000) sets the number of
 * log rows for goal 15.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
    record: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const only = values.only === '' ? [] : values.only.split(',');
const isWanted = (...goals: string[]) => only.length === 0 || goals.some((goal) => only.includes(goal));

const PAGE = join(import.meta.dirname, '../../../docs/design/performance.md');

// Discards what functions log in this process.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
console.warn = () => undefined;

async function measure(): Promise<Line[]> {
  const lines: Line[] = [];
  const add = (name: string, more: readonly Line[]) => {
    lines.push(...more);
    process.stderr.write(`${name} measured\n`);
  };
  if (isWanted('4', '10')) add('work', await workGoals(rounds));
  if (isWanted('9')) add('local service', await localServiceGoals(rounds));
  if (isWanted('11')) add('blocks', await blockGoals(rounds));
  if (isWanted('12')) add('bulkheads', await bulkheadGoals(Math.ceil(rounds / 3)));
  if (isWanted('19')) add('matching', await matchingGoals(rounds));
  if (isWanted('8')) add('slips', await slipGoals(rounds));
  if (isWanted('13')) add('closing', await closingGoals(Math.ceil(rounds / 3)));
  if (isWanted('14')) add('console', await consoleGoals(rounds));
  if (isWanted('15')) add('requests', await requestGoals(rounds, Number(values.rows)));
  if (!isWanted('1', '2', '3', '5', '6', '7', '16', '18')) return lines;
  const variants = await buildVariants();
  const stage = await openStage();
  try {
    if (isWanted('1', '2', '3')) add('start', await startGoals(variants, stage, rounds));
    if (isWanted('6', '7', '16')) add('flow', await flowGoals(variants, stage, rounds));
    if (isWanted('18')) add('shards', await shardGoals(Math.ceil(rounds / 3)));
    if (isWanted('5')) add('calls', await callGoals(stage));
  } finally {
    await stage.close();
    variants.remove();
  }
  return lines;
}

/** Replaces the rows of the goals that were measured. A run of all goals also removes those that no longer exist. */
function record(): void {
  const all = merged(rows, only.length === 0 ? [] : readRecorded());
  writeFileSync(RECORDED_FILE, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(PAGE, withGoals(readFileSync(PAGE, 'utf8'), all));
}

const order = ({ goal }: Line) => Number.parseInt(goal, 10) + goal.charCodeAt(goal.length - 1) / 1000;
const lines = (await measure()).toSorted((a, b) => order(a) - order(b));
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const rows = recordOf(lines, { date: new Date().toISOString().slice(0, 10), commit, rounds });
print(`${goalsTable(rows)}\n`);
if (values.record) record();
const failed = lines.filter(isFailed);
for (const { goal, what, failsAt } of failed)
  print(`Goal ${goal}, ${what}: beyond its margin (${failsAt}).\n`);
process.exit(values.check && failed.length > 0 ? 1 : 0);
