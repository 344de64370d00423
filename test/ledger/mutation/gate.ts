import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inTurn, runJob } from '../run-workers.ts';
import { bundleRunner } from './bundle.ts';
import { MUTANTS, type Mutant, SMALL_BULKHEAD } from './mutants.ts';

/**
 * The mutation gate: every broken variant of the protocol must be caught by the histories. A suite that has never
 * caught anything proves nothing. Ends with 1 where a variant survives or its patch no longer applies.
 */
const { values } = parseArgs({
  options: {
    /** Histories that a variant may last at most. */
    histories: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    /** Only variants whose name contains this. */
    only: { type: 'string', default: '' },
  },
});

async function hunt({ name, patches, style, isCrowded }: Mutant): Promise<boolean> {
  const runner = await bundleRunner(isCrowded ? [...patches, SMALL_BULKHEAD] : patches);
  try {
    const order = {
      firstSeed: Number(values.seed),
      histories: Number(values.histories),
      isHunt: true,
      ...(style && { style }),
      ...(isCrowded && { maxHolds: 2 }),
    };
    const { histories, bad, reached } = await runJob({ runner, order });
    if (!reached['VERIFIED']) throw new Error(`${name}: no history verified anything, so nothing was tried.`);
    const [first] = bad;
    const found = first?.violations[0];
    console.log(found ? `caught   ${name}: ${found.rule} (history ${histories})` : `SURVIVED ${name}`);
    return found !== undefined;
  } finally {
    rmSync(dirname(runner), { recursive: true });
  }
}

const chosen = MUTANTS.filter(({ name }) => name.includes(values.only));
const caught = await inTurn(
  chosen.map((mutant) => () => hunt(mutant)),
  Number(values.workers),
);
const survivors = chosen.filter((_, place) => !caught[place]);
console.log(`${chosen.length} broken variants, ${survivors.length} survived`);
if (survivors.length > 0) process.exitCode = 1;
