import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { LambdaHandler } from '../../../../shared/http/chains.ts';
import { cpuMs } from '../measure.ts';
import { layWires } from '../stage/one-verification.ts';
import { openStage } from '../stage/stage.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';
import type { SentCall } from '../stage/wire.ts';
import { recordFixedCosts } from './fixed.ts';
import { billedMs, dollarsPerMillion, USUAL, type Use } from './model.ts';
import { type EncodedItem, itemBytes, unitsOf } from './units.ts';

/**
 * `npm run rig -- cost` counts what requests of each kind send and use, and calculates their cost at list prices.
 * `--record` updates the tables of docs/cost.md. `--fixed` updates only the table of fixed costs, without a measurement.
 */
interface Story {
  readonly ending: string;
  readonly isRepeatable?: true;
  readonly times: number;
}
const STORIES: Readonly<Record<string, Story>> = {
  found: { ending: '0001', times: 60 },
  'found, with Idempotency-Key': { ending: '0001', isRepeatable: true, times: 60 },
  'not found': { ending: '0404', times: 20 },
  // Few, since the breaker would open.
  'registry error': { ending: '0400', times: 3 },
  'registry unreachable': { ending: '0503', times: 3 },
};
const PAGE = join(import.meta.dirname, '../../../../docs/cost.md');

if (process.argv.includes('--fixed')) {
  recordFixedCosts(PAGE);
  process.exit(0);
}

const print = process.stdout.write.bind(process.stdout);
let written = 0;
const countAll = (text: string | Uint8Array) => {
  written += Buffer.byteLength(text);
  return true;
};
// Errors and warnings go to stderr.
process.stdout.write = countAll;
process.stderr.write = countAll;

const sent: SentCall[] = [];
const stage = await openStage();
const wires = await layWires(stage, sent);
const { handler } = (await import('../../../../functions/nin-basic.ts')) as { handler: LambdaHandler };

interface Published {
  readonly use: Use;
  readonly calls: readonly SentCall[];
}

/** The calls of the last of many like requests, and their use on the mean. */
async function measure({ ending, isRepeatable, times }: Story): Promise<Published> {
  let answerBytes = 0;
  written = 0;
  const start = process.cpuUsage();
  for (let time = 0; time < times; time += 1) {
    // The state of a registry is used for one second. The published request reads it, as those of an idle instance do.
    if (time === times - 1) await setTimeout(1_000);
    sent.length = 0;
    const headers = isRepeatable && { 'Idempotency-Key': [`cost-${crypto.randomUUID()}`] };
    const event = eventOf(stage.live, { id_number: newNin(ending) }, { ...headers });
    answerBytes = Buffer.byteLength((await invoke(handler, event)).body);
  }
  const calls = [...sent];
  const units = calls.map(unitsOf);
  const sum = (pick: (one: (typeof units)[number]) => number) =>
    units.reduce((all, one) => all + pick(one), 0);
  const use = {
    readUnits: sum((one) => one.readUnits),
    writeUnits: sum((one) => one.writeUnits),
    calls: calls.filter(({ operation }) => operation !== 'look-up').length,
    // The registry's stand-in and the wires run in this process too, so this is an upper bound.
    cpuMs: cpuMs(start) / times,
    answerBytes,
    logBytes: written / times,
  };
  return { use, calls };
}

function kindOf(row: EncodedItem): string {
  const [pk = '', sk = ''] = ['pk', 'sk'].map((name) => String((row[name] as { S?: string })?.S ?? ''));
  if (pk.startsWith('RATE#')) return 'limiter';
  if (sk.startsWith('KEY#')) return 'key';
  return /^[A-Z]+$/.test(sk) ? sk.toLowerCase() : 'log row';
}

function callRow(call: SentCall): string {
  const { operation, input } = call;
  if (operation === 'look-up') return '| registry | | | |';
  const { readUnits, writeUnits } = unitsOf(call);
  const batch = Object.values((input['RequestItems'] ?? {}) as Record<string, { Keys: EncodedItem[] }>);
  const item = input['Item'] as EncodedItem | undefined;
  const keys = [...batch.flatMap(({ Keys }) => Keys), item ?? (input['Key'] as EncodedItem | undefined)];
  const kinds = keys.flatMap((key) => (key ? [kindOf(key)] : [])).join(', ');
  return `| ${operation}: ${kinds} | ${item ? itemBytes(item) : ''} | ${readUnits || ''} | ${writeUnits || ''} |`;
}

function useRow(name: string, { use }: Published): string {
  const dollars = Object.values(dollarsPerMillion(use, surroundingsOf(name))).reduce(
    (sum, one) => sum + one,
    0,
  );
  const numbers = [use.calls, use.readUnits, use.writeUnits, use.cpuMs.toFixed(1)];
  const ms = billedMs(use, surroundingsOf(name)).toFixed(0);
  return `| ${name} | ${[...numbers, ms, use.answerBytes, use.logBytes.toFixed(0), dollars.toFixed(2)].join(' | ')} |`;
}

/** Only a found record carries a photo. */
const surroundingsOf = (name: string) => (name.startsWith('found') ? USUAL : { ...USUAL, photoBytes: 0 });

await measure({ ending: '0001', times: 60 });
const published = new Map<string, Published>();
for (const [name, story] of Object.entries(STORIES)) published.set(name, await measure(story));
await wires.disposeAsync();
await stage.close();

const found = published.get('found');
if (!found) throw new Error('The story "found" was not measured.');
const bill = Object.entries(dollarsPerMillion(found.use, USUAL));
const total = bill.reduce((sum, [, dollars]) => sum + dollars, 0);
const text = [
  '### Calls of one successful verification, in order',
  '| call | bytes of the item | read units | write units |\n|---|---|---|---|',
  ...found.calls.map(callRow),
  '',
  '### Usage and cost per request',
  '| request | calls | read units | write units | CPU ms | billed ms | response bytes | log bytes | $ per million |\n|---|---|---|---|---|---|---|---|---|',
  ...[...published].map(([name, one]) => useRow(name, one)),
  '',
  '### A million found verifications',
  '| | $ |\n|---|---|',
  ...bill.map(([name, dollars]) => `| ${name} | ${dollars.toFixed(2)} |`),
  `| **sum** | **${total.toFixed(2)}** |`,
].join('\n');
print(`${text}\n`);
if (process.argv.includes('--record')) {
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split('<!-- cost: begin -->');
  const [, after = ''] = rest.split('<!-- cost: end -->');
  writeFileSync(PAGE, `${before}<!-- cost: begin -->\n${text}\n<!-- cost: end -->${after}`);
  recordFixedCosts(PAGE);
}
process.exit(0);
