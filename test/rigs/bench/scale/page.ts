import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from './record.ts';
import { customerTable, partitionTable, quotaTable, storageTable, summary, tableTable } from './tables.ts';

export const RECORDED_FILE = join(import.meta.dirname, 'recorded.json');

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as Recorded;
}

const PARTS = {
  summary,
  partitions: partitionTable,
  tables: tableTable,
  quotas: quotaTable,
  customers: customerTable,
  storage: storageTable,
} satisfies Readonly<Record<string, (recorded: Recorded) => string>>;

/** Returns docs/operate/scale.md with the numbers of the recorded units and of the current code. */
export function withScale(page: string, recorded: Recorded): string {
  return Object.entries(PARTS).reduce((all, [name, write]) => {
    const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
    const [before = '', rest] = all.split(begin);
    const after = rest?.split(end)[1];
    if (after === undefined) throw new Error(`docs/operate/scale.md has no part ${begin} ... ${end}.`);
    return `${before}${begin}\n${write(recorded)}\n${end}${after}`;
  }, page);
}
