import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen, readBody } from '../../../infra/local/http-server.ts';
import { timeBudget } from '../../../shared/core/time-budget.ts';
import { instanceMemory } from '../../../shared/ledger/dependencies.ts';
import { chargeOperation, finishReplay } from '../../../shared/ledger/end-operation.ts';
import type { Operation } from '../../../shared/ledger/operation.ts';
import { voidRow } from '../../../shared/ledger/rows/charge.ts';
import { ledgerDependencies } from '../../../shared/verifications/middleware/dependencies.ts';

/**
 * Writes of CHARGED and log rows with the real SDK over HTTP. A function may freeze while it waits for a response, and
 * an erasure or the sweeper may act in the meantime. So the SDK itself must not send these rows again: only the ledger
 * checks the time.
 */

const REQUESTED_MS = Date.parse('2026-11-22T12:00:00.000Z');
const { chargeByMs, respondByMs } = timeBudget(REQUESTED_MS);
const TAG = 'v1.the-tag-of-the-number';

interface Sent {
  readonly operation: string;
  readonly body: string;
  /** The function's clock when the database received the call. */
  readonly atMs: number;
}

let nowMs: number;
let sent: Sent[];
/** Whether the database responds to a call. It applies a write in either case. */
let responds: (call: Sent) => boolean;
let stored: Map<string, object>;
let server: Listening;

beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      const call = { operation, body: String(await readBody(request, 100_000)), atMs: nowMs };
      sent.push(call);
      const { status, body } = apply(call);
      if (responds(call)) respond(response, status, body);
    }),
  );
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: server.url,
    DATABASE_TIMEOUT_MS: '500',
    WALLETS_TABLE: 'Wallets',
    VERIFICATION_LOGS_TABLE: 'VerificationLogs',
  });
});
afterAll(() => server.close());
beforeEach(() => {
  nowMs = REQUESTED_MS + 5_000;
  sent = [];
  stored = new Map();
  responds = () => true;
});

/** Puts a row if it does not exist. Other calls find nothing and succeed. */
function apply({ operation, body }: Sent): { status: number; body: object } {
  if (operation !== 'PutItem') return { status: 200, body: {} };
  const { TableName, Item } = JSON.parse(body);
  const key = `${TableName} ${Item.pk.S} ${Item.sk.S}`;
  const old = stored.get(key);
  if (!old) stored.set(key, Item);
  const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
  return old ? { status: 400, body: { __type, Item: old } } : { status: 200, body: {} };
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.setHeader('content-type', 'application/x-amz-json-1.0').writeHead(status);
  response.end(JSON.stringify(body));
}

const isCharge = ({ operation, body }: Sent) => operation === 'PutItem' && body.includes('"CHARGED"');
const isLog = ({ operation, body }: Sent) => operation === 'PutItem' && body.includes(`#${TAG}"`);
const isLateLog = ({ operation }: Sent) => operation === 'TransactWriteItems';

/** Sends no response to the first call of this kind, and freezes the function until the given time. */
function loseFirst(isKind: (call: Sent) => boolean, thawMs = nowMs): void {
  let isFirst = true;
  responds = (call) => {
    if (!isFirst || !isKind(call)) return true;
    isFirst = false;
    nowMs = thawMs;
    return false;
  };
}

const wallet = { env: 'live', organisationId: 'org-a' } as const;
const operation: Operation = {
  id: '01KADA3CV5Y2M2J1Q0Q0000001',
  wallet,
  requestId: 'req_000000000001',
  service: 'nin-basic',
  cost: 1,
  keyLabel: 'key',
  numberTag: TAG,
  requestedAtMs: REQUESTED_MS,
};
const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'sandbox', latencyMs: 10 } as const;
const clock = { nowMs: () => nowMs, pause: async () => undefined, random: () => 0 };

const charge = () => {
  const held = { operation, hold: { shard: 0, holdId: `${operation.id}.1` } };
  return chargeOperation(held, facts, ledgerDependencies().ledger, instanceMemory(), clock);
};
const replay = () => {
  const of = voidRow({ ...operation, id: '01KADA3CV5Y2M2J1Q0Q0000000' }, facts, REQUESTED_MS);
  return finishReplay(operation, of, 'key-hash', facts, ledgerDependencies().ledger, clock);
};

describe('a function that is frozen after sending a write', () => {
  test('does not send CHARGED again after 25.5 s', async () => {
    loseFirst(isCharge, chargeByMs);
    await charge();

    expect(sent.filter(isCharge)).toHaveLength(1);
  });

  test.each([
    ['the log row of its charge', charge],
    ['the log row of a replay', replay],
  ])('does not send %s again without a check of the erasure marker', async (_, end) => {
    loseFirst(isLog, respondByMs + 600_000);
    await end();

    expect(sent.filter(isLog)).toHaveLength(1);
    // Its own response may be late on a busy machine.
    expect(sent.some(isLateLog)).toBe(true);
  });
});

describe('a write whose response is lost is sent again in time:', () => {
  test.each([
    ['CHARGED', isCharge, charge],
    ['the log row of a charge', isLog, charge],
    ['the log row of a replay', isLog, replay],
  ])('%s', async (_, isKind, end) => {
    loseFirst(isKind);
    const decision = await end();

    expect(decision).toBe(end === charge ? 'charged' : undefined);
    expect(sent.filter(isKind)).toHaveLength(2);
    expect(stored.size).toBe(end === charge ? 2 : 1);
    expect(sent.filter(isLateLog)).toEqual([]);
  });
});

test('the ledger sends CHARGED up to six times, but not after 25.5 s', async () => {
  responds = (call) => {
    nowMs += isCharge(call) ? 1_000 : 0;
    return !isCharge(call);
  };
  await charge();
  expect(sent.filter(isCharge)).toHaveLength(6);

  [sent, nowMs] = [[], chargeByMs - 1_500];
  await charge();
  expect(sent.filter(isCharge).map(({ atMs }) => atMs - chargeByMs)).toEqual([-1_500, -500]);
});
