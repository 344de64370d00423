import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { trailArchive } from '../../../shared/audit/archive.ts';
import { compareTrail, monthsOfDay } from '../../../shared/audit/compare-trail.ts';
import { copyAll, copyEvents, copyTrail } from '../../../shared/audit/copy-trail.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';
import type { Row } from '../../../shared/core/database.ts';
import { newOperationId, ulidRange } from '../../../shared/core/ids.ts';
import { APPROVALS_PK, auditKey } from '../../../shared/core/keys.ts';
import { compareTrailOfDay } from '../../../shared/ledger/reconcile/trail.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';

/** The copies of the audit trail, and their comparison with the table. */

const ORG = 'kBDG57GjU9';
const NOW = Date.parse('2026-11-12T12:00:00Z');
const YEAR_AGO = Date.parse('2025-11-10T09:00:00Z');

let s3: ReturnType<typeof memoryBucket>;
let rows: Row[];
let archive: ReturnType<typeof trailArchive>;
beforeEach(() => {
  s3 = memoryBucket();
  rows = [];
  archive = trailArchive(s3.bucket);
});

const table = {
  async *partitionPages(organisationId: string | undefined, range = { fromMs: 0, toMs: 2 ** 48 - 1 }) {
    const { first, last } = ulidRange(range.fromMs, range.toMs);
    const { pk } = auditKey(organisationId, '');
    yield rows.filter((row) => row['pk'] === pk && String(row['sk']) >= first && String(row['sk']) <= last);
  },
  async *rowPages() {
    yield rows;
  },
};

function write(atMs = NOW - 2 * HOUR_MS, organisationId = ORG): Row {
  const id = newOperationId(atMs);
  const entry = { id, at: new Date(atMs).toISOString(), actor: 'ada', action: 'org approve' };
  const key = auditKey(organisationId === 'STAGE' ? undefined : organisationId, id);
  const row = { ...key, ...entry, target: 'organisation', after: { rate: 1.5 } };
  rows.push(row);
  return row;
}

let events = 0;
/** Returns the event of the stream about a change to a row. */
function eventOf(eventName: 'INSERT' | 'MODIFY' | 'REMOVE', row: Row, old?: Row): DynamoDBRecord {
  events += 1;
  return {
    eventID: `event${events}`,
    eventName,
    dynamodb: {
      ApproximateCreationDateTime: NOW / 1000,
      Keys: marshall({ pk: row['pk'], sk: row['sk'] }),
      ...(eventName !== 'REMOVE' && { NewImage: marshall(row) }),
      ...(old && { OldImage: marshall(old) }),
    } as NonNullable<DynamoDBRecord['dynamodb']>,
  };
}

const copy = (...records: readonly DynamoDBRecord[]) => copyEvents(records, archive);
const copyRow = (row: Row) => copy(eventOf('INSERT', row));
const keyOf = ({ sk }: Row) => `audit/org/${ORG}/2026-11/${sk}.json`;

/** Changes a row in the table, or removes it if there is no change, as an administrator can. */
function tamper(row: Row, change?: Row): Row | undefined {
  const changed = change && { ...row, ...change };
  rows = rows.flatMap((one): Row[] => (one !== row ? [one] : changed ? [changed] : []));
  return changed;
}

async function compared(scope: Parameters<typeof compareTrail>[1] = { organisations: [ORG] }) {
  const problems = await compareTrail({ table, archive }, scope, NOW);
  return problems.map(({ kind, id, found }) => [kind, id, found]);
}

describe('the copy of a row', () => {
  test('is an object in the folder of its organisation and month, or of the stage', async () => {
    const [ofOrganisation, ofStage] = [write(), write(YEAR_AGO, 'STAGE')];
    expect(await copy(eventOf('INSERT', ofOrganisation), eventOf('INSERT', ofStage))).toEqual({
      copied: 2,
      changes: [],
    });
    expect(s3.keys()).toEqual([keyOf(ofOrganisation), `audit/stage/2025-11/${ofStage['sk']}.json`]);
    expect(await s3.json(keyOf(ofOrganisation))).toEqual(ofOrganisation);
  });

  test('is made once if the stream shows the row twice', async () => {
    const row = write();
    await copyRow(row);
    expect(await copyRow(row)).toEqual({ copied: 0, changes: [] });
    expect(s3.keys()).toEqual([keyOf(row)]);
  });

  test('stays as it is if the row is changed, deleted or written again, and each event is recorded', async () => {
    const row = write();
    const changed = { ...row, actor: 'bola' };
    await copyRow(row);
    const { changes } = await copy(
      eventOf('MODIFY', changed, row),
      eventOf('REMOVE', changed, changed),
      eventOf('INSERT', { ...row, actor: 'chidi' }),
    );
    expect(changes.map(({ event }) => event)).toEqual(['MODIFY', 'REMOVE', 'INSERT']);
    expect(await s3.json(keyOf(row))).toEqual(row);
    const recorded = s3.keys().filter((key) => key.startsWith('changed/2026-11-12/'));
    expect(recorded).toHaveLength(3);
    expect(await s3.json(recorded[0] ?? '')).toMatchObject({ before: row, after: changed });
  });

  test('keeps large integers and sets, which only a changed row has, and equals the row afterwards', async () => {
    const row = { ...write(), credits: 2n ** 70n, labels: new Set(['a', 'b']) };
    rows = [row];
    await copyRow(row);
    expect(await s3.json(keyOf(row))).toMatchObject({
      credits: { integer: '1180591620717411303424' },
      labels: { set: ['a', 'b'] },
    });
    expect(await compared()).toEqual([]);
  });

  test('is tried again if the bucket does not confirm it, and the rows after it are copied', async () => {
    const [first, second] = [write(), write()];
    const records = [eventOf('INSERT', first), eventOf('INSERT', second), eventOf('REMOVE', first, first)];
    const isRejected = ({ id }: { readonly id: string }) => id === first['sk'];
    const putRow: typeof archive.putRow = async (key, row) => {
      if (isRejected(key)) throw new Error('503 SlowDown');
      return archive.putRow(key, row);
    };
    const run = (changed = {}) => copyTrail(records, table as never, { ...archive, ...changed });
    await expect(run({ putRow })).rejects.toThrow('503 SlowDown');
    const others = [keyOf(second), expect.stringMatching(/^changed/)];
    expect(s3.keys()).toEqual(others);
    // By hand.
    write();
    await expect(copyTrail(undefined, table as never, { ...archive, putRow })).rejects.toThrow(
      '503 SlowDown',
    );
    expect(s3.keys()).toHaveLength(3);
    await run();
    expect(s3.keys()).toEqual(expect.arrayContaining([keyOf(first), ...others]));
  });

  test('is not made of approvals that earlier versions stored in the table, which expire', async () => {
    const row = { pk: APPROVALS_PK, sk: 'REQUEST#1' };
    expect(await copy(eventOf('INSERT', row), eventOf('REMOVE', row, row))).toEqual({
      copied: 0,
      changes: [],
    });
    expect(s3.keys()).toEqual([]);
  });

  test('is made of all rows that have none if the function is run by hand', async () => {
    const [first, second] = [write(), write()];
    await copyRow(first);
    rows.push({ pk: APPROVALS_PK, sk: 'REQUEST#1' });
    expect(await copyAll(table, archive)).toEqual({ copied: 1, changes: [] });
    expect(s3.keys()).toEqual([keyOf(first), keyOf(second)].sort());
    const { pk, sk } = tamper(first, { actor: 'bola' }) ?? {};
    expect(await copyAll(table, archive)).toEqual({ copied: 0, changes: [{ event: 'MODIFY', pk, sk }] });
  });
});

describe('the comparison', () => {
  test('finds nothing if all rows have equal copies, and ignores rows that are less than an hour old', async () => {
    await copyRow(write());
    await copyRow(write(YEAR_AGO, 'STAGE'));
    write(NOW - 59 * 60_000);
    expect(await compared()).toEqual([]);
  });

  test('names a row without a copy', async () => {
    const row = write(NOW - 61 * 60_000);
    expect(await compared()).toEqual([['trail-not-copied', row['sk'], 'none']]);
  });

  test('names a row that was removed, and says what it was', async () => {
    const row = write(YEAR_AGO);
    await copyRow(row);
    tamper(row);
    const problems = await compareTrail({ table, archive }, { organisations: [] }, NOW);
    const atMs = YEAR_AGO;
    expect(problems).toEqual([
      {
        kind: 'trail-removed',
        organisationId: ORG,
        id: row['sk'],
        atMs,
        expected: 'org approve by ada',
        found: 'none',
      },
    ]);
  });

  test('names a row that was changed, and the attributes that differ', async () => {
    const row = write();
    await copyRow(row);
    tamper(row, { actor: 'bola', expiresAt: 1 });
    expect(await compared()).toEqual([['trail-changed', row['sk'], 'different: actor, expiresAt']]);
  });

  test.each([
    ['replaces', (row: Row) => s3.replace(keyOf(row), { ...row, actor: 'bola' })],
    ['hides', (row: Row) => s3.hide(keyOf(row))],
  ])('names a changed row even if someone %s its copy', async (_, cover) => {
    const row = write();
    await copyRow(row);
    tamper(row, { actor: 'bola' });
    cover(row);
    expect(await compared()).toEqual([['trail-changed', row['sk'], 'different: actor']]);
  });

  test('names a row whose copy has a second version', async () => {
    const row = write();
    await copyRow(row);
    s3.replace(keyOf(row), row);
    expect(await compared()).toEqual([['trail-changed', row['sk'], '2 versions']]);
  });

  test('names a change that was undone', async () => {
    const row = write();
    await copyRow(row);
    await copy(eventOf('MODIFY', { ...row, actor: 'bola' }, row));
    await copy(eventOf('MODIFY', row, { ...row, actor: 'bola' }));
    const found = 'changed at 2026-11-12T12:00:00.000Z';
    expect(await compared()).toEqual([
      ['trail-event', row['sk'], found],
      ['trail-event', row['sk'], found],
    ]);
  });

  test('of one organisation leaves out the stage and other organisations', async () => {
    const ofStage = write(NOW - 2 * HOUR_MS, 'STAGE');
    const ofOther = write(NOW - 2 * HOUR_MS, 'abcdefghij');
    await copy(eventOf('REMOVE', ofStage, ofStage), eventOf('REMOVE', ofOther, ofOther));
    expect(await compared({ organisations: [ORG], isOnlyThese: true })).toEqual([]);
    expect(await compared()).toHaveLength(3);
  });
});

describe('the daily comparison', () => {
  const organisations = [{ id: ORG, createdAt: new Date(YEAR_AGO).toISOString() }];
  const daily = (nowMs = NOW) => compareTrailOfDay({ table, archive }, organisations, nowMs);

  test('names a change to an old row at once, as a difference that contains no personal data', async () => {
    const row = write(YEAR_AGO);
    await copyRow(row);
    await copy(eventOf('REMOVE', row, row));
    tamper(row);
    expect(await daily()).toContainEqual({
      kind: 'trail-event',
      env: '',
      organisation: ORG,
      day: '2026-11-12',
      reference: row['sk'],
      expected: 'unchanged',
      found: 'deleted at 2026-11-12T12:00:00.000Z',
    });
  });

  test('does not repeat a change after three days', async () => {
    const row = write();
    await copyRow(row);
    await copy(eventOf('MODIFY', row, row));
    expect(await daily(NOW + 3 * DAY_MS)).toHaveLength(1);
    expect(await daily(NOW + 4 * DAY_MS)).toEqual([]);
  });

  test('finds a change that the stream did not show when the turn of its month comes', async () => {
    const row = write(YEAR_AGO);
    await copyRow(row);
    tamper(row, { actor: 'bola' });
    const found = [];
    for (let day = 0; day < 13; day += 1) found.push(...(await daily(NOW + day * DAY_MS)));
    expect(found.map(({ kind, reference }) => [kind, reference])).toEqual([['trail-changed', row['sk']]]);
  });

  test('reads the copies of an organisation with very many in turn', async () => {
    const all = Array.from({ length: 10_001 }, (_, index) => {
      const row = write(NOW - 2 * HOUR_MS - index);
      const id = String(row['sk']);
      return [id, { organisationId: ORG, id, key: '', versionId: '', versions: 1 }] as const;
    });
    const contents = new Map(rows.map((row) => [row['sk'], row]));
    const reads: string[][] = [];
    const readRow = async ({ id }: { readonly id: string }) => {
      reads.at(-1)?.push(id);
      return contents.get(id);
    };
    const listRows = async (organisationId?: string, month?: string) =>
      new Map(organisationId === ORG && month === '2026-11' ? all : []);
    const source = { table, archive: { ...archive, listRows, readRow } };
    for (let day = 0; day < 3; day += 1) {
      reads.push([]);
      expect(await compareTrailOfDay(source, organisations, NOW + day * DAY_MS)).toEqual([]);
    }
    expect(reads.map(({ length }) => length).sort()).toEqual([3_333, 3_334, 3_334]);
    expect(new Set(reads.flat()).size).toBe(10_001);
  });

  test('compares at most three months, and each earlier month in turn', () => {
    const days = Array.from({ length: 13 }, (_, day) => monthsOfDay(NOW + day * DAY_MS, YEAR_AGO));
    for (const { length } of days) expect(length).toBeLessThanOrEqual(2);
    expect(new Set(days.flat()).size).toBe(13);
    expect(monthsOfDay(Date.parse('2026-12-02T00:00:00Z'), YEAR_AGO).length).toBeLessThanOrEqual(3);
    expect(monthsOfDay(Date.parse('2026-12-02T00:00:00Z'), NOW)).toEqual(['2026-12', '2026-11']);
    expect(monthsOfDay(NOW, NOW)).toEqual(['2026-11']);
  });
});

describe('a row that only an administrator can have written does not stop the copies of others:', () => {
  test('a number that JavaScript cannot read is recorded as a change', async () => {
    const [bad, good] = [write(), write()];
    const event = eventOf('MODIFY', bad, bad);
    const image = event.dynamodb?.NewImage ?? {};
    image['rate'] = { N: '1.5E+120' };
    const { copied, changes } = await copy(event, eventOf('INSERT', good));
    expect({ copied, changed: changes.map(({ sk }) => sk) }).toEqual({ copied: 1, changed: [bad['sk']] });
    expect(await archive.listChanges()).toMatchObject([{ sk: bad['sk'], after: { rate: '1.5E+120' } }]);
  });

  test('a key that is too long for an object is recorded as a change', async () => {
    const row = write(undefined, 'a'.repeat(1_500));
    const { changes } = await copy(eventOf('INSERT', row));
    expect(changes).toHaveLength(1);
    expect(s3.keys().filter((key) => key.length > 1_024)).toEqual([]);
  });
});
