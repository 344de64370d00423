import { createHmac } from 'node:crypto';
import '../../security/environment.ts';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { publicRoute } from '../../../shared/http/public-route.ts';
import { slipRoute } from '../../../shared/slips/routes/nin-slip.ts';
import { showSlipCheck } from '../../../shared/slips/routes/slip-check.ts';
import { checkSlipDetails } from '../../../shared/slips/routes/slip-details.ts';
import { createSlipToken } from '../../../shared/slips/token.ts';
import { isSlipWithdrawn, withdrawSlipOf } from '../../../shared/slips/withdraw-slip.ts';
import { captureLines } from '../../security/captured.ts';
import { codeOf, eventOf, invoke } from '../../security/in-process.ts';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, SOME_NIN } from '../../security/routes-in-memory.ts';
import { startSecretDouble } from '../../security/secret-double.ts';
import { pageText } from '../../slips/open-pdf.ts';

/** The check page of slips that were withdrawn. */

const SECRET = { current: 'a new slip key of tests', previous: 'an old slip key of tests' };
const REFERENCE = '0a1b2c3d4e5f';
const [ISSUED_AT, EXPIRES_AT] = [new Date(), new Date(Date.now() + DAY_MS)];
const ROW = {
  requestId: `req_${REFERENCE}`,
  service: 'nin-slip',
  outcome: 'FOUND',
  expiresAt: Math.floor(EXPIRES_AT.getTime() / 1000),
} as const;
captureLines();
let secrets: Awaited<ReturnType<typeof startSecretDouble>>;
beforeAll(async () => {
  secrets = await startSecretDouble(SECRET);
});
afterAll(() => secrets.close());

function tokenOf(key: string, reference = REFERENCE): string {
  const facts = {
    slipType: 'premium',
    issuedAt: ISSUED_AT,
    expiresAt: EXPIRES_AT,
    reference,
    specimen: false,
  } as const;
  const details = { nin: SOME_NIN, surname: 'OGUNMOLA', givenNames: 'OLANREWAJU', birthDate: '12 MAR 1990' };
  return createSlipToken(facts, details, key);
}

/** A token of version 1, as in slips of earlier releases. */
function oldTokenOf(key: string): string {
  const start = Buffer.from(tokenOf(key), 'base64url').subarray(0, 16);
  const signature = createHmac('sha256', key).update('slip-check.v1').update(start).digest();
  return Buffer.concat([start, signature.subarray(0, 16)]).toString('base64url');
}

/** The rows of withdrawals, in memory. */
function memory() {
  const rows = new Map<string, number>();
  return {
    rows,
    isWithdrawn: async (name: string) => rows.has(name),
    async withdraw(names: readonly string[], expiresAt: number) {
      for (const name of names) rows.set(name, expiresAt);
    },
  };
}

type Withdrawn = Pick<ReturnType<typeof memory>, 'isWithdrawn'>;

/** Opens the page of a token, and types the right details into its form. */
async function check(token: string, withdrawn: Withdrawn) {
  const attempts = { take: async () => ({ isAllowed: true }) as const, giveBack: async () => undefined };
  const deps = { attempts, withdrawn, nowMs: Date.now };
  const form = eventOf({
    body: new URLSearchParams({ nin: SOME_NIN, surname: 'ogunmola' }).toString(),
    headers: { 'Content-Type': ['application/x-www-form-urlencoded'] },
  });
  const context = { getRemainingTimeInMillis: () => 28_000 } as Context;
  const pathParameters = { token };
  const page = await publicRoute('slip-check', showSlipCheck(deps))(
    Object.assign(eventOf({}), { pathParameters }),
    context,
  );
  const typed = await publicRoute('slip-details', checkSlipDetails(deps))(
    Object.assign(form, { pathParameters }),
    context,
  );
  return [page, typed].map(({ statusCode, body, headers }) => ({
    status: statusCode,
    heading: /<h1>([^<]*)</.exec(body)?.[1],
    hasForm: body.includes('<form'),
    retryAfter: headers?.['Retry-After'],
  }));
}

const SHOWN = { status: 200, heading: 'This slip was withdrawn', hasForm: false };

describe('a withdrawn slip', () => {
  test.each([
    ['signed with the current key', () => tokenOf(SECRET.current)],
    ['signed with the previous key', () => tokenOf(SECRET.previous)],
    ['of version 1', () => oldTokenOf(SECRET.current)],
  ])('is shown as withdrawn, even if the right details are typed: a token %s', async (_, token) => {
    const withdrawn = memory();
    expect((await check(token(), withdrawn))[0]).toMatchObject({ heading: 'The code is valid' });
    expect(await isSlipWithdrawn(ROW, withdrawn)).toBe(false);
    expect(await withdrawSlipOf(ROW, { withdrawn, slipSecret: async () => SECRET })).toBe(true);
    expect(await check(token(), withdrawn)).toMatchObject([SHOWN, SHOWN]);
    expect(await isSlipWithdrawn(ROW, withdrawn)).toBe(true);
    expect(await check(tokenOf(SECRET.current, 'ffffffffffff'), withdrawn)).toMatchObject([
      { heading: 'The code is valid' },
      { heading: 'Match' },
    ]);
  });

  test('leaves rows that expire shortly after it, and reveal neither its request nor the person', async () => {
    const withdrawn = memory();
    await withdrawSlipOf(ROW, { withdrawn, slipSecret: async () => SECRET });
    // A copy may be made for a day.
    const lastSeconds = ROW.expiresAt + 86_400 + 60;
    expect([...withdrawn.rows.values()]).toEqual([lastSeconds, lastSeconds]);
    for (const name of withdrawn.rows.keys())
      expect(name).not.toMatch(new RegExp(`${REFERENCE}|${SOME_NIN}`));
  });

  test.each([
    ['a look-up', { ...ROW, service: 'nin-premium' }],
    ['a slip that was not made', { ...ROW, outcome: 'NOT_FOUND' }],
  ] as const)('cannot be one of %s', async (_, row) => {
    const withdrawn = memory();
    expect(await withdrawSlipOf(row, { withdrawn, slipSecret: async () => SECRET })).toBe(false);
    expect(withdrawn.rows.size).toBe(0);
  });
});

/** A customer, and a sender of the same request under one key. */
async function sameRequest() {
  const service = memoryService();
  service.registry.lookUp = findsAll;
  const who = await service.newCaller(5);
  const withdrawn = memory();
  const log = { ...service.deps.log, wasVerified: async () => true };
  const handler = slipRoute({ ...service.deps, log }, { checkDays: 365 }, () => withdrawn);
  const body = JSON.stringify({ nin: SOME_NIN, slip_type: 'regular' });
  const headers = { 'Idempotency-Key': ['a-slip-of-these-tests'] };
  const send = () => invoke(handler, { key: who.text, body, headers, requestedAtMs: service.clock.nowMs });
  const withdraw = async ({ headers: sent }: Awaited<ReturnType<typeof send>>) => {
    const rows = service.logRows().map((change) => change.row);
    const row = rows.find((one) => one?.['requestId'] === sent?.['X-Request-Id']);
    await withdrawSlipOf({ ...ROW, ...row }, { withdrawn, slipSecret: async () => SECRET });
  };
  return { service, who, send, withdraw };
}

test.each(['first', 'copy'] as const)(
  'a withdrawal of the %s ends the Idempotency-Key, and charges nothing',
  async (which) => {
    const { service, who, send, withdraw } = await sameRequest();
    const made = { first: await send(), copy: await send() };
    expect([made.first.statusCode, made.copy.statusCode]).toEqual([200, 200]);
    await withdraw(made[which]);

    const before = await service.balance(who);
    const refused = await send();
    expect([refused.statusCode, codeOf(refused)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(refused.body).toContain('The slip of this Idempotency-Key was withdrawn.');
    expect(service.registry.calls).toBe(2);
    expect(await service.balance(who)).toEqual(before);
  },
);

test('a copy has the request ID of the charged slip, which a withdrawal of either reaches', async () => {
  const { send } = await sameRequest();
  const [first, copy] = [await send(), await send()];
  const printed = await pageText(Buffer.from(copy.body, 'base64'));
  expect(printed).toContain(first.headers?.['X-Request-Id']);
  expect(printed).not.toContain(copy.headers?.['X-Request-Id']);
});

test('without its row, a slip is neither called valid nor compared', async () => {
  const isWithdrawn = () => Promise.reject(Object.assign(new Error(), { name: 'ThrottlingException' }));
  const unchecked = { status: 503, heading: 'The slip was not checked', hasForm: false, retryAfter: '60' };
  expect(await check(tokenOf(SECRET.current), { isWithdrawn })).toMatchObject([unchecked, unchecked]);
});
