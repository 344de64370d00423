import { afterEach, describe, expect, test } from '@jest/globals';
import {
  type Call,
  control,
  get,
  number,
  organisation,
  post,
  type TestOrganisation,
} from '../support/service.ts';

/**
 * A charge whose result the function cannot learn, because the database receives its calls but does not respond, or
 * does not even receive them (docs/design/ledger.md). The caller gets OUTCOME_UNKNOWN without data, and a retry under the same
 * idempotency key gets the record. The customer pays once.
 */

const PATH = '/v1/ng/nin-basic';
const KEY = 'a-key-of-an-unknown-outcome';

/** Returns strings that every request about a charge row of this organisation contains. */
const chargeRows = ({ id }: TestOrganisation) => [id, '{"S":"CHARGE"}'];
/** Returns strings that only the request that writes CHARGED contains. */
const chargedRow = ({ id }: TestOrganisation) => [id, '{"S":"CHARGED"}'];

const isReplayed = (headers: Headers) => headers.get('idempotent-replayed');
const chargedBy = (headers: Headers) => headers.get('x-credits-charged');

async function debits({ live }: TestOrganisation): Promise<number> {
  const { json } = await get('/v1/wallet/transactions?type=debit', { key: live });
  const transactions = json?.data?.['transactions'];
  if (!Array.isArray(transactions)) throw new Error('The statement has no transactions.');
  return transactions.length;
}

afterEach(() => control.setFaults([]));

describe('a request that gets no response from the database for its charge or log row', () => {
  test('returns no record, and its retry is free of charge if the charge was stored', async () => {
    const customer = await organisation({ credits: 10 });
    const body = { nin: number() };
    const call: Call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    await control.setFaults([{ texts: chargeRows(customer), isApplied: true }]);
    const unknown = await post(PATH, body, call);
    await control.setFaults([]);
    const retried = await post(PATH, body, call);

    expect([unknown.status, unknown.json?.code, unknown.json?.data]).toEqual([503, 'OUTCOME_UNKNOWN', null]);
    expect([retried.status, retried.json?.code]).toEqual([200, 'NIN_VERIFIED']);
    expect([isReplayed(retried.headers), chargedBy(retried.headers)]).toEqual(['true', '0']);
    const ofKey = [unknown, retried].map(({ headers }) => headers.get('Idempotency-Key-Charged'));
    expect(ofKey).toEqual([null, 'true']);
    await control.runSchedule('sweep-holds');
    expect(await customer.balance()).toEqual({ available: 9, held: 0, credited: 10 });
    expect(await debits(customer)).toBe(1);
  });

  test('returns no record, and its retry is charged if VOID was stored', async () => {
    const customer = await organisation({ credits: 10 });
    const body = { nin: number() };
    const call: Call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    await control.setFaults([
      { texts: chargedRow(customer), isApplied: false },
      { texts: chargeRows(customer), isApplied: true },
    ]);
    const unknown = await post(PATH, body, call);
    await control.setFaults([]);
    const retried = await post(PATH, body, call);

    expect([unknown.status, unknown.json?.code, unknown.json?.data]).toEqual([503, 'OUTCOME_UNKNOWN', null]);
    expect([retried.status, retried.json?.code]).toEqual([200, 'NIN_VERIFIED']);
    expect([isReplayed(retried.headers), chargedBy(retried.headers)]).toEqual([null, '1']);
    expect((await customer.balance()).available).toBe(8);
    expect(await debits(customer)).toBe(1);
  });

  test('returns no record if only the write of its log row gets no response, and its retry is free of charge', async () => {
    const customer = await organisation({ credits: 10 });
    const body = { nin: number() };
    const call: Call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    await control.setFaults([{ texts: [customer.id, 'VerificationLogs', '"Item"'], isApplied: false }]);
    const unknown = await post(PATH, body, call);
    await control.setFaults([]);
    const retried = await post(PATH, body, call);

    expect([unknown.status, unknown.json?.code, unknown.json?.data]).toEqual([503, 'OUTCOME_UNKNOWN', null]);
    expect([retried.status, retried.json?.code]).toEqual([200, 'NIN_VERIFIED']);
    expect([isReplayed(retried.headers), chargedBy(retried.headers)]).toEqual(['true', '0']);
    expect(await debits(customer)).toBe(1);
  });
});
