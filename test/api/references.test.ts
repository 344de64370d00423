import { expect, test } from '@jest/globals';
import { get, logLines, number, organisation, post } from '../support/service.ts';

/** The optional references `consent` and `reason` of a request (contract A3), which are stored in its log entry. */

const customer = await organisation();

async function logEntryOf(body: Readonly<Record<string, unknown>>, path = '/v1/ng/nin-basic') {
  const { status, json } = await post(path, body, { key: customer.live });
  const requestId = json?.meta.request_id ?? '';
  const entry = await get(`/v1/verifications/${requestId}`, { key: customer.live });
  return { status, requestId, entry: entry.json?.data };
}

test.each([
  ['a record that was found', '0001', 200],
  ['a number without a record', '0404', 400],
])('consent and reason are stored for %s, and consent is in no log line', async (_, ending, expected) => {
  const references = { consent: 'consent-2026-114', reason: 'account opening' };
  const { status, requestId, entry } = await logEntryOf({ id_number: number(ending), ...references });

  expect(status).toBe(expected);
  expect(entry).toMatchObject(references);
  expect(JSON.stringify(logLines(requestId))).not.toContain('consent-2026-114');
});

test('consent is stored for a request to the gateway', async () => {
  const body = { country: 'NG', id_type: 'NIN', params: { id_number: number() }, consent: 'consent-7' };
  const { entry } = await logEntryOf(body, '/v1/identities/verify');

  expect(entry).toMatchObject({ consent: 'consent-7', reason: null });
});

test('consent and reason are null if the request has none', async () => {
  expect((await logEntryOf({ id_number: number() })).entry).toMatchObject({ consent: null, reason: null });
});
