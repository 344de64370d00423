import { runWebhooks } from './run-workers.ts';

/** What a run of many histories must have reached: a run in which nothing is delivered violates no rule either. */
const MUST_REACH = [
  'started',
  'DELIVERED',
  'FAILED HTTP_STATUS',
  'FAILED TIMEOUT',
  'FAILED CONNECTION_LOST',
  'FAILED REDIRECT',
  'FAILED GONE',
  'CANCELLED ENDPOINT_DISABLED',
  'CANCELLED ENDPOINT_DELETED',
  'rotate',
  'move',
  'test',
  'resent',
  'replayed',
];
/** Fewer histories may miss some. */
const LEAST_HISTORIES = 500;

/** Runs random histories of webhooks and prints counts. Returns whether all rules hold and everything was reached. */
export async function proveDeliveries(
  histories: number,
  firstSeed: number,
  workers: number,
): Promise<boolean> {
  const startedMs = performance.now();
  const { failed, counts, reached } = await runWebhooks({ firstSeed, histories }, [], workers);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`webhooks: ${histories} histories in ${seconds} s, ${failed.length} with violations`);
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

/** What was refused is counted together. */
function list(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).filter(([name]) => !name.startsWith('refused: '));
  const refused = Object.entries(counts).filter(([name]) => name.startsWith('refused: '));
  const sum = refused.reduce((total, [, count]) => total + count, 0);
  return [...entries.map(([name, count]) => `${name} ${count}`), ...(sum > 0 ? [`refused ${sum}`] : [])].join(
    ', ',
  );
}
