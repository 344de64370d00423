import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { inventUsage } from './usage-month.ts';

/**
 * Writes the tables of invented months as JSON lines, in one process for all variants of the service:
 * `node write-usage-months.ts MONTHS`, where MONTHS is a JSON list of `MonthOrder`.
 */

export interface MonthOrder {
  readonly variant: string;
  readonly seed: number;
  readonly requests: number;
  readonly everyHours: number;
  readonly folder: string;
}

for (const { variant, folder, ...options } of JSON.parse(process.argv[2] ?? '[]') as MonthOrder[]) {
  const bundle = (await import(variant)) as { readonly inventUsage: typeof inventUsage };
  const { rows } = await bundle.inventUsage(options);
  mkdirSync(folder);
  for (const [table, items] of Object.entries(rows))
    writeFileSync(join(folder, `${table}.jsonl`), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}
