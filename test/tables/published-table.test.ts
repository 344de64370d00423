import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_SECONDS } from '../../shared/core/clock.ts';
import { type PublishedTable, publishedTable } from '../../shared/events/published-table.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** The last published states in DynamoDB Local. Of two concurrent runs, only one may record a change. */

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
let tables: StateTable;
let published: PublishedTable;
beforeAll(async () => {
  tables = await openStateTable();
  published = publishedTable(tables.client, tables.tableName);
});
afterAll(() => tables.close());

const low = (subject: string, publishedAtMs = NOW_MS) => ({ subject, state: 'low' as const, publishedAtMs });
const recordedOf = async (subject: string) =>
  (await published.listPublished()).filter((one) => one.subject === subject);

describe('the last published state', () => {
  test('is absent until it is recorded, and is stored once per subject', async () => {
    expect(await published.listPublished()).toEqual([]);
    expect(await published.recordPublished(low('WALLET#first'), undefined)).toBe(true);
    expect(await published.recordPublished({ ...low('REGISTRY#prembly'), state: 'down' }, undefined)).toBe(
      true,
    );

    expect(new Set(await published.listPublished())).toEqual(
      new Set([low('WALLET#first'), { ...low('REGISTRY#prembly'), state: 'down' }]),
    );
  });

  test('is replaced only by a run that has read it', async () => {
    const first = low('WALLET#replaced');
    const empty = { ...first, state: 'empty' as const, publishedAtMs: NOW_MS + 60_000 };
    const normal = { ...first, state: 'normal' as const, publishedAtMs: NOW_MS + 61_000 };
    await published.recordPublished(first, undefined);

    expect(await published.recordPublished(empty, first)).toBe(true);
    // This run read the state before it was replaced.
    expect(await published.recordPublished(normal, first)).toBe(false);
    expect(await published.recordPublished(normal, undefined)).toBe(false);
    expect(await recordedOf('WALLET#replaced')).toEqual([empty]);
  });

  test('is recorded by only one of ten concurrent runs', async () => {
    const recordings = Array.from({ length: 10 }, (_, run) =>
      published.recordPublished(low('WALLET#raced', NOW_MS + run), undefined),
    );

    expect((await Promise.all(recordings)).filter(Boolean)).toHaveLength(1);
    expect(await recordedOf('WALLET#raced')).toHaveLength(1);
  });

  test('expires 400 days after it was published', async () => {
    await published.recordPublished(low('WALLET#expires'), undefined);

    const Key = { pk: 'EVENTS', sk: 'WALLET#expires' };
    const { Item } = await tables.client.send(new GetCommand({ TableName: tables.tableName, Key }));
    expect(Item).toEqual({
      ...Key,
      state: 'low',
      publishedAtMs: NOW_MS,
      expiresAt: NOW_MS / 1000 + 400 * DAY_SECONDS,
    });
  });

  test('of a wallet keeps its unsent events until they are sent, and never expires', async () => {
    const subject = 'WALLET#unsent';
    const first = await published.getWallet(subject);
    expect(first).toEqual({ subject, state: 'normal', publishedAtMs: 0, sequence: 0, unsent: [] });
    const event = { type: 'Balance Low', id: 'e1', detail: { available: 9, sequence: 1 } } as const;
    const stored = { ...low(subject), sequence: 1, unsent: [event] };
    expect(await published.storeWallet(stored, first)).toBe(true);
    expect(await published.storeWallet({ ...stored, publishedAtMs: NOW_MS + 1 }, first)).toBe(false);
    expect(await published.getWallet(subject)).toEqual(stored);
    await published.markSent({ ...stored, publishedAtMs: NOW_MS - 1 });
    expect(await published.getWallet(subject)).toEqual(stored);
    await published.markSent(stored);
    const Key = { pk: 'EVENTS', sk: subject };
    const { Item } = await tables.client.send(new GetCommand({ TableName: tables.tableName, Key }));
    expect(Item).toEqual({ ...Key, state: 'low', publishedAtMs: NOW_MS, sequence: 1 });
  });

  test('of many subjects is read from all pages', async () => {
    // DynamoDB returns at most 1 MB per page. With long subjects, fewer rows are needed to exceed it.
    const subjects = Array.from({ length: 1_200 }, (_, index) => `KEY#${String(index).padEnd(960, 'x')}`);
    for (let first = 0; first < subjects.length; first += 50)
      await Promise.all(
        subjects
          .slice(first, first + 50)
          .map((subject) => published.recordPublished(low(subject), undefined)),
      );
    tables.commands();

    const seen = new Set((await published.listPublished()).map(({ subject }) => subject));
    expect(subjects.filter((subject) => !seen.has(subject))).toEqual([]);
    expect(tables.commands().filter((name) => name === 'QueryCommand').length).toBeGreaterThan(1);
  });
});
