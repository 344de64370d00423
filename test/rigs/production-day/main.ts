import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDayService } from './day-service.ts';
import { Journal } from './journal.ts';
import { judge } from './judge.ts';
import type { DayRecord } from './record.ts';
import { runDay } from './run-day.ts';
import { daySummary, dayTable } from './table.ts';

/**
 * `npm run day`: a day in production on the local service, and what it came to. `--minutes N` (5), `--seed N`;
 * `--judge FILE` judges the record of a day once more. Ends with 1 where anything went against the documents.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    judge: { type: 'string' },
  },
});
const DIRECTORY = join(import.meta.dirname, '../../../.local/day');
/** So many violations tell what is wrong; the record has them all. */
const MOST_SHOWN = 20;

async function record(): Promise<DayRecord> {
  if (values.judge !== undefined) return JSON.parse(readFileSync(values.judge, 'utf8')) as DayRecord;
  const startedMs = Date.now();
  const service = await startDayService(DIRECTORY);
  const journal = new Journal(join(DIRECTORY, 'journal.jsonl'));
  try {
    console.log(`seed ${values.seed}, service ready after ${Math.round((Date.now() - startedMs) / 1000)} s`);
    const order = { minutes: Number(values.minutes), seed: Number(values.seed) };
    const onPhase = (phase: string) => console.log(`${new Date().toISOString()} ${phase}`);
    const day = await runDay(service, journal, { ...order, onPhase });
    writeFileSync(join(DIRECTORY, 'record.json'), JSON.stringify(day), { mode: 0o600 });
    return day;
  } finally {
    await service.stop();
  }
}

const day = await record();
const violations = judge(day);
console.log(`\n${dayTable(day.lines)}\n`);
console.log(daySummary(day));
for (const { rule, detail } of violations.slice(0, MOST_SHOWN)) console.log(`VIOLATED ${rule}: ${detail}`);
console.log(
  violations.length === 0 ? 'Judgement: nothing went wrong.' : `Judgement: ${violations.length} violations.`,
);
process.exit(violations.length === 0 ? 0 : 1);
