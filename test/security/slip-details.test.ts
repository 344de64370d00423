import { HOUR_MS } from '../../shared/core/clock.ts';
import { publicRoute } from '../../shared/http/public-route.ts';
import './environment.ts';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { AttemptsTable } from '../../shared/slips/attempts-table.ts';
import { checkSlipDetails } from '../../shared/slips/routes/slip-details.ts';
import { createSlipToken } from '../../shared/slips/token.ts';
import { captureLines } from './captured.ts';
import { eventOf } from './in-process.ts';
import { startSecretDouble } from './secret-double.ts';

/**
 * Attacks on the check of details that are typed from a slip. `test/tables/attempts-table.test.ts` tests the limit
 * itself.
 */

// cspell:ignore Zzyzxquux
const KEY = 'a slip key of tests';
const VICTIM = {
  nin: '70707070707',
  surname: 'Adébáyọ̀',
  givenNames: 'Ọláńrewájú, Chịọma',
  birthDate: '12 MAR 1990',
};
const RIGHT = { nin: VICTIM.nin, surname: 'adebayo' };

let secrets: Awaited<ReturnType<typeof startSecretDouble>>;
beforeAll(async () => {
  secrets = await startSecretDouble({ current: KEY });
});
afterAll(() => secrets.close());
const lines = captureLines();

/** Allows 10 attempts. Unlike in the table, they do not become available again with time. */
class CountedAttempts implements AttemptsTable {
  readonly used = new Map<string, number>();

  async take(name: string) {
    const used = this.used.get(name) ?? 0;
    if (used >= 10) return { isAllowed: false, nextAt: new Date(Date.now() + 60_000) } as const;
    this.used.set(name, used + 1);
    return { isAllowed: true } as const;
  }

  async giveBack(name: string) {
    this.used.set(name, (this.used.get(name) ?? 0) - 1);
  }
}

function tokenOf(details: typeof VICTIM, reference: string): string {
  const [issuedAt, expiresAt] = [new Date(), new Date(Date.now() + HOUR_MS)];
  return createSlipToken(
    { slipType: 'premium', issuedAt, expiresAt, reference, specimen: false },
    details,
    KEY,
  );
}

interface Sent {
  readonly token: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly attempts?: AttemptsTable;
  readonly headers?: Readonly<Record<string, string[]>>;
}

function send({
  token,
  fields,
  attempts = new CountedAttempts(),
  headers = {},
}: Sent): Promise<APIGatewayProxyResult> {
  const handler = publicRoute('slip-details', checkSlipDetails({ attempts, nowMs: Date.now }));
  const event = eventOf({
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': ['application/x-www-form-urlencoded'], ...headers },
  });
  return handler(Object.assign(event, { pathParameters: { token } }), {
    getRemainingTimeInMillis: () => 28_000,
  } as Context);
}

const headingOf = ({ body }: APIGatewayProxyResult) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1];

test('S85: a forged slip with the valid code of another slip', async () => {
  const token = tokenOf(VICTIM, '0a1b2c3d4e5f');
  expect(headingOf(await send({ token, fields: RIGHT }))).toBe('Match');
  for (const forged of [
    { ...RIGHT, surname: 'Ogunmola' },
    { ...RIGHT, nin: '80808080808' },
    { nin: '80808080808', surname: 'Ogunmola' },
    { ...RIGHT, given_names: 'Olanrewaju Chioma', birth_date: '13 MAR 1990' },
  ]) {
    const response = await send({ token, fields: forged });
    expect([response.statusCode, headingOf(response)]).toEqual([200, 'No match']);
    expect(response.body).not.toContain('<h1>Match');
  }
});

test('S86: guessing details through the check page, with the code of a slip', async () => {
  const token = tokenOf(VICTIM, '0a1b2c3d4e60');
  const attempts = new CountedAttempts();
  const guess = (surname: string) => send({ token, attempts, fields: { ...RIGHT, surname } });
  const guesses = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(`Guess${index}`)));
  expect(guesses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10);
  const late = await guess('adebayo');
  expect([late.statusCode, headingOf(late)]).toEqual([429, 'The details were not checked']);
  expect(Number(late.headers?.['Retry-After'])).toBeGreaterThan(0);
  // The name under which attempts are counted contains neither the token, nor its reference, nor the NIN.
  const [name = ''] = attempts.used.keys();
  for (const secret of [token, '0a1b2c3d4e60', VICTIM.nin]) expect(name).not.toContain(secret);
});

test('S87: a page on another site that submits the form of the check page', async () => {
  const token = tokenOf(VICTIM, '0a1b2c3d4e61');
  const attempts = new CountedAttempts();
  for (const headers of [
    { 'Sec-Fetch-Site': ['cross-site'] },
    { 'Sec-Fetch-Site': ['same-site'] },
    { 'sec-fetch-site': ['same-origin', 'cross-site'] },
    { Origin: ['https://forger.example'], Host: ['api.example'] },
    { Origin: ['https://api.example.forger.example'], Host: ['api.example'] },
  ]) {
    const response = await send({ token, attempts, fields: RIGHT, headers });
    expect([response.statusCode, headingOf(response)]).toEqual([403, 'The details were not checked']);
  }
  expect(attempts.used.size).toBe(0);
});

test('S88: a code with the details of another code, or without them', async () => {
  const [own, other] = [
    tokenOf(VICTIM, '0a1b2c3d4e62'),
    tokenOf({ ...VICTIM, surname: 'Ogunmola' }, '0a1b2c3d4e63'),
  ];
  const [bytes, others] = [Buffer.from(own, 'base64url'), Buffer.from(other, 'base64url')];
  const mixed = Buffer.concat([bytes.subarray(0, 16), others.subarray(16, 32), bytes.subarray(32)]);
  const without = Buffer.concat([bytes.subarray(0, 16), bytes.subarray(32)]);
  const attempts = new CountedAttempts();
  for (const token of [mixed, without].map((one) => one.toString('base64url'))) {
    const response = await send({ token, attempts, fields: { ...RIGHT, surname: 'Ogunmola' } });
    expect([response.statusCode, headingOf(response)]).toEqual([404, 'The code is not valid']);
  }
  expect(attempts.used.size).toBe(0);
});

test('S89: what an officer types, in logs and on the page', async () => {
  const token = tokenOf(VICTIM, '0a1b2c3d4e64');
  const fields = {
    nin: VICTIM.nin,
    surname: '"><script>alert(1)</script>',
    given_names: 'Zzyzxquux',
    birth_date: '11 NOV 1911',
  };
  lines.splice(0);
  for (const sent of [fields, { ...fields, nin: '7' }, { ...fields, extra: 'Zzyzxquux' }]) {
    const { body, headers = {} } = await send({ token, fields: sent });
    for (const typed of ['<script', 'alert(1)', 'Zzyzxquux', '1911', VICTIM.nin])
      expect(body).not.toContain(typed);
    expect(headers['Content-Security-Policy']).toMatch(/default-src 'none'.*form-action 'self'/);
  }
  const written = lines.splice(0).join('\n');
  expect(written).toContain('slip-details');
  for (const typed of ['script', 'Zzyzxquux', '1911', VICTIM.nin]) expect(written).not.toContain(typed);
});
