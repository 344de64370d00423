import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashOf } from '../../shared/accounts/api-key.ts';
import { connect, updateRow } from '../../shared/core/database.ts';
import { limiterKey, TEST_TRAFFIC_KEY } from '../../shared/core/keys.ts';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import { layWires } from '../rigs/bench/stage/one-verification.ts';
import { openStage, type Stage } from '../rigs/bench/stage/stage.ts';
import { eventOf, invoke, newNin } from '../rigs/bench/stage/verify.ts';
import type { SentCall } from '../rigs/bench/stage/wire.ts';

/**
 * The round trips of one verification, in order. They are recorded where the SDK's requests leave the process, so that
 * retries and the SDK's own calls are included (docs/design/performance.md, goal 5).
 */
const sent: SentCall[] = [];
const cleanup = new AsyncDisposableStack();
let stage: Stage;
let handler: LambdaHandler;
beforeAll(async () => {
  stage = await openStage();
  cleanup.defer(() => stage.close());
  cleanup.use(await layWires(stage, sent));
  handler = (await import('../../functions/nin-basic.ts')).handler;
  await verify('0001');
});
afterAll(() => cleanup.disposeAsync());

/** How long an instance caches the state of a registry. Without this pause, the reads depend on the machine's speed. */
const FORGET_MS = 1_000;
const forgetStates = () => new Promise((resolve) => setTimeout(resolve, FORGET_MS));

/** Verifies a number and describes its round trips by table and kind of row. */
async function verify(ending: string, headers: Record<string, string[]> = {}, key = stage.live) {
  await forgetStates();
  sent.length = 0;
  const event = eventOf(key, { id_number: newNin(ending) }, headers);
  const { statusCode } = await invoke(handler, event);
  return { statusCode, calls: sent.map(describeCall) };
}

/** Sets the theoretical arrival time in the live key's limiter to this long after the next request. */
async function setArrivalTime(aheadMs: number): Promise<void> {
  const tatMs = Date.now() + FORGET_MS + aheadMs;
  await updateRow(connect(), stage.environment['API_KEYS_TABLE'] ?? '', limiterKey(hashOf(stage.live)), {
    UpdateExpression: 'SET tatMs = :tatMs',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':tatMs': tatMs },
  });
}

function describeCall({ operation, input }: SentCall): string {
  if (operation === 'look-up') return 'look-up';
  const batch = input['RequestItems'] as Record<string, { Keys: Key[] }> | undefined;
  const [tableName, keys] = batch
    ? [Object.keys(batch)[0], Object.values(batch).flatMap(({ Keys }) => Keys)]
    : [input['TableName'], [(input['Key'] ?? input['Item']) as Key]];
  return `${operation} ${tableName}: ${keys.map(kindOf).join(', ')}`;
}

type Key = Readonly<Record<'pk' | 'sk', { readonly S: string }>>;

function kindOf({ pk, sk }: Key): string {
  if (pk.S === TEST_TRAFFIC_KEY.pk) return 'test traffic';
  if (pk.S.startsWith('RATE#')) return 'limiter';
  if (pk.S.startsWith('REJECTED#')) return 'rejected request';
  if (sk.S.startsWith('KEY#')) return 'key';
  return /^[A-Z]+$/.test(sk.S) ? sk.S : 'log entry';
}

const READ = 'BatchGetItem ApiKeys: ORG, key, limiter, limiter, STATE';
const READ_WITHOUT_STATE = 'BatchGetItem ApiKeys: ORG, key, limiter, limiter';
const LIMITER = 'UpdateItem ApiKeys: limiter';
const RESERVE = 'UpdateItem Wallets: WALLET';
const DECIDE = 'PutItem Wallets: CHARGE';
const LOG = 'PutItem VerificationLogs: log entry';

describe('the round trips of a verification, in order', () => {
  test('a record that is found takes one read, the limiter update, one write before the look-up and two after it', async () => {
    const { statusCode, calls } = await verify('0001');

    expect(statusCode).toBe(200);
    expect(calls).toEqual([READ, LIMITER, RESERVE, 'look-up', DECIDE, LOG]);
  });

  test.each([
    ['an idle key', -60_000],
    ['a key whose theoretical arrival time has just passed', -20],
    ['a busy key', 500],
  ])('are five, not counting the look-up, for %s', async (_, aheadMs) => {
    await setArrivalTime(aheadMs);
    const { statusCode, calls } = await verify('0001');

    expect(statusCode).toBe(200);
    expect(calls.filter((call) => call !== 'look-up')).toEqual([READ, LIMITER, RESERVE, DECIDE, LOG]);
  });

  test('requests read the state of the registry at most once a second', async () => {
    await forgetStates();
    sent.length = 0;
    const startedMs = performance.now();
    for (let count = 0; count < 5; count += 1)
      await invoke(handler, eventOf(stage.live, { id_number: newNin('0001') }));
    const reads = sent.map(describeCall).filter((call) => call.startsWith('BatchGetItem'));
    const withState = reads.filter((call) => call === READ);

    expect(reads[0]).toBe(READ);
    expect(new Set(reads)).toEqual(new Set([READ, READ_WITHOUT_STATE]));
    expect(withState.length).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 1_000);
  });

  test('each round trip starts after the previous one has ended', async () => {
    await verify('0001');
    const overlaps = sent.filter(({ startedMs }, index) => startedMs < (sent[index - 1]?.endedMs ?? 0));

    expect(overlaps).toEqual([]);
  });

  test('an Idempotency-Key takes one more write', async () => {
    const { statusCode, calls } = await verify('0001', { 'Idempotency-Key': ['one-key-of-this-test'] });

    expect(statusCode).toBe(200);
    expect(calls).toEqual([READ, LIMITER, 'PutItem Wallets: IDEMPOTENCY', RESERVE, 'look-up', DECIDE, LOG]);
  });

  test('a test key also reads the budget for test traffic, and writes to it before a credit is reserved and at the end', async () => {
    const { statusCode, calls } = await verify('0001', {}, stage.test);
    const budget = 'UpdateItem ApiKeys: test traffic';

    expect(statusCode).toBe(200);
    expect(calls).toEqual([
      `${READ}, test traffic`,
      LIMITER,
      budget,
      RESERVE,
      'look-up',
      DECIDE,
      LOG,
      budget,
    ]);
  });

  test('a look-up without a record also releases the hold and counts against the limits of the live key and its organisation', async () => {
    const { statusCode, calls } = await verify('0404');

    expect(statusCode).toBe(400);
    expect(calls).toEqual([READ, LIMITER, RESERVE, 'look-up', DECIDE, LOG, RESERVE, LIMITER, LIMITER]);
  });

  test('an unknown key takes at most one read, and a malformed number takes one read, the limiter update and, once a minute, a write', async () => {
    sent.length = 0;
    const event = eventOf(stage.live.replace(/.{6}$/, '000000'), { id_number: newNin() });
    await invoke(handler, event);
    const badKey = sent.map(describeCall);
    sent.length = 0;
    // A new minute may begin in between.
    for (let count = 0; count < 3; count += 1) {
      await forgetStates();
      await invoke(handler, eventOf(stage.live, { id_number: '' }));
    }
    const calls = sent.map(describeCall);
    const counted = calls.filter((call) => call.endsWith('rejected request'));

    expect(badKey.length).toBeLessThanOrEqual(1);
    expect(calls.slice(0, 3)).toEqual([READ, LIMITER, ...counted.slice(0, 1)]);
    expect(calls.filter((call) => !counted.includes(call))).toEqual([
      READ,
      LIMITER,
      READ,
      LIMITER,
      READ,
      LIMITER,
    ]);
    expect([1, 2]).toContain(counted.length);
  });
});
