import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { runConcurrently, runJob } from '../run-workers.ts';
import { bundleRunner } from './bundle.ts';
import { EQUIVALENTS, type Equivalent } from './equivalents.ts';
import { chooseMutants, GATE_OPTIONS, type Mutant } from './mutant.ts';
import { MUTANTS, TWO_HOLDS } from './mutants.ts';

/**
 * The mutation gate: the histories must detect every broken variant of the protocol, and none of the variants that are
 * known to break no rule. Exits with 1 if a broken variant survives, if a harmless one is detected, or if a patch no
 * longer applies.
 */
const { values } = parseArgs({
  options: {
    /** The largest number of histories for one variant. */
    histories: { type: 'string', default: '6000' },
    ...GATE_OPTIONS,
  },
});

/** The number of histories for a variant that breaks no rule. */
const EQUIVALENT_HISTORIES = 1_000;

async function isCaught(
  { name, patches, style, needsSmallLimit }: Mutant,
  histories: number,
): Promise<boolean> {
  const runner = await bundleRunner(needsSmallLimit ? [...patches, TWO_HOLDS] : patches);
  try {
    const options = {
      firstSeed: Number(values.seed),
      histories,
      stopAtFailure: true,
      ...(style && { style }),
      ...(needsSmallLimit && { maxHolds: 2 }),
    };
    const { histories: done, failed, reached } = await runJob({ runner, options });
    if (!reached['VERIFIED'])
      throw new Error(`${name}: no history verified a number, so the variant was not tested.`);
    const [first] = failed;
    const found = first?.violations[0];
    if (found) console.log(`caught   ${name}: ${found.rule} (history ${done})`);
    return found !== undefined;
  } finally {
    rmSync(dirname(runner), { recursive: true });
  }
}

const chosen = chooseMutants(MUTANTS, values);
const workers = Number(values.workers);
const caught = await runConcurrently(
  chosen.map((mutant) => () => isCaught(mutant, Number(values.histories))),
  workers,
);
const survivors = chosen.filter((_, index) => !caught[index]);
for (const { name } of survivors) console.log(`SURVIVED ${name}`);

// A sample contains no harmless variants.
const equivalents = values.sample
  ? []
  : EQUIVALENTS.filter(({ mutant }) => mutant.name.includes(values.only));
const isBroken = await runConcurrently(
  equivalents.map(
    ({ mutant }) =>
      () =>
        isCaught(mutant, EQUIVALENT_HISTORIES),
  ),
  workers,
);
const wrong = equivalents.filter((_, index) => isBroken[index]);
for (const { mutant, reason } of equivalents.filter((one: Equivalent) => !wrong.includes(one)))
  console.log(`harmless ${mutant.name}: ${reason}`);

console.log(`${chosen.length} broken variants, ${survivors.length} survived`);
console.log(`${equivalents.length} harmless variants, ${wrong.length} detected`);
if (survivors.length > 0 || wrong.length > 0) process.exitCode = 1;
