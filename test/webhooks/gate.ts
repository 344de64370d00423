import { parseArgs } from 'node:util';
import { WEBHOOK_MUTANTS } from './mutants.ts';
import { runWebhooks } from './run-workers.ts';

/** The mutation gate of webhooks: histories must detect every broken variant. Exits with 1 if one survives. */
const { values } = parseArgs({
  options: {
    /** The largest number of histories for one variant. */
    histories: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    /** Runs only the variants whose name contains this text. */
    only: { type: 'string', default: '' },
  },
});

const chosen = WEBHOOK_MUTANTS.filter(({ name }) => name.includes(values.only));
let survived = 0;
for (const { name, patches } of chosen) {
  const options = {
    firstSeed: Number(values.seed),
    histories: Number(values.histories),
    stopAtFailure: true,
  };
  const { histories, failed } = await runWebhooks(options, patches, Number(values.workers));
  const rule = failed[0]?.violations[0]?.rule;
  if (rule === undefined) survived += 1;
  console.log(rule === undefined ? `SURVIVED ${name}` : `caught   ${name}: ${rule} (${histories} histories)`);
}
console.log(`${chosen.length} broken variants, ${survived} survived`);
if (survived > 0) process.exitCode = 1;
