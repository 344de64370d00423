import { CUSTOMER, Inventor } from './inventor.ts';
import type { Account, DayRecord } from './record.ts';

/** The record of a very short day on which everything went well, for those who judge days. */

export const HOT = 'live#hotwallet0';

export function inventedDay(): DayRecord {
  const day = new Inventor();
  day.event({ name: 'bought', wallet: CUSTOMER, credits: 100 });
  day.event({ name: 'bought', wallet: HOT, credits: 1 });
  inventMorning(day);
  inventOutage(day);
  inventRotation(day);
  inventHotWallet(day);
  inventDeployments(day);
  const accounts = [CUSTOMER, HOT].map((wallet) => accountOf(day, wallet));
  const shards = accounts.map(({ wallet, available, entries }) => {
    const credited = entries.filter(({ amount }) => amount > 0).reduce((sum, { amount }) => sum + amount, 0);
    return { pk: `${wallet}#00`, sk: 'WALLET', shard: 0, available, credited, holds: {} };
  });
  return {
    lines: day.lines,
    rows: { names: [CUSTOMER, HOT], wallets: [...day.wallets, ...shards], logs: day.logs, exportedAtMs: 0 },
    accounts,
    reconciliation: { words: '2 wallets were read. They agree.', differencesLater: 0 },
    log: {
      lookUps: { 'dojah timeout': 1, 'dojah unreachable': 1 },
      answers: { INSUFFICIENT_FUNDS: 1 },
      starts: { '1': 2, '2': 1 },
      ...{ faults: 0, unconfirmedCharges: 0, retiredVersions: 2 },
      sweeps: { count: 1, returned: 1, failed: 0, oldestHoldMs: 0 },
    },
  };
}

/** Two requests are cut off: one before its charge, one after it. */
function inventMorning(day: Inventor): void {
  day.phase = 'morning';
  day.ask({ wish: 'missing', code: 'NIN_NOT_FOUND' });
  day.ask({ wish: 'fast', code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 1 });
  day.ask({ wish: 'fast', code: 'NIN_VERIFIED' });
  const route = 'bvn-basic';
  day.ask({ wish: 'cut early', code: 'cut', status: 500, route });
  day.ask({ wish: 'cut early', code: 'REQUEST_IN_PROGRESS', status: 409, route, retryAfterSeconds: 2 });
  day.ask({ wish: 'cut early', code: 'BVN_VERIFIED', route });
  day.ask({ wish: 'cut late', code: 'cut', status: 500, route });
  const replayOf = day.charge('req_unseen', CUSTOMER);
  const requestId = day.ask({ wish: 'cut late', code: 'BVN_VERIFIED', route, isReplay: true });
  day.log(requestId, CUSTOMER, { operationId: 'replay', replayOf, creditsCharged: 0 });
}

function inventOutage(day: Inventor): void {
  day.phase = 'outage';
  const refusal = { code: 'SERVICE_UNAVAILABLE', status: 503, route: 'bvn-basic', retryAfterSeconds: 1 };
  day.event({ name: 'registry', mood: 'hanging' });
  day.event({ name: 'health', status: 'down' });
  day.ask({ wish: 'no second provider', ...refusal });
  day.ask({ wish: 'second provider', code: 'NIN_VERIFIED', provider: 'Sandbox' });
  day.event({ name: 'registry', mood: 'well' });
  day.event({ name: 'health', status: 'up' });
}

function inventRotation(day: Inventor): void {
  day.phase = 'rotation';
  const key = { wallet: CUSTOMER, keyLabel: 'backend' };
  day.ask({ wish: 'old key', code: 'NIN_VERIFIED' });
  day.event({ name: 'revoking', ...key });
  day.event({ name: 'revoked', ...key });
  day.ask({ wish: 'forgetful', code: 'INVALID_API_KEY', status: 401 });
  day.ask({ wish: 'forgetful', code: 'NIN_VERIFIED', keyLabel: 'backend-2' });
}

function inventHotWallet(day: Inventor): void {
  day.phase = 'hot wallet';
  const hot = { wallet: HOT, route: 'nuban-basic', provider: 'Sandbox' };
  day.event({ name: 'shards', wallet: HOT, count: 4 });
  day.ask({ wish: 'last credit', code: 'NUBAN_VERIFIED', ...hot });
  day.ask({ wish: 'too late', code: 'INSUFFICIENT_FUNDS', status: 402, ...hot });
  day.event({ name: 'empty', wallet: HOT, available: 0 });
  day.event({ name: 'bought', wallet: HOT, credits: 5 });
  day.ask({ wish: 'too late', code: 'NUBAN_VERIFIED', ...hot });
}

function inventDeployments(day: Inventor): void {
  day.phase = 'deploy';
  const call = { code: 'TIN_VERIFIED', route: 'tin-basic', keyLabel: 'backend-2' };
  day.ask({ wish: 'old version', ...call, provider: 'Sandbox' });
  for (const [release, provider] of [
    ['2', 'Dojah'],
    ['1', 'Sandbox'],
  ] as const) {
    day.event({ name: 'deploying', release });
    day.event({ name: 'deployed', release });
    day.ask({ wish: `version ${release}`, ...call, provider });
  }
}

function accountOf({ wallets }: Inventor, wallet: string): Account {
  const own = wallets.filter(({ pk }) => String(pk).startsWith(`${wallet}#`));
  const entries = own.map(({ sk, amount, requestId }) =>
    sk === 'CREDIT'
      ? { amount: Number(amount), requestId: '' }
      : { amount: -1, requestId: String(requestId) },
  );
  const available = entries.reduce((sum, { amount }) => sum + amount, 0);
  return { wallet, available, held: 0, closing: available, entries };
}
