import { beforeAll, describe, expect, test } from '@jest/globals';
import { reconcileWallets } from '../../shared/ledger/reconcile/reconcile.ts';
import type { Difference } from '../../shared/ledger/reconcile/rows.ts';
import { type ExportedTables, exportedSource, type Item } from './exported-tables.ts';
import { exportMixedLoad } from './mixed-load.ts';

/**
 * The restore drill: the tables of the running service are exported after a mixed load, the rows of one request are
 * taken out of one table, as a bad restore would, and the reconciler names exactly that request.
 */

/** Later than the time that requests have to settle. */
const LATER_MS = 11 * 60_000;

let exported: ExportedTables;
let readAtMs: number;
beforeAll(async () => {
  exported = await exportMixedLoad();
  readAtMs = Date.now() + LATER_MS;
});

async function differences(tables: ExportedTables): Promise<readonly Difference[]> {
  const settings = { nowMs: readAtMs, logRetentionDays: 365 };
  return (await reconcileWallets(exportedSource(tables, readAtMs), settings)).differences;
}

/** The requests that held a credit, by their charge rows. */
function requests(): Item[] {
  const logged = new Set(exported.logs.map(({ operationId }) => operationId));
  return exported.wallets.filter(({ sk, operationId }) => sk === 'CHARGE' && logged.has(operationId));
}

const without = (items: readonly Item[], { operationId }: Item) =>
  items.filter((item) => item['operationId'] !== operationId);

/** Whom the differences name: requests, or where there is no request id left, operations. */
function named(found: readonly Difference[], { requestId, operationId }: Item): unknown[] {
  const names = found.flatMap((one) => one.requestId ?? one.operationId ?? []);
  return [...new Set(names.map((name) => (name === operationId ? requestId : name)))];
}

describe('a restore that lost the rows of one request', () => {
  test('is compared with an export that agrees, of charged, failed and replayed requests', async () => {
    expect(await differences(exported)).toEqual([]);
    const outcomes = requests().map(({ outcome, cost }) => `${outcome} ${cost}`);
    expect(outcomes.sort()).toEqual([
      ...['ERROR 1', 'FAILED 1', 'FOUND 1', 'FOUND 1', 'FOUND 1', 'FOUND 3', 'NOT_FOUND 1', 'UNREACHABLE 1'],
    ]);
    expect(exported.logs.filter(({ replayOf }) => replayOf !== undefined)).toHaveLength(3);
  });

  test('in Wallets: the reconciler names exactly that request, and the credits that are missing', async () => {
    for (const request of requests()) {
      const found = await differences({ ...exported, wallets: without(exported.wallets, request) });
      expect(named(found, request)).toEqual([request['requestId']]);
      const balances = found.filter(({ kind }) => kind === 'balance');
      expect(balances.map(({ expected, found: sum }) => Number(expected) - Number(sum))).toEqual(
        request['state'] === 'CHARGED' ? [request['cost']] : [],
      );
    }
  });

  test('in VerificationLogs: the reconciler names exactly that request', async () => {
    for (const request of requests()) {
      const found = await differences({ ...exported, logs: without(exported.logs, request) });
      expect(named(found, request)).toEqual([request['requestId']]);
      expect(found.map(({ kind }) => kind)).toEqual(['charge-without-log']);
    }
  });

  test('in ApiKeys, where requests have no rows: a lost organisation is named with its wallet', async () => {
    const found = await differences({ ...exported, apiKeys: [] });
    expect([...new Set(found.map(({ kind }) => kind))]).toEqual(['unknown-wallet']);
  });
});
