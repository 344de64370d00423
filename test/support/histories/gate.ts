import { parseArgs } from 'node:util';
import { chooseMutants, GATE_OPTIONS, type Mutant } from '../../ledger/mutation/mutant.ts';
import { runConcurrently } from '../../ledger/run-workers.ts';
import { runInThreads } from './run-in-threads.ts';

/**
 * A mutation gate: histories must detect every broken variant. Prints each variant, and exits with 1 if any survives.
 */
export async function runGate(mutants: readonly Mutant[], worker: string): Promise<void> {
  const { values } = parseArgs({
    options: {
      /** The largest number of histories for one variant. */
      histories: { type: 'string', default: '4000' },
      ...GATE_OPTIONS,
    },
  });
  const chosen = chooseMutants(mutants, values);
  const options = {
    firstSeed: Number(values.seed),
    histories: Number(values.histories),
    stopAtFailure: true,
  };
  let survived = 0;
  const run = async ({ name, patches }: Mutant) => {
    // One thread: most variants are caught within a few histories, before a second thread would have started.
    const { histories, failed } = await runInThreads(worker, options, patches, 1);
    const rule = failed[0]?.violations[0]?.rule;
    if (rule === undefined) survived += 1;
    console.log(
      rule === undefined ? `SURVIVED ${name}` : `caught   ${name}: ${rule} (${histories} histories)`,
    );
  };
  await runConcurrently(
    chosen.map((mutant) => () => run(mutant)),
    Number(values.workers),
  );
  console.log(`${chosen.length} broken variants, ${survived} survived`);
  if (survived > 0) process.exitCode = 1;
}
