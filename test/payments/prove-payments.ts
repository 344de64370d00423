import { runPayments } from './run-workers.ts';

/** What a run of many histories must have reached: a run in which nothing is paid violates no rule either. */
const MUST_REACH = [
  'order opened',
  'paid',
  'swept credited',
  'refunded',
  'swept refundsDone',
  'swept expiredLots',
  'month closed',
  'reopen',
  'transfer',
  'charge VERIFIED',
];
/** Fewer histories may miss some. */
const LEAST_HISTORIES = 500;

/** Runs random histories of payments and prints counts. Returns whether all rules hold and everything was reached. */
export async function provePayments(histories: number, firstSeed: number, workers: number): Promise<boolean> {
  const startedMs = performance.now();
  const { failed, counts, reached } = await runPayments({ firstSeed, histories }, [], workers);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`payments: ${histories} histories in ${seconds} s, ${failed.length} with violations`);
  console.log(`  faults: ${list(counts)}`);
  console.log(`  reached: ${list(reached)}`);
  for (const { seed, violations } of failed.slice(0, 3))
    console.log(JSON.stringify({ seed, violations: violations.slice(0, 5) }, null, 1));
  const others = failed.slice(3, 50).map(({ seed }) => seed);
  if (others.length > 0) console.log(`  more failing seeds: ${others.join(' ')}`);
  const missed = histories < LEAST_HISTORIES ? [] : MUST_REACH.filter((name) => !reached[name]);
  for (const name of missed) console.log(`No history reached: ${name}`);
  return failed.length === 0 && missed.length === 0;
}

/** What was refused is named by its sentence, which is too long for this list. */
function list(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).filter(([name]) => !name.startsWith('refused: '));
  const refused = Object.entries(counts).filter(([name]) => name.startsWith('refused: '));
  const sum = refused.reduce((total, [, count]) => total + count, 0);
  return [...entries.map(([name, count]) => `${name} ${count}`), ...(sum > 0 ? [`refused ${sum}`] : [])].join(
    ', ',
  );
}
