import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from '../../../infra/local/aws/dynamodb-local.ts';
import { connect } from '../../../shared/core/database.ts';
import { check } from '../../ledger/checker/check.ts';
import { evidenceOfExport } from '../../ledger/checker/snapshot.ts';
import { createTables } from '../../ledger/storage/create-tables.ts';
import { LOGS, WALLETS } from '../../ledger/storage/journal.ts';
import { exportRows } from '../../support/exported-rows.ts';
import { type Carried, carry, type Load, settle } from './shards/carry.ts';

/**
 * `npm run bench:shards`: how many verifications a second a wallet carries with 1 shard and with 8, where every item
 * takes so many write units a second. On AWS an item takes some 1,000; scaled down here to what this machine drives.
 * Ends with 1 below 6 times, or where a request was refused.
 */
const UNITS_PER_SECOND = 20;
const WANTED = 6;
const SPAN = { registryLatencyMs: 100, warmUpMs: 4_000, measuredMs: 15_000 };

const RUNS = [
  { name: '1 shard, 8 instances', shards: 1, instances: 8 },
  { name: '1 shard, 32 instances', shards: 1, instances: 32 },
  { name: '8 shards, 64 instances', shards: 8, instances: 64 },
] as const;

const prefix = 'bench-';

function line(name: string, { perSecond, unitsPerWrite, answers, conflicts, topUps }: Carried): string {
  const codes = Object.entries(answers).map(([code, times]) => `${times} ${code}`);
  const rate = `${perSecond.toFixed(1)} verifications a second`;
  const met = `${topUps} top-ups, ${conflicts} writes sent again for a conflict`;
  return `${name}: ${rate}, ${unitsPerWrite.toFixed(1)} units a write of a shard, ${met}, ${codes.join(', ')}`;
}

async function measure(): Promise<boolean> {
  console.log(`Each item takes ${UNITS_PER_SECOND} write units a second.`);
  await createTables(new DynamoDBClient({}), prefix);
  const carried: Carried[] = [];
  const wallets = RUNS.map((_, place) => ({ env: 'live', organisationId: `ORG${place}` }) as const);
  for (const [place, { name, shards, instances }] of RUNS.entries()) {
    const wallet = wallets[place] ?? wallets[0];
    if (!wallet) continue;
    const load: Load = { wallet, shards, instances, unitsPerSecond: UNITS_PER_SECOND, ...SPAN };
    const result = await carry(load, prefix);
    console.log(line(name, result));
    carried.push(result);
  }
  await settle(prefix);
  const tables = { wallets: prefix + WALLETS, logs: prefix + LOGS };
  const ids = new Set(wallets.map(({ organisationId }) => organisationId));
  const violations = check(evidenceOfExport(await exportRows(connect(), tables, ids), []));
  const rates = carried.map(({ perSecond }) => perSecond);
  const times = (rates[2] ?? 0) / Math.max(rates[0] ?? 0, rates[1] ?? 0);
  const refused = carried.flatMap(({ answers }) =>
    Object.keys(answers).filter((code) => code !== 'VERIFIED'),
  );
  console.log(`8 shards carry ${times.toFixed(1)} times as much as 1 (wanted: ${WANTED}).`);
  console.log(
    `Refused for any reason: ${refused.join(', ') || 'none'}. Books: ${violations.length} violations.`,
  );
  return times >= WANTED && refused.length === 0 && violations.length === 0;
}

const directory = mkdtempSync(join(tmpdir(), 'shards-'));
const { endpoint, accessKeyId, stop } = await startDynamoDbLocal({
  logFile: join(directory, 'dynamodb.log'),
});
Object.assign(process.env, {
  AWS_REGION: 'af-south-1',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: 'local',
});
try {
  if (!(await measure())) process.exitCode = 1;
} finally {
  await stop();
  rmSync(directory, { recursive: true });
}
// Connections that are kept alive would hold the process.
process.exit();
