import { describe, expect, test } from '@jest/globals';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { ninEntry } from '../../shared/registries/sandbox/nin-entry.ts';
import { pageText, renderPage } from '../slips/open-pdf.ts';
import { readQrCode } from '../slips/read-qr-code.ts';
import {
  get,
  logLines,
  number,
  type OrganisationSetup,
  organisation,
  post,
  registryCalls,
  type TestOrganisation,
} from '../support/service.ts';

/** The slip download over HTTP (specification "NIN slip download"). */

const SLIP = '/v1/ng/nin/slip/download';
const verify = (customer: TestOrganisation, nin: string, route = 'nin-basic', key = customer.live) =>
  post(`/v1/ng/${route}`, { nin }, { key });
const slip = (customer: TestOrganisation, nin: string, headers: Record<string, string> = {}) =>
  post(SLIP, { nin, slip_type: 'regular' }, { key: customer.live, headers });

async function verifiedNin(setup: OrganisationSetup = {}) {
  const customer = await organisation(setup);
  const nin = number();
  await verify(customer, nin);
  return { customer, nin };
}

describe('for a NIN that the organisation has verified', () => {
  test.each(['regular', 'improved', 'premium'])(
    'the %s slip is a PDF and costs one credit',
    async (slipType) => {
      const { customer, nin } = await verifiedNin();
      const response = await post(`${SLIP}/`, { nin, slip_type: slipType }, { key: customer.live });

      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="${slipType}_${nin}_slip.pdf"`,
      );
      expect(response.text.startsWith('%PDF-1.')).toBe(true);
      expect(response.headers.get('x-credits-charged')).toBe('1');
      expect(registryCalls(response.headers.get('x-request-id') ?? '')).toBe(1);
      expect((await customer.balance()).available).toBe(8);
    },
  );

  test.each([undefined, 'application/pdf', '*/*', 'application/json'])(
    'a request with Accept %s gets a PDF',
    async (accept) => {
      const { customer, nin } = await verifiedNin();
      const response = await slip(customer, nin, accept === undefined ? {} : { Accept: accept });

      expect([response.status, response.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    },
  );

  test('the key can be the whole Authorization header, as in the specification', async () => {
    const { customer, nin } = await verifiedNin();
    const response = await post(
      SLIP,
      { nin, slip_type: 'premium' },
      { headers: { Authorization: customer.live } },
    );

    expect(response.status).toBe(200);
  });

  test.each(['nin-premium', 'gateway'])('a verification by %s permits a slip', async (route) => {
    const customer = await organisation();
    const nin = number();
    if (route === 'gateway') {
      const body = { country: 'NG', id_type: 'NIN', params: { id_number: nin } };
      await post('/v1/identities/verify', body, { key: customer.live });
    } else await verify(customer, nin, route);

    expect((await slip(customer, nin)).status).toBe(200);
  });

  test('a retry under the same idempotency key is free', async () => {
    const { customer, nin } = await verifiedNin();
    const headers = { 'Idempotency-Key': 'one-slip-requested-twice' };
    const [first, again] = [await slip(customer, nin, headers), await slip(customer, nin, headers)];

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('x-credits-charged')).toBe('0');
    expect((await customer.balance()).available).toBe(8);
  });
});

describe('with match', () => {
  // Invented names. cspell:ignore Qwertuyop Xylographa Zzyzxa
  const OTHER = {
    firstname: 'Zzyzxa',
    lastname: 'Qwertuyop',
    middlename: 'Xylographa',
    birthdate: '1931-12-30',
    phone: '+2349988776655',
  };
  const textOf = async (bytes: Uint8Array) => (await pageText(bytes)).replaceAll('\n', ' ');

  /** What the check page says about the line "Details confirmed". */
  const onPage = async (bytes: Uint8Array) => {
    const { pathname } = new URL(readQrCode(await renderPage(bytes, 200), false) ?? '');
    return /Details confirmed&quot;<\/dt><dd>([^<]*)/.exec((await get(pathname)).text)?.[1];
  };

  async function knownPerson() {
    const customer = await organisation();
    let nin = number();
    // Without a middle name, a short surname that differs leaves too little to compare.
    while (!ninEntry(nin, false)['middlename']) nin = number();
    const { json } = await verify(customer, nin);
    const record = (json?.data ?? {}) as Readonly<Record<string, string>>;
    const { firstname = '', lastname = '', birthdate = '', gender = '' } = record;
    return { customer, nin, details: { firstname, lastname, birthdate }, gender };
  }

  test.each(SLIP_TYPES)('the %s slip confirms the details that match', async (slipType) => {
    const { customer, nin, details } = await knownPerson();
    const send = (more: object) => post(SLIP, { nin, slip_type: slipType, ...more }, { key: customer.live });
    const [confirmed, plain] = [await send({ match: details }), await send({})];

    expect([confirmed.status, plain.status]).toEqual([200, 200]);
    expect(await textOf(confirmed.bytes)).toMatch(
      /Details confirmed\. The details sent with the request matched the registry record on .* WAT\./,
    );
    expect(await textOf(plain.bytes)).not.toContain('Details confirmed');
    expect([await onPage(confirmed.bytes), await onPage(plain.bytes)]).toEqual([
      'On the slip',
      'Not on the slip',
    ]);
    expect(confirmed.headers.get('x-credits-charged')).toBe('1');
    expect(registryCalls(confirmed.headers.get('x-request-id') ?? '')).toBe(1);
    expect((await customer.balance()).available).toBe(7);
  });

  test('the slip always costs a credit, and says "Details confirmed" only if the result is exact or strong', async () => {
    const { customer, nin, details, gender } = await knownPerson();
    const { firstname, lastname } = details;
    for (const [overall, match] of [
      ['exact', details],
      ['strong', { ...details, firstname: lastname, lastname: firstname }],
      ['partial', { ...details, lastname: OTHER.lastname }],
      ['none', OTHER],
      ['insufficient', { gender }],
    ] as const) {
      const verified = await post('/v1/ng/nin-basic', { nin, match }, { key: customer.test });
      expect(verified.json?.match?.overall).toBe(overall);
      const pdf = await post(SLIP, { nin, slip_type: 'regular', match }, { key: customer.test });
      expect([overall, pdf.status, pdf.headers.get('x-credits-charged')]).toEqual([overall, 200, '1']);
      const isConfirmed = (await textOf(pdf.bytes)).includes('Details confirmed');
      expect([overall, isConfirmed]).toEqual([overall, overall === 'exact' || overall === 'strong']);
    }
  });

  test('claimed details are not on the slip, in its headers, in the log entry or in a log line', async () => {
    const { customer, nin } = await knownPerson();
    const pdf = await post(SLIP, { nin, slip_type: 'premium', match: OTHER }, { key: customer.live });
    const requestId = pdf.headers.get('x-request-id') ?? '';
    const entry = await get(`/v1/verifications/${requestId}`, { key: customer.live });
    const lines = logLines(requestId);

    expect([pdf.status, entry.status, lines.length > 0]).toEqual([200, 200, true]);
    const written = [await textOf(pdf.bytes), pdf.text, [...pdf.headers].join(), entry.text];
    const all = [...written, JSON.stringify(lines)].join('\n').toLowerCase();
    for (const value of [...Object.values(OTHER), '30-12-1931', '09988776655'])
      expect(all).not.toContain(value.toLowerCase());
  });

  test('match_only is rejected with a hint, and not charged', async () => {
    const { customer, nin, details } = await knownPerson();
    const body = { nin, slip_type: 'regular', match: details, match_only: true };
    const response = await post(SLIP, body, { key: customer.live });

    expect([response.status, response.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(response.json?.error).toEqual({
      reason: 'unknown_field',
      field: 'match_only',
      hint: 'A slip shows the record. Leave match_only out, or send it when you verify the NIN.',
    });
    expect((await customer.balance()).available).toBe(9);
  });
});

describe('404 VERIFICATION_LOG_NOT_FOUND', () => {
  test('is identical for NINs verified by no one, by others, with a test key or without success', async () => {
    const [customer, other] = [await organisation(), await organisation()];
    const [theirs, tested, failed, bvn] = [number(), number(), number('0404'), number()];
    await verify(other, theirs);
    await verify(customer, tested, 'nin-basic', customer.test);
    await verify(customer, failed);
    await post('/v1/ng/bvn-basic', { bvn }, { key: customer.live });
    const responses = await Promise.all(
      [number(), theirs, tested, failed, bvn].map((nin) => slip(customer, nin)),
    );
    const withoutMeta = responses.map(({ text }) => text.replace(/"meta":.*$/, ''));

    expect(responses.map(({ status, json }) => [status, json?.code])).toEqual(
      Array(5).fill([404, 'VERIFICATION_LOG_NOT_FOUND']),
    );
    expect(new Set(withoutMeta).size).toBe(1);
    expect(new Set(responses.map(({ headers }) => [...headers.keys()].sort().join())).size).toBe(1);
    for (const { headers } of responses) expect(registryCalls(headers.get('x-request-id') ?? '')).toBe(0);
    expect((await customer.balance()).available).toBe(9);
  });
});

describe('a slip is rejected', () => {
  test('with 401 if the service is not enabled, whatever the log contains', async () => {
    const { customer, nin } = await verifiedNin({ services: ['nin-basic'] });
    const response = await slip(customer, nin);

    expect([response.status, response.json?.code]).toEqual([401, 'SUBSCRIPTION_REQUIRED']);
    expect((await customer.balance()).available).toBe(9);
  });

  test('with 402 if the wallet is empty', async () => {
    const { customer, nin } = await verifiedNin({ credits: 1 });
    const response = await slip(customer, nin);

    expect([response.status, response.json?.code]).toEqual([402, 'INSUFFICIENT_FUNDS']);
  });
});

describe('the check page', () => {
  test.each(SLIP_TYPES)(
    'opens with the code on the %s slip, but not with a changed code',
    async (slipType) => {
      const { customer, nin } = await verifiedNin();
      const pdf = await post(SLIP, { nin, slip_type: slipType }, { key: customer.live });
      const url = readQrCode(await renderPage(pdf.bytes, 200), false) ?? '';
      const path = new URL(url).pathname;
      expect(path).toMatch(/^\/(api\/)?v1\/slips\/check\/[A-Za-z0-9_-]{64}$/);

      const page = await fetch(url);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text.toLowerCase()).toContain(`${slipType} slip`);
      expect(text).toContain(pdf.headers.get('x-request-id'));
      expect(text).not.toContain(nin);

      const index = path.length - 20;
      const changed = `${path.slice(0, index)}${path[index] === 'A' ? 'B' : 'A'}${path.slice(index + 1)}`;
      expect((await get(changed)).status).toBe(404);
    },
  );

  test('returns 404 for a token that is not signed', async () => {
    const response = await get(`/v1/slips/check/${'A'.repeat(64)}`);

    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(response.text).toMatch(/<html lang="en"/);
  });
});
