import { beforeAll, describe, expect, test } from '@jest/globals';
import { check } from '../../ledger/checker/check.ts';
import { LedgerState, number, text } from '../../ledger/checker/ledger-state.ts';
import { evidenceOfExport } from '../../ledger/checker/snapshot.ts';
import type { Soak } from './soak/run-soak.ts';

/**
 * The whole service under mixed requests while its processes are killed, and its books afterwards. Short in
 * `npm test`; `npm run soak` sends 10,000 requests.
 */
const REQUESTS = Number(process.env['SOAK_REQUESTS'] ?? 500);
const CUTS = Number(process.env['SOAK_CUTS'] ?? 100);
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);

/** What the mix must have met, or it proves less than it says. */
const EVERY_OUTCOME = [
  ...['NIN_VERIFIED', 'BVN_VERIFIED', 'TIN_VERIFIED', 'NIN_NOT_FOUND'],
  ...['INSUFFICIENT_FUNDS', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'REQUEST_IN_PROGRESS', 'cut'],
];

// A service of its own: a kill must not hit a function that serves another test.
delete process.env['LOCAL_SERVICE_FILE'];
const { get } = await import('../../support/service.ts');
const { runSoak } = await import('./soak/run-soak.ts');
let soak: Soak;
let books: LedgerState;
beforeAll(async () => {
  const startedMs = Date.now();
  soak = await runSoak({ requests: REQUESTS, cuts: CUTS, seed: SEED });
  books = new LedgerState(soak.rows.names);
  for (const commit of evidenceOfExport(soak.rows, []).commits) books.apply(commit);
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([name, times]) => `${name} ${times}`).join(', ');
  const lines = [
    `seed ${SEED}: ${soak.sent} requests in ${Math.round((Date.now() - startedMs) / 1000)} s, ${soak.kills} kills cut ${soak.cuts} of them`,
    `cut before the decision and decided by others: ${abandoned()}; cut after the charge: ${chargedUnseen()}`,
    `answers: ${list(soak.answers)}`,
    `the same key again: ${list(soak.repeated)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}, 1_800_000);

const chargeRows = () => soak.rows.wallets.filter(({ sk }) => sk === 'CHARGE');

/** Requests that had begun and had not decided: the sweeper, or the next try of their key, decided them. */
const abandoned = () => chargeRows().filter(({ outcome }) => outcome === 'ABANDONED').length;

/** Requests whose charge was durable and whose answer was not: the same key gives the data free. */
function chargedUnseen(): number {
  const answered = new Set(
    soak.calls.filter(({ response }) => response?.hasData).map(({ requestId }) => requestId),
  );
  const charged = chargeRows().filter(({ state }) => state === 'CHARGED');
  return charged.filter((row) => !answered.has(text(row, 'requestId'))).length;
}

/** What a customer sees: the balance, and the statement page by page. */
async function account(key: string) {
  const balance = (await get('/v1/wallet/balance', { key })).json?.data as Record<string, number>;
  let closing = 0;
  const debits = new Map<string, number>();
  for (let cursor: unknown = ''; cursor !== null; ) {
    const page = await get(
      `/v1/wallet/transactions?from=2026-01-01T00:00:00Z&limit=100${cursor ? `&cursor=${cursor}` : ''}`,
      { key },
    );
    const data = page.json?.data as {
      readonly transactions: readonly { type: string; amount: number; request_id: string }[];
      readonly closing_balance: number;
      readonly next_cursor: string | null;
    };
    for (const { type, amount, request_id } of data.transactions)
      if (type === 'debit') debits.set(request_id, -amount);
    closing = data.closing_balance;
    cursor = data.next_cursor;
  }
  return { available: balance['available'], held: balance['held'], closing, debits };
}

describe(`${REQUESTS} mixed requests, ${CUTS} of them cut off by SIGKILL`, () => {
  test('were sent, and cut at several points of the protocol', () => {
    expect(soak.sent).toBeGreaterThanOrEqual(REQUESTS);
    expect(soak.cuts).toBeGreaterThanOrEqual(CUTS);
    expect(soak.kills).toBeGreaterThanOrEqual(CUTS);
    expect(abandoned()).toBeGreaterThan(0);
    expect(chargedUnseen()).toBeGreaterThan(0);
    expect(abandoned() + chargedUnseen()).toBeLessThanOrEqual(soak.cuts);
    expect(soak.answers.get('RATE_LIMITED') ?? 0).toBeLessThan(soak.sent / 20);
    for (const code of EVERY_OUTCOME) expect([code, soak.answers.get(code) ?? 0]).not.toEqual([code, 0]);
  });

  test('break no rule of the ledger, by the independent checker', () => {
    expect(check(evidenceOfExport(soak.rows, soak.calls))).toEqual([]);
  });

  test('with the same key sent again, each cut request is answered for good', () => {
    const open = ['cut', 'REQUEST_IN_PROGRESS', 'OUTCOME_UNKNOWN'];
    expect([...soak.repeated.keys()].filter((code) => open.includes(code))).toEqual([]);
  });

  test('are charged at most once for each wish with a key', () => {
    const keyed = new Set(soak.calls.filter(({ key }) => key).map(({ requestId }) => requestId));
    const byNumber = Map.groupBy(soak.rows.logs, (row) => text(row, 'pk'));
    for (const logs of byNumber.values()) {
      const isKeyed = logs.some((log) => keyed.has(text(log, 'requestId')));
      const charged = logs.filter((log) => number(log, 'creditsCharged') > 0);
      if (isKeyed) expect(charged.length).toBeLessThanOrEqual(1);
    }
  });

  test('leave statement, balance and rows that say the same, to the credit', async () => {
    for (const { id, live } of soak.organisations) {
      const { available, held, closing } = await account(live);
      const wallet = books.wallets.get(`live#${id}`);
      const sum = (wallet?.paid() ?? 0) - (wallet?.spent() ?? 0);
      expect({ available, held, closing, sum }).toEqual({ available: sum, held: 0, closing: sum, sum });
    }
  });

  test('have debits and log rows that match one to one', async () => {
    for (const { id, live } of soak.organisations) {
      const { debits } = await account(live);
      const charged = soak.rows.logs.filter(
        (row) => text(row, 'pk').startsWith(`live#${id}#`) && number(row, 'creditsCharged') > 0,
      );
      const logged = charged.map((row) => [text(row, 'requestId'), number(row, 'creditsCharged')] as const);
      expect(logged).toHaveLength(debits.size);
      expect(new Map(logged)).toEqual(debits);
    }
  });
});
