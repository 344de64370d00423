import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bundle } from '../../../../infra/bundle/bundle.ts';
import type { LambdaHandler } from '../../../../shared/http/chain.ts';
import { sample } from '../measure.ts';
import type { Cold } from '../samples/cold.ts';
import type { RequestCpu } from '../samples/cpu.ts';
import { layWires } from '../stage/one-verification.ts';
import { openStage } from '../stage/stage.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';
import type { SentCall } from '../stage/wire.ts';
import { readUsage, USAGE_FILE, type Usage, usageOf, withBills } from './bill.ts';
import { startLiveRegistry } from './live-registry.ts';
import { billedMs, dollarsPerMillion, sumOf, USUAL, type Use } from './model.ts';
import { type EncodedItem, itemBytes, unitsOf } from './units.ts';

/**
 * `npm run rig -- cost` counts what requests of each kind send and use, and calculates their cost at list prices.
 * `--record` updates the tables in docs/operate/cost.md, and `usage.json`, which `recompute.py` reads. `--fixed` updates
 * what depends on the templates only, without measuring.
 */
interface Story {
  readonly ending: string;
  readonly headers?: Readonly<Record<string, string[]>>;
  readonly times: number;
}
/** Sent by most HTTP clients by default, including those of this project. */
const GZIP = { 'Accept-Encoding': ['gzip, deflate'] };
const STORIES: Readonly<Record<string, Story>> = {
  found: { ending: '0001', headers: GZIP, times: 300 },
  'found, without compression': { ending: '0001', times: 300 },
  'found, with Idempotency-Key': {
    ending: '0001',
    headers: { ...GZIP, 'Idempotency-Key': [''] },
    times: 300,
  },
  // Only a few, because the guess limit would reject the key.
  'not found': { ending: '0404', headers: GZIP, times: 20 },
  // Only a few, because the breaker would open.
  'registry error': { ending: '0400', headers: GZIP, times: 3 },
  'registry unreachable': { ending: '0503', headers: GZIP, times: 3 },
};
const MEMORIES_GB = [0.25, 0.375, 0.5, 1];
const PAGE = join(import.meta.dirname, '../../../../docs/operate/cost.md');

function record(page: string, usage: Usage): void {
  writeFileSync(USAGE_FILE, `${JSON.stringify(usage, null, 2)}\n`);
  writeFileSync(PAGE, withBills(page, usage));
}

if (process.argv.includes('--fixed')) {
  record(readFileSync(PAGE, 'utf8'), usageOf(readUsage().found));
  process.exit(0);
}

const print = process.stdout.write.bind(process.stdout);
let written = 0;
const countAll = (text: string | Uint8Array) => {
  // The sandbox registry also runs in this process. Its log lines are not the function's.
  if (!String(text).includes('"Sandbox look-up"')) written += Buffer.byteLength(text);
  return true;
};
// Errors and warnings go to stderr.
process.stdout.write = countAll;
process.stderr.write = countAll;

const sent: SentCall[] = [];
const stage = await openStage();
const live = await startLiveRegistry(stage.environment['SANDBOX_URL'] ?? '');
const environment = { ...stage.environment, SANDBOX_URL: `${live.url}/` };
process.env['SANDBOX_URL'] = environment.SANDBOX_URL;
const wires = await layWires({ ...stage, environment }, sent);
const { handler } = (await import('../../../../functions/nin-basic.ts')) as { handler: LambdaHandler };
const directory = mkdtempSync(join(tmpdir(), 'cost-'));
const { directories } = bundle({ 'nin-basic': 'functions/nin-basic.ts' }, directory);
const [deployed, started] = ['index.cjs', 'start.mjs'].map((file) =>
  join(directories.get('nin-basic') ?? '', file),
) as [string, string];
const { importMs: initCpuMs } = await sample<Cold>('cold', [started], environment);

interface Published {
  readonly use: Use;
  readonly calls: readonly SentCall[];
}

/** The number of requests over which the size of the log lines is averaged. */
const LOGGED = 3;

/**
 * Sends a few requests of one kind. Returns the calls and the response size of the last one, the mean size of the log
 * lines, and the processor time of many requests in another process.
 */
async function measure({ ending, headers = {}, times }: Story): Promise<Published> {
  let answerBytes = 0;
  written = 0;
  for (let time = 0; time < LOGGED; time += 1) {
    // An instance caches the state of a registry for one second. The last request, whose cost is published, reads it
    // again, as on an idle instance.
    if (time === LOGGED - 1) await setTimeout(1_000);
    sent.length = 0;
    const own = headers['Idempotency-Key'] && { 'Idempotency-Key': [`cost-${crypto.randomUUID()}`] };
    const event = eventOf(stage.live, { id_number: newNin(ending) }, { ...headers, ...own });
    const { body, isBase64Encoded } = await invoke(handler, event);
    answerBytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  }
  const calls = [...sent];
  const logBytes = written / LOGGED;
  const { cpuMs } = await sample<RequestCpu>('cpu', [deployed, stage.live, ending, String(times)], {
    ...environment,
    REQUEST_HEADERS: JSON.stringify(headers),
  });
  const units = calls.map(unitsOf);
  const sum = (pick: (one: (typeof units)[number]) => number) =>
    units.reduce((all, one) => all + pick(one), 0);
  const use = {
    readUnits: sum((one) => one.readUnits),
    writeUnits: sum((one) => one.writeUnits),
    calls: calls.filter(({ operation }) => operation !== 'look-up').length,
    ...{ cpuMs, answerBytes, logBytes, initCpuMs },
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
  const numbers = [use.calls, use.readUnits, use.writeUnits, use.cpuMs.toFixed(1)];
  const dollars = sumOf(dollarsPerMillion(use, USUAL)).toFixed(2);
  const bytes = [use.answerBytes, use.logBytes.toFixed(0)];
  return `| ${name} | ${[...numbers, billedMs(use, USUAL).toFixed(0), ...bytes, dollars].join(' | ')} |`;
}

function required(name: string): Published {
  const one = published.get(name);
  if (!one) throw new Error(`The story "${name}" was not measured.`);
  return one;
}

/**
 * Returns a row of the table: how much longer the function itself takes with this memory size than with the usual one,
 * and what a million found verifications cost.
 */
function memoryRow(memoryGb: number): string {
  const { use } = required('found');
  const around = { ...USUAL, memoryGb };
  const ownMs = billedMs(use, around) - billedMs(use, USUAL);
  const cells = [memoryGb * 1024, ownMs.toFixed(0), sumOf(dollarsPerMillion(use, around)).toFixed(2)];
  return `| ${cells.join(' | ')} |`;
}

const published = new Map<string, Published>();
await measure(STORIES['found'] as Story);
for (const [name, story] of Object.entries(STORIES)) published.set(name, await measure(story));
await wires.disposeAsync();
await live.close();
await stage.close();
rmSync(directory, { recursive: true });

const found = required('found');
const plain = dollarsPerMillion(required('found, without compression').use, USUAL);
const bill = dollarsPerMillion(found.use, USUAL);
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
  '| | $ | $ without compression |\n|---|---|---|',
  ...Object.entries(bill)
    .filter(([, dollars]) => dollars > 0)
    .map(([name, dollars]) => `| ${name} | ${dollars.toFixed(2)} | ${plain[name]?.toFixed(2)} |`),
  `| **sum** | **${sumOf(bill).toFixed(2)}** | **${sumOf(plain).toFixed(2)}** |`,
  '',
  '### Sizes of memory',
  '| MB | ms longer than with 512 MB | $ per million |\n|---|---|---|',
  ...MEMORIES_GB.map(memoryRow),
].join('\n');
print(`${text}\n`);
if (process.argv.includes('--record')) {
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split('<!-- cost: begin -->');
  const [, after = ''] = rest.split('<!-- cost: end -->');
  record(`${before}<!-- cost: begin -->\n${text}\n<!-- cost: end -->${after}`, usageOf(found.use));
}
process.exit(0);
