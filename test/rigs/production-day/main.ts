import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkRecord } from './check-record.ts';
import { Journal, PHASES } from './journal.ts';
import type { SimulationRecord } from './record.ts';
import { runSimulation } from './run-simulation.ts';
import { startSimulatedService } from './service.ts';
import { phaseTable, summary } from './table.ts';

/**
 * `npm run rig -- production-day` simulates a day in production on the local service, and checks it. `--minutes N` (5)
 * sets its duration, and `--seed N` sets the seed of its random choices. `--applicants N` simulates a lender's day
 * instead, with so many applicants. `--check FILE` checks the record of an earlier simulation. Exits with 1 if a rule was
 * broken.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    applicants: { type: 'string', default: '0' },
    check: { type: 'string' },
  },
});
const DIRECTORY = join(import.meta.dirname, '../../../.local/production-day');
const MAX_SHOWN = 20;
/** A lender's day is short. */
const FREQUENT = { minMs: 1_000, maxMs: 3_000, responses: 5 };

async function simulate(): Promise<SimulationRecord> {
  const startedMs = Date.now();
  const applicants = Number(values.applicants);
  const service = await startSimulatedService(DIRECTORY);
  const journal = new Journal(join(DIRECTORY, 'journal.jsonl'));
  try {
    const seconds = Math.round((Date.now() - startedMs) / 1000);
    console.log(`Seed ${values.seed}. The service started in ${seconds} s.`);
    const record = await runSimulation(service, journal, {
      minutes: Number(values.minutes),
      seed: Number(values.seed),
      ...(applicants > 0
        ? { applicants, phases: ['lending', 'evening'], killPause: FREQUENT }
        : { phases: PHASES.filter((phase) => phase !== 'lending') }),
      onPhase: (phase) => console.log(`${new Date().toISOString()} ${phase}`),
    });
    writeFileSync(join(DIRECTORY, 'record.json'), JSON.stringify(record), { mode: 0o600 });
    return record;
  } finally {
    await service.stop();
  }
}

const record =
  values.check === undefined
    ? await simulate()
    : (JSON.parse(readFileSync(values.check, 'utf8')) as SimulationRecord);
const violations = checkRecord(record);
console.log(`\n${phaseTable(record.lines)}\n`);
console.log(summary(record));
for (const { rule, detail } of violations.slice(0, MAX_SHOWN)) console.log(`VIOLATED: ${rule}: ${detail}`);
console.log(`${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);
