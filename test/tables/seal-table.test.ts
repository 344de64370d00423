import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import { DAY_MS, HOUR_MS, REAL_CLOCK } from '../../shared/core/clock.ts';
import { getRow } from '../../shared/core/database.ts';
import { RECONCILIATION_KEY, sealHeadKey, walletOfPk } from '../../shared/core/keys.ts';
import { reconcileWallets } from '../../shared/ledger/reconcile/reconcile.ts';
import { reconcileDay } from '../../shared/ledger/reconcile/reconcile-day.ts';
import { reconcileTable } from '../../shared/ledger/reconcile/reconcile-table.ts';
import type { Difference } from '../../shared/ledger/reconcile/rows.ts';
import { sealedBalance } from '../../shared/ledger/reconcile/sealed-balance-table.ts';
import {
  type FindBalance,
  latestBalance,
  openStatement,
} from '../../shared/ledger/statement/read-statement.ts';
import { statementKeys } from '../../shared/ledger/statement/statement.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { createTables } from '../ledger/storage/create-tables.ts';
import { exportedSource, type Item } from '../reconcile/exported-tables.ts';
import { creditRow, NOW_MS, requestRows, rowsOf, WALLET } from '../reconcile/invented-rows.ts';

/** The daily reconciliation through the indexes, scans and conditions of DynamoDB Local. */

let close: () => Promise<void>;
let client: DynamoDBDocumentClient;
let source: ReturnType<typeof reconcileTable>;
const requests = Array.from({ length: 40 }, (_, index) => ({
  name: `req_t_${index}`,
  agoMs: (index % 8) * DAY_MS + HOUR_MS,
  ...(index % 5 === 4 && { outcome: 'NOT_FOUND' }),
}));
const tables = rowsOf(requests);

async function put(table: 'Wallets' | 'VerificationLogs', items: readonly Item[]): Promise<void> {
  for (const Item of items)
    await client.send(new PutCommand({ TableName: `test-${table}`, Item: { ...Item } }));
}

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'seals-'));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
  const raw = new DynamoDBClient({
    endpoint: database.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: database.accessKeyId, secretAccessKey: 'local' },
  });
  await createTables(raw, 'test-');
  client = DynamoDBDocumentClient.from(raw, { marshallOptions: { removeUndefinedValues: true } });
  source = reconcileTable(client, 'test-Wallets', 'test-VerificationLogs');
  await put('Wallets', tables.wallets);
  await put('VerificationLogs', tables.logs);
  close = async () => {
    raw.destroy();
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  };
});
afterAll(() => close());

/** Returns the differences that the daily reconciliation finds, after checking that the complete one finds the same. */
async function run(nowMs: number): Promise<readonly Difference[]> {
  const { found, daily, clock } = await runDay(nowMs);
  const { differences } = await reconcileWallets(daily, { logRetentionDays: 365 }, clock);
  expect(differences).toEqual(found);
  return found;
}

async function runDay(nowMs: number) {
  const found: Difference[] = [];
  const createdAt = new Date(NOW_MS - 10 * DAY_MS).toISOString();
  const { listOrganisations } = exportedSource(
    () => tables,
    () => nowMs,
  );
  const daily = {
    ...source,
    listOrganisations: async () => (await listOrganisations()).map((one) => ({ ...one, createdAt })),
  };
  const clock = { ...REAL_CLOCK, nowMs: () => nowMs, pause: async () => undefined };
  const settings = { logRetentionDays: 365, endsAtMs: Number.POSITIVE_INFINITY, isForced: true };
  const report = await reconcileDay(daily, settings, clock, (some) => found.push(...some));
  expect(report.status).toBe('complete');
  return { found, daily, clock };
}

describe('the daily reconciliation in DynamoDB', () => {
  test('seals days and finds no difference in rows that agree', async () => {
    expect(await run(NOW_MS)).toEqual([]);
    const [head] = await source.seals.getHeads([WALLET]);
    expect(head).toMatchObject({ sealedUntil: '2026-11-19', total: { days: 10, paid: 100 } });
    const sealed = [];
    for await (const seal of source.seals.seals(WALLET, '2026-11-01', '2026-11-30')) sealed.push(seal);
    expect(sealed).toHaveLength(10);
    expect(sealed.at(-1)?.total).toEqual(head?.total);
    expect(await source.seals.getSeal(WALLET, '2026-11-19')).toEqual(sealed.at(-1));
  });

  test('finds a charge of a sealed day that has changed', async () => {
    const { charge } = requestRows({ name: 'req_t_3', agoMs: 3 * DAY_MS + HOUR_MS });
    await put('Wallets', [{ ...charge, keyLabel: 'other' }]);
    expect(await run(NOW_MS + DAY_MS)).toMatchObject([
      { kind: 'log-disagrees', day: '2026-11-18' },
      { kind: 'sealed-day', day: '2026-11-18' },
    ]);
    await put('Wallets', [charge]);
    expect(await run(NOW_MS + DAY_MS)).toEqual([]);
  });

  test.each([
    ['version', 'version'],
    ['differing', 'rows'],
  ])('replaces a head whose %s and a run whose %s cannot be read', async (...names) => {
    for (const [index, key] of [sealHeadKey(WALLET), RECONCILIATION_KEY].entries()) {
      const row = await getRow(client, 'test-Wallets', key);
      await put('Wallets', [{ ...row, [names[index] ?? '']: 'text' }]);
    }
    const { found } = await runDay(NOW_MS + DAY_MS);
    expect(found.map(({ kind }) => kind)).toEqual(['sealed-day', 'sealed-day']);
    expect(await run(NOW_MS + DAY_MS)).toEqual([]);
  });

  test('finds a row that is in no index', async () => {
    await put('VerificationLogs', [{ pk: `live#${WALLET.organisationId}#tag`, sk: 'no operation' }]);
    expect(await run(NOW_MS + DAY_MS)).toMatchObject([{ kind: 'unreadable' }]);
  });
});

describe('a statement that begins with the balance of a sealed day', () => {
  const scope = { wallet: WALLET, shards: 1, createdAt: new Date(NOW_MS - 10 * DAY_MS).toISOString() };

  /** Returns the opening balance at a time, and the number of lines that were read for it. */
  async function openingAt(time: string, find?: FindBalance) {
    let lines = 0;
    const table = statementTable(client, 'test-Wallets');
    const counted: typeof table = {
      async *entries(...range) {
        for await (const entry of table.entries(...range)) {
          lines += 1;
          yield entry;
        }
      },
    };
    const range = { from: time, to: new Date(NOW_MS + 2 * DAY_MS).toISOString() };
    const { openingBalance } = await openStatement(scope, range, undefined, counted, find);
    return { openingBalance, lines };
  }

  test('has the same balance at any time as one that reads all lines, but reads at most 15 lines', async () => {
    const failures: unknown[] = [];
    const find = sealedBalance(client, 'test-Wallets', (error) => failures.push(error));
    // A correction that is booked now is not part of a sealed day, even if it takes effect on one.
    const createdAt = new Date(NOW_MS - 60_000).toISOString();
    const correction = {
      ...creditRow('T-1', -7),
      kind: 'CORRECTION',
      createdAt,
      effectiveAt: '2026-11-15T10:00:00.000Z',
    };
    await put('Wallets', [{ ...correction, ...statementKeys(WALLET, 0, createdAt, 'T-1') }]);
    let most = 0;
    for (let hours = 11 * 24; hours >= -3; hours -= 7) {
      const time = new Date(NOW_MS - hours * HOUR_MS).toISOString();
      const [all, sealed] = [await openingAt(time), await openingAt(time, find)];
      expect([time, sealed.openingBalance]).toEqual([time, all.openingBalance]);
      most = Math.max(most, sealed.lines);
    }
    expect((await openingAt(new Date(NOW_MS).toISOString())).lines).toBeGreaterThan(30);
    expect(most).toBeLessThanOrEqual(15);
    expect(failures).toEqual([]);
  });

  test('uses the latest known balance, and none if the seals cannot be read', async () => {
    const known = { at: '2026-11-18T00:00:00.000Z', balance: 5 };
    const later = { at: '2026-11-19T00:00:00.000Z', balance: 6 };
    const find = latestBalance(
      async () => known,
      async () => later,
      async () => undefined,
    );
    expect(await find(WALLET, '2026-11-20T00:00:00.000Z')).toEqual(later);
    const failures: unknown[] = [];
    const denied = {
      send: () => Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' })),
    };
    const failing = sealedBalance(denied as unknown as DynamoDBDocumentClient, 'test-Wallets', (error) =>
      failures.push(error),
    );
    expect(await failing(WALLET, '2026-11-20T00:00:00.000Z')).toBeUndefined();
    expect(failures).toHaveLength(1);
  });
});

test('a seal is written only once, and a head only by a run that has read it', async () => {
  const [head] = await source.seals.getHeads([WALLET]);
  const stored = await source.seals.getSeal(WALLET, '2026-11-19');
  if (!head || !stored) throw new Error('There is no seal.');
  const next = { ...head, version: head.version + 1 };
  expect(await source.seals.putSeal(WALLET, { ...stored, differences: 7 }, next)).toBe(false);
  expect(await source.seals.putHead(WALLET, { ...next, version: head.version })).toBe(false);
  expect(await source.seals.getSeal(WALLET, '2026-11-19')).toEqual(stored);
  expect(await source.seals.getHeads([WALLET, walletOfPk('test#bbbbbbbbbb') ?? WALLET])).toEqual([
    head,
    undefined,
  ]);
  expect(await source.seals.putHead(WALLET, next)).toBe(true);
});
