import type { Account, SimulationRecord } from './record.ts';
import { CUSTOMER, RecordBuilder } from './record-builder.ts';

/** The wallet that is spent to its last credit. */
export const HOT = 'live#hotwallet0';

/** Returns the record of a very short simulation that breaks no rule, with what `addMore` adds to its morning. */
export function sampleRecord(addMore?: (builder: RecordBuilder) => void): SimulationRecord {
  const builder = new RecordBuilder();
  builder.event({ name: 'topped up', wallet: CUSTOMER, credits: 100 });
  builder.event({ name: 'topped up', wallet: HOT, credits: 1 });
  addMorning(builder);
  addMore?.(builder);
  addOutage(builder);
  addRotation(builder);
  addHotWallet(builder);
  addDeployments(builder);
  const accounts = [CUSTOMER, HOT].map((wallet) => accountOf(builder, wallet));
  const shards = accounts.map(({ wallet, available, entries }) => {
    const credited = entries.filter(({ amount }) => amount > 0).reduce((sum, { amount }) => sum + amount, 0);
    return { pk: `${wallet}#00`, sk: 'WALLET', shard: 0, available, credited, holds: {} };
  });
  return {
    lines: builder.lines,
    rows: {
      names: [CUSTOMER, HOT],
      wallets: [...builder.wallets, ...shards],
      logs: builder.logs,
      exportedAtMs: 0,
    },
    accounts,
    reconciliation: { charges: 13, differences: 0, differencesLater: 0 },
    log: {
      lookUps: { 'dojah timeout': 1, 'dojah unreachable': 1 },
      failedLookUps: 2,
      customMetrics: ['failedRequests', 'foundResults NIN dojah'],
      responses: { INSUFFICIENT_FUNDS: 1 },
      tableTimeouts: [],
      starts: { '1': 2, '2': 1 },
      faults: 0,
      unconfirmedCharges: 0,
      retiredVersions: 2,
      sweeps: { count: 1, released: 1, failed: 0, oldestHoldMs: 0 },
    },
  };
}

/** Two requests are cut off: one before its charge, one after it. */
function addMorning(builder: RecordBuilder): void {
  builder.phase = 'morning';
  builder.request({ idempotencyKey: 'missing', code: 'NIN_NOT_FOUND' });
  builder.request({ idempotencyKey: 'fast', code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 1 });
  builder.request({ idempotencyKey: 'fast', code: 'NIN_VERIFIED' });
  const early = { idempotencyKey: 'cut early', route: 'bvn-basic' };
  builder.request({ ...early, code: 'cut', status: 500 });
  builder.request({ ...early, code: 'REQUEST_IN_PROGRESS', status: 409, retryAfterSeconds: 2 });
  builder.request({ ...early, code: 'BVN_VERIFIED' });
  const late = { idempotencyKey: 'cut late', route: 'bvn-basic' };
  builder.request({ ...late, code: 'cut', status: 500 });
  const replayOf = builder.charge('req_unseen', CUSTOMER);
  const requestId = builder.request({ ...late, code: 'BVN_VERIFIED', isReplay: true });
  builder.log(requestId, CUSTOMER, { operationId: 'replay', replayOf, creditsCharged: 0 });
}

function addOutage(builder: RecordBuilder): void {
  builder.phase = 'outage';
  const unavailable = {
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    route: 'bvn-basic',
    retryAfterSeconds: 1,
  };
  builder.event({ name: 'registry', behaviour: 'hanging' });
  builder.event({ name: 'health', status: 'down' });
  builder.request({ idempotencyKey: 'no second provider', ...unavailable });
  builder.request({ idempotencyKey: 'second provider', code: 'NIN_VERIFIED', provider: 'Sandbox' });
  builder.event({ name: 'registry', behaviour: 'healthy' });
  builder.event({ name: 'health', status: 'up' });
}

function addRotation(builder: RecordBuilder): void {
  builder.phase = 'rotation';
  const key = { wallet: CUSTOMER, keyLabel: 'backend' };
  builder.request({ idempotencyKey: 'before', code: 'NIN_VERIFIED' });
  builder.event({ name: 'revoking', ...key });
  builder.event({ name: 'revoked', ...key });
  builder.request({ idempotencyKey: 'after', code: 'INVALID_API_KEY', status: 401 });
  builder.request({ idempotencyKey: 'after', code: 'NIN_VERIFIED', keyLabel: 'backend-2' });
}

function addHotWallet(builder: RecordBuilder): void {
  builder.phase = 'hot wallet';
  const hot = { wallet: HOT, route: 'nuban-basic', provider: 'Sandbox' };
  builder.event({ name: 'shards', wallet: HOT, count: 4 });
  builder.request({ idempotencyKey: 'last credit', code: 'NUBAN_VERIFIED', ...hot });
  builder.request({ idempotencyKey: 'too late', code: 'INSUFFICIENT_FUNDS', status: 402, ...hot });
  builder.event({ name: 'empty', wallet: HOT, available: 0 });
  builder.event({ name: 'topped up', wallet: HOT, credits: 5 });
  builder.request({ idempotencyKey: 'too late', code: 'NUBAN_VERIFIED', ...hot });
}

function addDeployments(builder: RecordBuilder): void {
  builder.phase = 'deploy';
  const tin = { code: 'TIN_VERIFIED', route: 'tin-basic', keyLabel: 'backend-2' };
  builder.request({ idempotencyKey: 'first release', ...tin, provider: 'Sandbox' });
  for (const [release, provider] of [
    ['2', 'Dojah'],
    ['1', 'Sandbox'],
  ] as const) {
    builder.event({ name: 'deploying', release });
    builder.event({ name: 'deployed', release });
    builder.request({ idempotencyKey: `release ${release}`, ...tin, provider });
  }
}

function accountOf({ wallets }: RecordBuilder, wallet: string): Account {
  const own = wallets.filter(({ pk, sk }) => String(pk).startsWith(`${wallet}#`) && sk !== 'IDEMPOTENCY');
  const entries = own.map(({ sk, amount, requestId }) =>
    sk === 'CREDIT'
      ? { amount: Number(amount), requestId: '' }
      : { amount: -1, requestId: String(requestId) },
  );
  const available = entries.reduce((sum, { amount }) => sum + amount, 0);
  return { wallet, available, held: 0, closing: available, entries };
}
