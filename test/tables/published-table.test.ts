import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type PublishedTable, publishedTable } from '../../shared/events/published-table.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** What was told last, in DynamoDB Local: two runs at once must not both have the last word. */

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
let tables: StateTable;
let published: PublishedTable;
beforeAll(async () => {
  tables = await openStateTable();
  published = publishedTable(tables.client, tables.tableName);
});
afterAll(() => tables.close());

const low = (subject: string, publishedAtMs = NOW_MS) => ({ subject, state: 'low' as const, publishedAtMs });
const toldOf = async (subject: string) =>
  (await published.listPublished()).filter((one) => one.subject === subject);

describe('what was told', () => {
  test('is nothing at first, and then what was noted, once a subject', async () => {
    expect(await published.listPublished()).toEqual([]);
    expect(await published.recordPublished(low('WALLET#first'), undefined)).toBe(true);
    expect(await published.recordPublished({ ...low('REGISTRY#prembly'), state: 'down' }, undefined)).toBe(
      true,
    );

    expect(new Set(await published.listPublished())).toEqual(
      new Set([low('WALLET#first'), { ...low('REGISTRY#prembly'), state: 'down' }]),
    );
  });

  test('is replaced by who has seen it, and by nobody else', async () => {
    const first = low('WALLET#replaced');
    const empty = { ...first, state: 'empty' as const, publishedAtMs: NOW_MS + 60_000 };
    const normal = { ...first, state: 'normal' as const, publishedAtMs: NOW_MS + 61_000 };
    await published.recordPublished(first, undefined);

    expect(await published.recordPublished(empty, first)).toBe(true);
    // A run that read before it.
    expect(await published.recordPublished(normal, first)).toBe(false);
    expect(await published.recordPublished(normal, undefined)).toBe(false);
    expect(await toldOf('WALLET#replaced')).toEqual([empty]);
  });

  test('of one step is noted by one of ten runs at once', async () => {
    const notes = Array.from({ length: 10 }, (_, run) =>
      published.recordPublished(low('WALLET#raced', NOW_MS + run), undefined),
    );

    expect((await Promise.all(notes)).filter(Boolean)).toHaveLength(1);
    expect(await toldOf('WALLET#raced')).toHaveLength(1);
  });

  test('goes by itself, 400 days after it was told', async () => {
    await published.recordPublished(low('WALLET#ends'), undefined);

    const Key = { pk: 'EVENTS', sk: 'WALLET#ends' };
    const { Item } = await tables.client.send(new GetCommand({ TableName: tables.tableName, Key }));
    expect(Item).toEqual({
      ...Key,
      state: 'low',
      publishedAtMs: NOW_MS,
      expiresAt: NOW_MS / 1000 + 400 * 24 * 3600,
    });
  });

  test('of many subjects is read to the last page', async () => {
    // DynamoDB hands out 1 MB at once: long subjects, so that few fill it.
    const subjects = Array.from({ length: 1_200 }, (_, place) => `KEY#${String(place).padEnd(960, 'x')}`);
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
