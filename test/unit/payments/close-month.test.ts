import { describe, expect, test } from '@jest/globals';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../../shared/audit/recorder.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import { sealTable } from '../../../shared/ledger/reconcile/seal-table.ts';
import { openStatement } from '../../../shared/ledger/statement/read-statement.ts';
import type { StatementTable } from '../../../shared/ledger/statement/statement-table.ts';
import { documentTable } from '../../../shared/payments/documents/document-table.ts';
import { lotPositions, useOfMonth } from '../../../shared/payments/lots/lot-positions.ts';
import type { ClosingDependencies } from '../../../shared/payments/months/begin-closing.ts';
import { carriedForward } from '../../../shared/payments/months/carried-forward.ts';
import { closeMonths } from '../../../shared/payments/months/close-months.ts';
import { reopenMonth } from '../../../shared/payments/months/reopen-month.ts';
import { networkError } from '../../ledger/simulation/network.ts';
import { closeMonth } from '../../support/payments/close-month.ts';
import { memoryClient } from './memory-payments.ts';
import { MonthWorld, paidTerms } from './month-world.ts';

const NOVEMBER = '2026-11';
/** Ten minutes after the end of November in Lagos. */
const CLOSABLE = '2026-11-30T23:10:00.000Z';
const ORGANISATION = 'aaaaaaaaaa';

/** Returns a wallet with two lots, three charges and a correction in November, and a charge in December. */
async function november(world = new MonthWorld('2026-11-02T10:00:00.000Z')) {
  const wallet = await world.organisation(ORGANISATION);
  const first = await world.buy(wallet, 10);
  await world.at('2026-11-03T10:00:00.000Z').buy(wallet, 5, { kind: 'promotional' });
  await world.at('2026-11-10T10:00:00.000Z').verify(wallet, 3, 'nin-premium');
  await world.at('2026-11-11T10:00:00.000Z').verify(wallet);
  await world.at('2026-11-20T10:00:00.000Z').remove(wallet, 2);
  await world.at('2026-11-30T22:59:59.999Z').verify(wallet);
  // 23:00 UTC is midnight in Lagos: this charge belongs to December.
  await world.at('2026-11-30T23:00:00.000Z').verify(wallet);
  return { world, wallet, first };
}

async function close(
  world: MonthWorld,
  wallet: WalletId,
  month = NOVEMBER,
  deps: ClosingDependencies = world.deps,
) {
  return closeMonth({ scope: await world.scope(wallet), month, actor: 'ada' }, deps);
}

const documentsOf = (world: MonthWorld, wallet: WalletId) =>
  documentTable(world.memory.client, 'Payments').listDocuments(wallet, 'STATEMENT');

describe('a closed month', () => {
  test('has the figures of all lines of the month in Lagos, and a statement', async () => {
    const { world, wallet, first } = await november();
    const { closing, existed } = await close(world.at(CLOSABLE), wallet);
    expect(existed).toBe(false);
    expect(closing).toMatchObject({
      month: NOVEMBER,
      state: 'CLOSED',
      startedBy: 'ada',
      statement: 'IDVS-2026-000001',
    });
    expect(closing.figures).toMatchObject({
      credits: { opening: 0, toppedUp: 15, corrected: -2, charged: 5, closing: 8 },
      value: { paidKobo: 50_000, earnedKobo: 25_000, refundedKobo: 0, expiredKobo: 0, deferredKobo: 25_000 },
      services: [
        { service: 'nin-basic', requests: 2, credits: 2, earnedKobo: 10_000 },
        { service: 'nin-premium', requests: 1, credits: 3, earnedKobo: 15_000 },
      ],
      lines: 6,
    });
    const [paid, free] = await world.lots.listLots(wallet);
    expect(paid).toMatchObject({ id: first.lot, consumed: { [NOVEMBER]: 5 }, remaining: 5 });
    expect(free).toMatchObject({
      consumed: {},
      remaining: 3,
      withdrawals: [{ kind: 'removed', credits: 2 }],
    });
    const documents = await documentsOf(world, wallet);
    expect(documents).toMatchObject([
      { number: 'IDVS-2026-000001', statement: { month: NOVEMBER, closingCredits: 8, usedCredits: 5 } },
    ]);
  });

  test('does not wait for a request of the next month that holds credits', async () => {
    const { world, wallet } = await november();
    await world.at('2026-11-30T23:09:59.000Z').verify(wallet, 1, 'nin-basic', false);
    expect((await close(world.at(CLOSABLE), wallet)).closing.state).toBe('CLOSED');
  });

  test('does not change if it is closed a second time', async () => {
    const { world, wallet } = await november();
    const first = await close(world.at(CLOSABLE), wallet);
    const writes = world.memory.writes.length;
    expect(await close(world, wallet)).toEqual({ closing: first.closing, existed: true });
    expect(world.memory.writes).toHaveLength(writes);
  });

  test('carries its balance forward', async () => {
    const { world, wallet } = await november();
    await close(world.at(CLOSABLE), wallet);
    await world.at('2026-12-05T10:00:00.000Z').buy(wallet, 4);
    const { closing } = await close(world.at('2027-01-01T10:00:00.000Z'), wallet, '2026-12');
    expect(closing.figures?.credits).toEqual({
      opening: 8,
      toppedUp: 4,
      corrected: 0,
      charged: 1,
      closing: 11,
    });
    expect(closing.figures?.value).toMatchObject({
      paidKobo: 20_000,
      earnedKobo: 5_000,
      deferredKobo: 40_000,
    });
  });

  test('has the same figures when it is computed again, even after the lots have changed in later months', async () => {
    const { world, wallet, first } = await november();
    const { closing } = await close(world.at(CLOSABLE), wallet);
    await world.at('2026-12-02T10:00:00.000Z').refund(wallet, first.lot ?? '', 2);
    await world.verify(wallet, 2);
    await close(world.at('2027-01-01T10:00:00.000Z'), wallet, '2026-12');
    const lots = await world.lots.listLots(wallet);
    const again = await useOfMonth(
      await world.scope(wallet),
      NOVEMBER,
      { lots, opening: 0 },
      world.deps.statement,
    );
    expect(again.figures).toEqual(closing.figures);
  });

  test('of a wallet that was never used, or whose buyer is unknown, has no statement', async () => {
    const world = new MonthWorld('2026-11-02T10:00:00.000Z');
    const unused = await world.organisation(ORGANISATION);
    const unknown = await world.organisation('bbbbbbbbbb', 1, false);
    await world.buy(unknown, 3);
    world.at(CLOSABLE);
    for (const wallet of [unused, unknown]) {
      const { closing } = await close(world, wallet);
      expect(closing.state).toBe('CLOSED');
      expect(closing).not.toHaveProperty('statement');
    }
  });

  test('adds up the shards of a wallet', async () => {
    const world = new MonthWorld('2026-11-02T10:00:00.000Z');
    const wallet = await world.organisation(ORGANISATION, 3);
    await world.buy(wallet, 30);
    for (const shard of [2, 0, 1]) {
      world.nowMs += 1000;
      await world.verify(wallet, 2, 'nin-basic', true, shard);
    }
    const { closing } = await close(world.at(CLOSABLE), wallet);
    expect(closing.figures).toMatchObject({ credits: { charged: 6, closing: 24 }, lines: 4 });
  });

  test('writes more lots than fit into one transaction', async () => {
    const world = new MonthWorld('2026-11-02T10:00:00.000Z');
    const wallet = await world.organisation(ORGANISATION);
    for (let lot = 0; lot < 130; lot += 1) {
      world.nowMs += 1;
      await world.buy(wallet, 1, paidTerms(1, lot));
    }
    await world.verify(wallet, 125);
    const { closing } = await close(world.at(CLOSABLE), wallet);
    expect(closing.figures?.value.earnedKobo).toBe((124 * 125) / 2);
    const used = (await world.lots.listLots(wallet)).filter(({ remaining }) => remaining === 0);
    expect(used).toHaveLength(125);
  });
});

describe('a month cannot be closed', () => {
  test('earlier than 10 minutes after its end in Lagos', async () => {
    const { world, wallet } = await november();
    await expect(close(world.at('2026-11-30T23:09:59.999Z'), wallet)).rejects.toThrow(
      '2026-11 cannot be closed before 2026-11-30T23:10:00.000Z',
    );
    expect(await world.deps.closings.getClosing(wallet, NOVEMBER)).toBeUndefined();
  });

  test('before earlier months in which the wallet was used', async () => {
    const { world, wallet } = await november();
    await expect(close(world.at('2027-01-01T10:00:00.000Z'), wallet, '2026-12')).rejects.toThrow(
      'close 2026-11 first',
    );
  });

  test('while a month between it and the last closed one is open', async () => {
    const { world, wallet } = await november();
    await close(world.at(CLOSABLE), wallet);
    await expect(close(world.at('2027-03-01T10:00:00.000Z'), wallet, '2027-02')).rejects.toThrow(
      'close 2026-12 first',
    );
  });

  test('after a later month was closed', async () => {
    const world = new MonthWorld('2026-12-02T10:00:00.000Z');
    const wallet = await world.organisation(ORGANISATION);
    await close(world.at('2027-01-01T10:00:00.000Z'), wallet, '2026-12');
    await expect(close(world, wallet)).rejects.toThrow('2026-12 is already closed');
  });

  test('while a request of the month holds credits, and the error names it', async () => {
    const { world, wallet } = await november();
    const open = await world.at('2026-11-30T22:59:59.000Z').verify(wallet, 2, 'nin-basic', false);
    await expect(close(world.at(CLOSABLE), wallet)).rejects.toThrow(open.requestId);
    expect(await world.deps.closings.getClosing(wallet, NOVEMBER)).toBeUndefined();
    await world.release(open);
    expect((await close(world, wallet)).closing.figures?.credits.charged).toBe(5);
  });

  test('if a credit has no lot', async () => {
    const { world, wallet } = await november();
    await world.at('2026-11-25T10:00:00.000Z');
    const row = {
      reference: 'BY-HAND',
      kind: 'TOP_UP',
      amount: 5,
      shard: 0,
      actor: 'x',
      reason: '',
    } as const;
    await world.credits.addCredit(wallet, { ...row, createdAt: '2026-11-25T10:00:00.000Z' });
    await expect(close(world.at(CLOSABLE), wallet)).rejects.toThrow('have no lot: BY-HAND');
  });
});

describe('a booking into a closed month', () => {
  test.each(['2026-11-15T10:00:00.000Z', '2026-11-30T22:59:59.999Z'])(
    'is rejected by the database if the clock of the machine says %s',
    async (time) => {
      const { world, wallet, first } = await november();
      await close(world.at(CLOSABLE), wallet);
      const writes = world.memory.writes.length;
      world.at(time);
      await expect(world.buy(wallet, 7)).rejects.toThrow('2026-11 of this wallet is closed');
      await expect(world.remove(wallet, 1)).rejects.toThrow('2026-11 of this wallet is closed');
      await expect(world.refund(wallet, first.lot ?? '', 1)).rejects.toThrow(
        '2026-11 of this wallet is closed',
      );
      expect(world.memory.writes).toHaveLength(writes);
      await world.at(CLOSABLE).buy(wallet, 7);
    },
  );

  test('is rejected while the month is being closed', async () => {
    const { world, wallet } = await november();
    world.memory.before = ({ input }) => {
      if (JSON.stringify(input).includes('statementKey')) throw new Error('killed');
    };
    await expect(close(world.at(CLOSABLE), wallet)).rejects.toThrow('killed');
    world.memory.before = () => undefined;
    expect(await world.deps.closings.getClosing(wallet, NOVEMBER)).toMatchObject({ state: 'CLOSING' });
    await expect(world.at('2026-11-30T10:00:00.000Z').buy(wallet, 7)).rejects.toThrow('closed');
  });
});

/** Runs an action before the call with this index, counted from now. Returns a counter of the calls. */
function beforeCall(world: MonthWorld, index: number, action: () => Promise<void>) {
  const counter = { calls: 0 };
  world.memory.before = async () => {
    counter.calls += 1;
    if (counter.calls !== index) return;
    const { before } = world.memory;
    world.memory.before = () => undefined;
    await action();
    world.memory.before = before;
  };
  return counter;
}

/**
 * Returns dependencies whose index `statement` lags as on AWS: the lines in `late` can be read only two seconds after
 * they were written.
 */
function laggingStatement(world: MonthWorld, late: ReadonlyMap<string, number>): ClosingDependencies {
  const { statement } = world.deps;
  return {
    ...world.deps,
    statement: {
      async *entries(...range: Parameters<typeof statement.entries>) {
        for await (const line of statement.entries(...range))
          if (world.nowMs >= (late.get(line.id) ?? 0) + 2_000) yield line;
      },
    },
  };
}

describe('a booking at the same time as a closing', () => {
  test('is in the closed month or is rejected, whatever the order', async () => {
    const results = new Set<string>();
    for (let index = 1, calls = index; index <= calls; index += 1) {
      const { world, wallet } = await november();
      world.at(CLOSABLE);
      const late = new Map<string, number>();
      const counter = beforeCall(world, index, async () => {
        // A process that has been frozen since the last minute of November.
        const { nowMs } = world;
        world.at('2026-11-30T22:59:30.000Z');
        const booked = await Promise.allSettled([world.buy(wallet, 7), world.remove(wallet, 1)]);
        world.nowMs = nowMs;
        for (const one of booked) if (one.status === 'fulfilled') late.set(one.value.reference, nowMs);
      });
      const { closing } = await close(world, wallet, NOVEMBER, laggingStatement(world, late));
      calls = counter.calls;
      world.memory.before = () => undefined;
      results.add(late.size === 2 ? 'booked' : late.size === 0 ? 'rejected' : 'half');
      const counted = late.size === 2 ? { toppedUp: 22, corrected: -3 } : { toppedUp: 15, corrected: -2 };
      expect(closing.figures?.credits).toMatchObject(counted);
      const lots = await world.lots.listLots(wallet);
      expect(lots).toHaveLength(late.size === 2 ? 3 : 2);
    }
    expect([...results].sort()).toEqual(['booked', 'rejected']);
  });
});

describe('a refund in the next month at the same time as a closing', () => {
  test('remains in the lot, whatever the order', async () => {
    for (let index = 1, calls = index; index <= calls; index += 1) {
      const { world, wallet, first } = await november();
      const id = first.lot ?? '';
      const counter = beforeCall(world.at(CLOSABLE), index, async () => {
        await world.refund(wallet, id, 2);
      });
      const { closing } = await close(world, wallet);
      calls = counter.calls;
      world.memory.before = () => undefined;
      const [lot] = await world.lots.listLots(wallet);
      const withdrawals = [{ kind: 'refunded', credits: 2, month: '2026-12' }];
      expect(lot).toMatchObject({ id, consumed: { [NOVEMBER]: 5 }, withdrawals, remaining: 3 });
      expect(closing.figures?.value).toMatchObject({ refundedKobo: 0, deferredKobo: 25_000 });
    }
  });
});

describe('two concurrent closings of a month', () => {
  test('write one statement, whatever the order', async () => {
    for (let index = 1, calls = index; index <= calls; index += 1) {
      const { world, wallet } = await november();
      const counter = beforeCall(world.at(CLOSABLE), index, async () => {
        await close(world, wallet);
      });
      const { closing } = await close(world, wallet);
      calls = counter.calls;
      world.memory.before = () => undefined;
      expect(await world.deps.closings.getClosing(wallet, NOVEMBER)).toEqual(closing);
      expect(await documentsOf(world, wallet)).toHaveLength(1);
    }
  });
});

describe('a closing that is killed', () => {
  test.each(['before', 'after'])(
    '%s one of its calls to the database is completed when it is run again',
    async (when) => {
      const expected = await november();
      const { closing } = await close(expected.world.at(CLOSABLE), expected.wallet);
      for (let index = 1, isKilled = true; isKilled; index += 1) {
        const { world, wallet } = await november();
        isKilled = false;
        let calls = 0;
        const { client } = world.memory;
        const send = client.send.bind(client);
        const kill = async (command: Parameters<typeof send>[0]) => {
          calls += 1;
          const isNow = calls === index;
          isKilled ||= isNow;
          if (isNow && when === 'before') throw new Error('killed');
          const result = await send(command);
          if (isNow) throw new Error('killed');
          return result;
        };
        Object.assign(client, { send: kill });
        world.at(CLOSABLE);
        if (
          await close(world, wallet).then(
            () => false,
            () => true,
          )
        )
          await close(world, wallet);
        Object.assign(client, { send });
        const stored = await world.deps.closings.getClosing(wallet, NOVEMBER);
        // IDs are random, and the hashes cover them. All other figures are the same as without the interruption.
        const { lotsSha256: _, linesSha256: __, linesXor: ___, ...figures } = closing.figures ?? {};
        expect(stored?.figures).toMatchObject(figures);
        expect(stored).toMatchObject({ state: 'CLOSED', statement: 'IDVS-2026-000001' });
        expect(await documentsOf(world, wallet)).toHaveLength(1);
        const remaining = (await world.lots.listLots(wallet)).map((lot) => lot.remaining);
        expect(remaining).toEqual([5, 3]);
      }
    },
  );
});

test('the row of a closed month, which has at most 400 KB, does not grow with the open lots of the wallet', async () => {
  const { world, wallet } = await november();
  for (let count = 0; count < 100; count += 1) await world.at('2026-11-12T10:00:00.000Z').buy(wallet, 1);
  const { closing } = await close(world.at(CLOSABLE), wallet);
  expect(closing.figures?.value.deferredKobo).toBe(25_000 + 100 * 5_000);
  // 4,500 open lots had more than 400 KB.
  expect(JSON.stringify(closing).length).toBeLessThan(1_500);
});

describe('a month that is reopened', () => {
  function recorded() {
    const memory = memoryClient();
    const audit = auditTable(memory.client, 'AuditTrail');
    const run = { actor: 'ada', action: 'month reopen', commandId: newOperationId() };
    const world = new MonthWorld('2026-11-02T10:00:00.000Z', auditRecorder(audit, run, Date.now), memory);
    return { world, audit };
  }

  test('accepts bookings, is in the audit trail, and gets a new statement when it is closed again', async () => {
    const { world: start, audit } = recorded();
    const { world, wallet } = await november(start);
    await close(world.at(CLOSABLE), wallet);
    await reopenMonth({ wallet, month: NOVEMBER, reason: 'wrong price of a lot' }, world.deps);
    await world.at('2026-11-25T10:00:00.000Z').buy(wallet, 2);
    const { closing, existed } = await close(world.at(CLOSABLE), wallet);
    expect(existed).toBe(false);
    expect(closing).toMatchObject({
      statement: 'IDVS-2026-000002',
      figures: { credits: { toppedUp: 17, closing: 10 } },
    });
    expect((await documentsOf(world, wallet)).map(({ number, replaces }) => [number, replaces])).toEqual([
      ['IDVS-2026-000002', 'IDVS-2026-000001'],
      ['IDVS-2026-000001', undefined],
    ]);
    const changes = (await audit.listEntries(ORGANISATION)).filter(({ target }) =>
      target.startsWith('month'),
    );
    expect(changes.map(({ after }) => after?.['state']).sort()).toEqual(['CLOSED', 'CLOSED', 'REOPENED']);
  });

  test('has the same figures if nothing was booked in the meantime', async () => {
    const { world, wallet } = await november();
    const { closing } = await close(world.at(CLOSABLE), wallet);
    await reopenMonth({ wallet, month: NOVEMBER, reason: 'a check' }, world.deps);
    expect((await close(world, wallet)).closing.figures).toEqual(closing.figures);
    expect((await world.lots.listLots(wallet)).map(({ remaining }) => remaining)).toEqual([5, 3]);
  });

  test('must be the last closed month', async () => {
    const { world, wallet } = await november();
    await close(world.at(CLOSABLE), wallet);
    await close(world.at('2027-01-01T10:00:00.000Z'), wallet, '2026-12');
    const reopen = (month: string) => reopenMonth({ wallet, month, reason: 'a reason' }, world.deps);
    await expect(reopen(NOVEMBER)).rejects.toThrow('Reopen 2026-12 first');
    await expect(reopen('2026-10')).rejects.toThrow('Reopen 2026-12 first');
    await reopen('2026-12');
    await reopen(NOVEMBER);
    await expect(close(world, wallet, '2026-12')).rejects.toThrow('close 2026-11 first');
    await close(world, wallet);
    await close(world, wallet, '2026-12');
    expect((await world.lots.listLots(wallet)).map(({ remaining }) => remaining)).toEqual([4, 3]);
  });

  test('is not reopened if the next month is closed at the same time', async () => {
    const { world, wallet } = await november();
    await close(world.at(CLOSABLE), wallet);
    world.at('2027-01-01T10:00:00.000Z');
    // The other command writes the row of December after the reopening has read the closings.
    beforeCall(world, 2, async () => {
      await close(world, wallet, '2026-12');
    });
    await expect(reopenMonth({ wallet, month: NOVEMBER, reason: 'a reason' }, world.deps)).rejects.toThrow(
      'someone else',
    );
    expect(await world.deps.closings.getClosing(wallet, NOVEMBER)).toMatchObject({ state: 'CLOSED' });
  });
});

describe('a statement after a closed month', () => {
  test('begins with the balance carried forward and reads no earlier lines', async () => {
    const { world, wallet } = await november();
    await close(world.at(CLOSABLE), wallet);
    world.nowMs += 1000;
    await world.verify(wallet);
    const scope = await world.scope(wallet);
    const read: string[] = [];
    const { statement, closings } = world.deps;
    const table: StatementTable = {
      entries: (...range) => {
        read.push(range[1]);
        return statement.entries(...range);
      },
    };
    const range = { from: '2026-12-02T00:00:00.000Z', to: '2026-12-03T00:00:00.000Z' };
    const all = await openStatement(scope, range, undefined, statement);
    const failed: unknown[] = [];
    const find = carriedForward(closings, (error) => failed.push(error));
    const short = await openStatement(scope, range, undefined, table, find);
    expect(short.openingBalance).toBe(6);
    expect(short.openingBalance).toBe(all.openingBalance);
    // The UTC months that contain the hour after midnight in Lagos and the rest of December.
    expect(read).toEqual(['2026-11', '2026-12']);
    expect(await find(wallet, '2026-11-30T22:59:59.999Z')).toBeUndefined();
    expect(await find(wallet, '2026-11-30T23:00:00.000Z')).toMatchObject({ balance: 8 });
    await reopenMonth({ wallet, month: NOVEMBER, reason: 'a check' }, world.deps);
    expect(await find(wallet, range.from)).toBeUndefined();
    expect(failed).toEqual([]);
  });

  test('counts all lines if the closings cannot be read', async () => {
    const { world, wallet } = await november();
    await close(world.at(CLOSABLE), wallet);
    const scope = await world.scope(wallet);
    world.memory.before = ({ input }) => {
      if (JSON.stringify(input).includes('CLOSE#')) throw networkError('AccessDeniedException');
    };
    const failed: unknown[] = [];
    const find = carriedForward(world.deps.closings, (error) => failed.push(error));
    const range = { from: '2026-12-02T00:00:00.000Z', to: '2026-12-03T00:00:00.000Z' };
    const { openingBalance } = await openStatement(scope, range, undefined, world.deps.statement, find);
    expect(openingBalance).toBe(7);
    expect(failed).toHaveLength(1);
  });
});

describe('the unspent credits of lots', () => {
  test('are those after the last closed month, minus later use', async () => {
    const { world, wallet } = await november();
    const seals = sealTable(world.memory.client, 'Wallets');
    const reads = { ...world.deps, organisations: world.organisations, seals };
    const positions = async () => [...(await lotPositions(wallet, reads, world.nowMs)).values()];
    const open = await positions();
    await close(world.at(CLOSABLE), wallet);
    expect(open).toEqual([4, 3]);
    expect(await positions()).toEqual(open);
    await world.verify(wallet, 3);
    expect(await positions()).toEqual([1, 3]);
    await world.remove(wallet, 4);
    expect(await positions()).toEqual([0, 0]);
  });
});

describe('closing the month of all wallets', () => {
  const LINES = 250;
  const COUNT = 20;
  /**
   * Reads: closings, lots, holds, lots again, lines of two UTC months, billing, number. Writes: begin, lots, complete.
   */
  const CALLS_PER_WALLET = 11;

  async function manyWallets() {
    const world = new MonthWorld('2026-11-02T10:00:00.000Z');
    const scopes = [];
    for (let index = 0; index < COUNT; index += 1) {
      const wallet = await world.organisation(`wallet${String(index).padStart(4, '0')}`);
      await world.buy(wallet, 1_000);
      for (let line = 1; line < LINES; line += 1) {
        world.nowMs += 1;
        await world.verify(wallet);
      }
      scopes.push(await world.scope(wallet));
    }
    return { world: world.at(CLOSABLE), scopes };
  }

  test('calls the database at most 11 times for each wallet, and once more for each 100 lines', async () => {
    const { world, scopes } = await manyWallets();
    let calls = 0;
    world.memory.before = () => {
      calls += 1;
    };
    const progress: number[] = [];
    const onProgress = (done: number) => progress.push(done);
    const { closed, open } = await closeMonths(
      { month: NOVEMBER, wallets: scopes, actor: 'ada', onProgress },
      world.deps,
    );
    expect(open).toEqual([]);
    expect(closed).toHaveLength(COUNT);
    expect(progress.at(-1)).toBe(COUNT);
    expect(calls).toBeLessThanOrEqual(COUNT * (CALLS_PER_WALLET + LINES / 100));
    const numbers = closed.map(({ closing }) => closing.statement).sort();
    expect(numbers).toEqual(numbers.map((_, index) => `IDVS-2026-${String(index + 1).padStart(6, '0')}`));
  });

  test('continues where it was interrupted', async () => {
    const { world, scopes } = await manyWallets();
    let calls = 0;
    world.memory.before = () => {
      calls += 1;
      if (calls === 190) throw Object.assign(new Error('no connection'), { name: 'TimeoutError' });
    };
    const request = { month: NOVEMBER, wallets: scopes, actor: 'ada' };
    await expect(closeMonths(request, world.deps)).rejects.toThrow('no connection');
    world.memory.before = () => undefined;
    const { closed } = await closeMonths(request, world.deps);
    expect(closed.filter(({ existed }) => existed).length).toBeGreaterThan(0);
    const numbers = closed.map(({ closing }) => closing.statement);
    expect(new Set(numbers).size).toBe(COUNT);
    expect(numbers.sort().at(-1)).toBe(`IDVS-2026-${String(COUNT).padStart(6, '0')}`);
  });

  test('waits for requests that are not settled, and continues after a wallet that cannot be closed', async () => {
    const { world, wallet } = await november();
    world.at('2026-11-20T10:00:00.000Z');
    const slow = await world.organisation('slow000000');
    const stuck = await world.organisation('stuck00000');
    for (const one of [slow, stuck]) await world.buy(one, 5);
    const settled = await world.at('2026-11-30T22:59:59.000Z').verify(slow, 2, 'nin-basic', false);
    const unsettled = await world.verify(stuck, 2, 'nin-basic', false);
    world.at(CLOSABLE);
    const { pause } = world.clock;
    const clock = {
      ...world.clock,
      async pause(ms: number) {
        await pause(ms);
        if (ms === 30_000 && world.nowMs > Date.parse(CLOSABLE) + 60_000) await world.release(settled);
      },
    };
    const wallets = await Promise.all([stuck, slow, wallet].map((one) => world.scope(one)));
    const result = await closeMonths({ month: NOVEMBER, wallets, actor: 'ada' }, { ...world.deps, clock });
    expect(result.closed.map((one) => one.wallet)).toEqual([wallet, slow]);
    expect(result.open).toMatchObject([
      { wallet: stuck, reason: expect.stringContaining(unsettled.requestId) },
    ]);
  });
});
