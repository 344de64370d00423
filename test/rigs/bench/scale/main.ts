import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORDED_FILE, readRecorded, withScale } from './page.ts';
import { measureRows } from './record.ts';

/**
 * `npm run rig -- scale` writes the tables in docs/operate/scale.md from recorded units and the code. `--record` measures the
 * units again, against DynamoDB Local.
 */
const PAGE = join(import.meta.dirname, '../../../../docs/operate/scale.md');

if (process.argv.includes('--record')) {
  const write = process.stdout.write.bind(process.stdout);
  // Discards the function's log lines.
  process.stdout.write = () => true;
  const recorded = await measureRows();
  process.stdout.write = write;
  writeFileSync(RECORDED_FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}
writeFileSync(PAGE, withScale(readFileSync(PAGE, 'utf8'), readRecorded()));
process.exit(0);
