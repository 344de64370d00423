import { describe, expect, test } from '@jest/globals';
import { hashOf } from '../../shared/accounts/api-key.ts';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { connect } from '../../shared/core/database.ts';
import { renderPage } from '../slips/open-pdf.ts';
import { readQrCode } from '../slips/read-qr-code.ts';
import { get, number, organisation, post, type TestOrganisation } from '../support/service.ts';

/** POST /v1/ng/nin/slip/revoke: withdraws a slip. */

const REVOKE = '/v1/ng/nin/slip/revoke';
const NO_SLIP = [404, 'VERIFICATION_LOG_NOT_FOUND', 'not_verified'];
const headingOf = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];

/** Makes a slip. Returns its request ID, and the path in its QR code. */
async function makeSlip({ live: key }: TestOrganisation) {
  const nin = number();
  const { json } = await post('/v1/ng/nin-basic', { nin }, { key });
  const { bytes, headers } = await post('/v1/ng/nin/slip/download', { nin, slip_type: 'regular' }, { key });
  const { pathname } = new URL(readQrCode(await renderPage(bytes, 200), false) ?? '');
  const requestId = headers.get('x-request-id') ?? '';
  return {
    requestId,
    pathname,
    verified: json?.meta.request_id,
    nin,
    surname: String(json?.data?.['lastname']),
  };
}

const trailOf = ({ id }: TestOrganisation) =>
  auditTable(connect(), process.env['AUDIT_TRAIL_TABLE'] ?? '').listEntries(id);
const revoke = async (key: string, requestId: unknown, path = REVOKE) => {
  const { status, json } = await post(path, { request_id: requestId }, { key });
  return [status, json?.code, json?.error?.reason ?? json?.data?.['is_withdrawn']];
};

describe('a slip', () => {
  test('is shown as withdrawn after its organisation withdrew it, which is free and can be repeated', async () => {
    const who = await organisation({ credits: 10 });
    const { requestId, pathname, nin, surname } = await makeSlip(who);
    expect(headingOf((await get(pathname)).text)).toBe('The code is valid');

    for (const path of [REVOKE, `${REVOKE}/`, `/api${REVOKE}`, `/api${REVOKE}/`])
      expect(await revoke(who.live, requestId, path)).toEqual([200, 'SLIP_WITHDRAWN', true]);
    const withdrawal = {
      actor: `key:${hashOf(who.live).slice(0, 12)}`,
      action: 'slip withdraw',
      requestId: expect.stringMatching(/^req_/),
      address: '127.0.0.1',
      target: `live slip ${requestId}`,
      after: { isWithdrawn: true },
    };
    // Repetitions are not recorded: anyone can get a test key.
    expect(await trailOf(who)).toMatchObject([withdrawal]);

    const typed = await post(pathname, new URLSearchParams({ nin, surname }).toString(), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    for (const { status, text } of [await get(pathname), typed])
      expect([status, headingOf(text)]).toEqual([200, 'This slip was withdrawn']);
    expect((await who.balance()).available).toBe(8);
  });

  test('of another organisation or environment, an unknown one, and a look-up cannot be withdrawn', async () => {
    const [who, other] = [await organisation(), await organisation()];
    const { requestId, pathname, verified } = await makeSlip(who);
    for (const [key, id] of [
      [other.live, requestId],
      [who.test, requestId],
      [who.live, 'req_000000000000'],
      [who.live, verified],
    ] as const)
      expect(await revoke(key, id)).toEqual(NO_SLIP);
    expect(await trailOf(who)).toEqual([]);
    expect(headingOf((await get(pathname)).text)).toBe('The code is valid');
  });
});

test.each<[string, unknown, string]>([
  ['no ID', undefined, 'missing_field'],
  ['a number', 7, 'wrong_type'],
  ['an ID in the wrong format', 'req_0A', 'wrong_format'],
])('%s is rejected', async (_, id, reason) => {
  const { live } = await organisation();
  expect(await revoke(live, id)).toEqual([400, 'INVALID_SCHEMA', reason]);
});

test('a key without the scope of slips is rejected', async () => {
  const { live } = await organisation({ scopes: ['verify:*', 'slip:read'] });
  expect(await revoke(live, 'req_000000000000')).toEqual([401, 'INVALID_API_KEY', 'missing_scope']);
});
