import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inventUsage } from './usage-month.ts';

/** Writes the tables of an invented month as JSON lines to a folder: `node write-usage-month.mjs FOLDER SEED REQUESTS HOURS`. */
const [folder = '', seed = '1', requests = '200', everyHours = '6'] = process.argv.slice(2);
const { rows } = await inventUsage({
  seed: Number(seed),
  requests: Number(requests),
  everyHours: Number(everyHours),
});
mkdirSync(folder, { recursive: true });
for (const [table, items] of Object.entries(rows))
  writeFileSync(join(folder, `${table}.jsonl`), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
