import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ITEM, walletWall } from './scale/hot-wallet.ts';
import { accountWall } from './scale/instances.ts';
import { throttledWrites } from './scale/table-growth.ts';

/**
 * `npm run scale`: at which rate each wall of DynamoDB and Lambda is met, by simulation, beside the rate on paper.
 * `--record` writes the tables into docs/performance.md.
 */
const PAGE = join(import.meta.dirname, '../../../docs/performance.md');
const REGISTRY_MS = [300, 1_000, 3_000, 20_000];
const SHARDS = [1, 8];
/** Everything of a verification but the registry. */
const OWN_MS = 50;

/** Units of a write grow with the holds in flight, and those with the rate: r * (empty + r * seconds * hold) / 1024 = 1000. */
function onPaper(registryMs: number, shards: number): number {
  const seconds = (registryMs + 15) / 1000;
  const { emptyBytes, holdBytes } = ITEM;
  const a = seconds * holdBytes;
  const b = emptyBytes + 512;
  const byUnits = (-b + Math.sqrt(b * b + 4 * a * 1_024_000)) / (2 * a);
  return shards * Math.min(byUnits, 100 / seconds);
}

function walletRows(): string[] {
  return SHARDS.flatMap((shards) =>
    REGISTRY_MS.map((registryMs) => {
      const { perSecond, holds, instances } = walletWall(registryMs, shards);
      const paper = onPaper(registryMs, shards).toFixed(0);
      return `| ${shards} | ${registryMs / 1000} s | ${paper} | ${perSecond} | ${holds.toFixed(0)} | ${instances} |`;
    }),
  );
}

function accountRows(): string[] {
  return [1_000, 10_000].flatMap((concurrency) =>
    REGISTRY_MS.map((registryMs) => {
      const durationMs = registryMs + OWN_MS;
      const paper = ((concurrency * 1000) / durationMs).toFixed(0);
      return `| ${concurrency} | ${registryMs / 1000} s | ${paper} | ${accountWall(durationMs, concurrency)} |`;
    }),
  );
}

const QUOTA = 40_000;
const GROWTHS = [
  { fromUnits: 100, toUnits: 4_000, minutes: 10, quotaUnits: QUOTA },
  { fromUnits: 1_000, toUnits: 8_000, minutes: 10, quotaUnits: QUOTA },
  { fromUnits: 1_000, toUnits: 8_000, minutes: 120, quotaUnits: QUOTA },
  { fromUnits: 4_000, toUnits: 40_000, minutes: 240, quotaUnits: QUOTA },
  { fromUnits: 20_000, toUnits: 60_000, minutes: 240, quotaUnits: QUOTA },
];

const text = [
  `An empty shard has ${ITEM.emptyBytes} bytes, each hold ${ITEM.holdBytes}.`,
  '',
  '| shards | registry takes | verifications a second, on paper | simulated | holds in a shard then | instances |',
  '|---|---|---|---|---|---|',
  ...walletRows(),
  '',
  '| account concurrency | registry takes | verifications a second, on paper | simulated |',
  '|---|---|---|---|',
  ...accountRows(),
  '',
  '| write units a second of a table grow from | to | within | throttled on the way |',
  '|---|---|---|---|',
  ...GROWTHS.map((growth) => {
    const { fromUnits, toUnits, minutes } = growth;
    return `| ${fromUnits} | ${toUnits} | ${minutes} min | ${(throttledWrites(growth) * 100).toFixed(1)} % |`;
  }),
].join('\n');
console.log(text);
if (process.argv.includes('--record')) {
  const [before = '', rest = ''] = readFileSync(PAGE, 'utf8').split('<!-- scale: begin -->');
  const [, after = ''] = rest.split('<!-- scale: end -->');
  writeFileSync(PAGE, `${before}<!-- scale: begin -->\n${text}\n<!-- scale: end -->${after}`);
}
