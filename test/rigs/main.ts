import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run rig -- <name> [options]` runs a rig: a program that takes longer than a test. Without a name, lists them.
 * Rigs that have a script of their own in package.json are not in the list.
 */

interface Rig {
  readonly program: string;
  readonly what: string;
  /** On 2 idle cores. */
  readonly duration: string;
}

const RIGS: Readonly<Record<string, Rig>> = {
  cost: {
    program: 'test/rigs/bench/cost/main.ts',
    what: 'counts what requests send, and calculates what that costs: --record',
    duration: '1 min',
  },
  'fuzz:api': {
    program: 'test/rigs/fuzz/schemathesis/main.ts',
    what: 'sends requests generated from docs/openapi.json to the local service: --max-examples N, --seed N',
    duration: '1 min with 10 examples; the default is 5',
  },
  leak: {
    program: 'test/rigs/bench/leak.ts',
    what: 'sends 200,000 requests to one function process and reads its memory: [requests]',
    duration: '30 min',
  },
  matching: {
    program: 'test/rigs/matching/main.ts',
    what: 'measures the match on the labelled pairs, and compares it with others: --pairs FILE, --failures',
    duration: '10 s',
  },
  mutants: {
    program: 'test/rigs/mutants/main.ts',
    what: 'applies 240 faults to a copy of the code, and checks that the tests detect each: [area or path]',
    duration: '5 min',
  },
  pictures: {
    program: 'test/rigs/pictures/main.ts',
    what: 'writes pictures of the console of a running npm start to docs/design/console: --only keys,home',
    duration: '1 min',
  },
  'production-day': {
    program: 'test/rigs/production-day/main.ts',
    what: 'simulates a day in production with an outage, deployments and kills: --minutes N, --seed N, --applicants N',
    duration: '7 min',
  },
  reconciliation: {
    program: 'test/rigs/reconciliation/main.ts',
    what: 'measures the daily reconciliation over 10 million rows: --rows N, --rows-per-run N',
    duration: '20 min',
  },
  scale: {
    program: 'test/rigs/bench/scale/main.ts',
    what: 'writes the tables in docs/operate/scale.md: --record measures the units again',
    duration: '15 s',
  },
  size: {
    program: 'test/rigs/size/main.ts',
    what: 'prints how large the project is, and what is permitted: --record',
    duration: '30 s',
  },
  timing: {
    program: 'test/rigs/timing/main.ts',
    what: 'checks that response times do not reveal who was verified: --samples N',
    duration: '5 min',
  },
};

const [name, ...options] = process.argv.slice(2);
const rig = name === undefined ? undefined : RIGS[name];
if (rig) {
  const program = join(import.meta.dirname, '../..', rig.program);
  const child = spawn(process.execPath, [program, ...options], { stdio: 'inherit' });
  child.on('exit', (code) => process.exit(code ?? 1));
} else {
  if (name !== undefined) console.error(`There is no rig "${name}".`);
  console.log('npm run rig -- <name> [options]\n');
  for (const [title, { what, duration }] of Object.entries(RIGS))
    console.log(`${title.padEnd(17)}${what}\n${' '.repeat(17)}${duration}`);
  console.log('\nRigs with commands of their own: npm run bench, deploy:emulator, fuzz, generators, prove');
  process.exitCode = name === undefined ? 0 : 1;
}
