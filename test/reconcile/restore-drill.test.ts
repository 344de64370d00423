import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Difference } from '../../shared/ledger/reconcile/rows.ts';
import { type ExportedTables, type Item, reconcileExport } from './exported-tables.ts';
import { exportMixedLoad } from './mixed-load.ts';

/**
 * The restore drill. Exports the tables of the running service after a mixed load, removes the rows of one request from
 * one table, as a bad restore would, and expects the reconciliation to report exactly that request.
 */

/** More than the 10 minutes in which charges are not compared with log rows. */
const LATER_MS = 11 * 60_000;

let exported: ExportedTables;
let readAtMs: number;
beforeAll(async () => {
  exported = await exportMixedLoad();
  readAtMs = Date.now() + LATER_MS;
});

async function differences(tables: ExportedTables): Promise<readonly Difference[]> {
  return (await reconcileExport(tables, readAtMs)).differences;
}

/** Returns the charge rows of the requests that held credits. */
function requests(): Item[] {
  const logged = new Set(exported.logs.map(({ operationId }) => operationId));
  return exported.wallets.filter(({ sk, operationId }) => sk === 'CHARGE' && logged.has(operationId));
}

const without = (items: readonly Item[], { operationId }: Item) =>
  items.filter((item) => item['operationId'] !== operationId);

/**
 * Returns the requests that the differences name. In a difference without a request ID, the operation ID identifies the
 * request.
 */
function named(found: readonly Difference[], { requestId, operationId }: Item): unknown[] {
  const names = found.flatMap((one) => one.requestId ?? one.operationId ?? []);
  return [...new Set(names.map((name) => (name === operationId ? requestId : name)))];
}

describe('a restore that lost the rows of one request', () => {
  test('starts from an export without differences, with charged, failed and replayed requests', async () => {
    expect(await differences(exported)).toEqual([]);
    const outcomes = requests().map(({ outcome, cost }) => `${outcome} ${cost}`);
    expect(outcomes.sort()).toEqual([
      'ERROR 1',
      'FAILED 1',
      'FOUND 1',
      'FOUND 1',
      'FOUND 1',
      'FOUND 3',
      'NOT_FOUND 1',
      'UNREACHABLE 1',
    ]);
    expect(exported.logs.filter(({ replayOf }) => replayOf !== undefined)).toHaveLength(3);
  });

  test('from Wallets: exactly that request and the missing credits are reported', async () => {
    for (const request of requests()) {
      const found = await differences({ ...exported, wallets: without(exported.wallets, request) });
      expect(named(found, request)).toEqual([request['requestId']]);
      const balances = found.filter(({ kind }) => kind === 'balance');
      expect(balances.map(({ expected, found: sum }) => Number(expected) - Number(sum))).toEqual(
        request['state'] === 'CHARGED' ? [request['cost']] : [],
      );
    }
  });

  test('from VerificationLogs: exactly that request is reported', async () => {
    for (const request of requests()) {
      const found = await differences({ ...exported, logs: without(exported.logs, request) });
      expect(named(found, request)).toEqual([request['requestId']]);
      expect(found.map(({ kind }) => kind)).toEqual(['charge-without-log']);
    }
  });

  test('from ApiKeys, which contains no rows of requests: the wallets of missing organisations are reported as unknown', async () => {
    const found = await differences({ ...exported, apiKeys: [] });
    expect([...new Set(found.map(({ kind }) => kind))]).toEqual(['unknown-wallet']);
  });
});
