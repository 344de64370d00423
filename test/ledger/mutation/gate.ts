import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { runConcurrently, runJob } from '../run-workers.ts';
import { bundleRunner } from './bundle.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS, TWO_HOLDS } from './mutants.ts';

/**
 * The mutation gate: the histories must detect every broken variant of the protocol. Exits with 1 if a variant survives
 * or its patch no longer applies.
 */
const { values } = parseArgs({
  options: {
    /** The largest number of histories for one variant. */
    histories: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    /** Runs only the variants whose name contains this text. */
    only: { type: 'string', default: '' },
  },
});

async function isCaught({ name, patches, style, needsSmallLimit }: Mutant): Promise<boolean> {
  const runner = await bundleRunner(needsSmallLimit ? [...patches, TWO_HOLDS] : patches);
  try {
    const options = {
      firstSeed: Number(values.seed),
      histories: Number(values.histories),
      stopAtFailure: true,
      ...(style && { style }),
      ...(needsSmallLimit && { maxHolds: 2 }),
    };
    const { histories, failed, reached } = await runJob({ runner, options });
    if (!reached['VERIFIED'])
      throw new Error(`${name}: no history verified a number, so the variant was not tested.`);
    const [first] = failed;
    const found = first?.violations[0];
    console.log(found ? `caught   ${name}: ${found.rule} (history ${histories})` : `SURVIVED ${name}`);
    return found !== undefined;
  } finally {
    rmSync(dirname(runner), { recursive: true });
  }
}

const chosen = MUTANTS.filter(({ name }) => name.includes(values.only));
const caught = await runConcurrently(
  chosen.map((mutant) => () => isCaught(mutant)),
  Number(values.workers),
);
const survivors = chosen.filter((_, index) => !caught[index]);
console.log(`${chosen.length} broken variants, ${survivors.length} survived`);
if (survivors.length > 0) process.exitCode = 1;
