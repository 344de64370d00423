import { describe, expect, test } from '@jest/globals';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { renderPage } from '../slips/open-pdf.ts';
import { readQrCode } from '../slips/read-qr-code.ts';
import {
  get,
  number,
  organisation,
  post,
  registryCalls,
  type StoryOrganisation,
} from '../support/service.ts';

/** The slip download over HTTP: what opens it, what it answers, what it costs (specification "NIN slip download"). */

const SLIP = '/v1/ng/nin/slip/download';
const verify = (who: StoryOrganisation, nin: string, route = 'nin-basic', key = who.live) =>
  post(`/v1/ng/${route}`, { nin }, { key });
const slip = (who: StoryOrganisation, nin: string, headers: Record<string, string> = {}, key = who.live) =>
  post(SLIP, { nin, slip_type: 'regular' }, { key, headers });

describe('a NIN that this organisation has verified', () => {
  test.each(['regular', 'improved', 'premium'])(
    'gives the %s slip as a PDF for one credit',
    async (slipType) => {
      const who = await organisation();
      const nin = number();
      await verify(who, nin);
      const answer = await post(`${SLIP}/`, { nin, slip_type: slipType }, { key: who.live });

      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="${slipType}_${nin}_slip.pdf"`,
      );
      expect(answer.text.startsWith('%PDF-1.')).toBe(true);
      expect(answer.headers.get('x-credits-charged')).toBe('1');
      expect(registryCalls(answer.headers.get('x-request-id') ?? '')).toBe(1);
      expect((await who.balance()).available).toBe(8);
    },
  );

  test.each([undefined, 'application/pdf', '*/*', 'application/json'])('with Accept %s', async (accept) => {
    const who = await organisation();
    const nin = number();
    await verify(who, nin);
    const answer = await slip(who, nin, accept === undefined ? {} : { Accept: accept });

    expect([answer.status, answer.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  });

  test('with the key as the whole header, as the specification shows it', async () => {
    const who = await organisation();
    const nin = number();
    await verify(who, nin);
    const answer = await post(SLIP, { nin, slip_type: 'premium' }, { headers: { Authorization: who.live } });

    expect(answer.status).toBe(200);
  });

  test.each(['nin-premium', 'gateway'])('also where %s verified it', async (route) => {
    const who = await organisation();
    const nin = number();
    if (route === 'gateway') {
      const body = { country: 'NG', id_type: 'NIN', params: { id_number: nin } };
      await post('/v1/identities/verify', body, { key: who.live });
    } else await verify(who, nin, route);

    expect((await slip(who, nin)).status).toBe(200);
  });

  test('a repeat under the same idempotency key gives a slip free', async () => {
    const who = await organisation();
    const nin = number();
    await verify(who, nin);
    const headers = { 'Idempotency-Key': 'one-slip-asked-for-twice' };
    const [first, again] = [await slip(who, nin, headers), await slip(who, nin, headers)];

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('x-credits-charged')).toBe('0');
    expect((await who.balance()).available).toBe(8);
  });
});

describe('404 VERIFICATION_LOG_NOT_FOUND, the same to the byte apart from meta', () => {
  test('for a NIN that nobody, only another organisation, only a test key, or only a failed request has seen', async () => {
    const [who, other] = [await organisation(), await organisation()];
    const [theirs, tested, failed, bvn] = [number(), number(), number('0404'), number()];
    await verify(other, theirs);
    await verify(who, tested, 'nin-basic', who.test);
    await verify(who, failed);
    await post('/v1/ng/bvn-basic', { bvn }, { key: who.live });
    const answers = await Promise.all([number(), theirs, tested, failed, bvn].map((nin) => slip(who, nin)));
    const withoutMeta = answers.map(({ text }) => text.replace(/"meta":.*$/, ''));

    expect(answers.map(({ status, json }) => [status, json?.code])).toEqual(
      Array(5).fill([404, 'VERIFICATION_LOG_NOT_FOUND']),
    );
    expect(new Set(withoutMeta).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => [...headers.keys()].sort().join())).size).toBe(1);
    for (const { headers } of answers) expect(registryCalls(headers.get('x-request-id') ?? '')).toBe(0);
    expect((await who.balance()).available).toBe(9);
  });
});

describe('a slip that is refused', () => {
  test('a service that is not enabled is 401, before the log is looked at', async () => {
    const who = await organisation({ services: ['nin-basic'] });
    const nin = number();
    await verify(who, nin);
    const answer = await slip(who, nin);

    expect([answer.status, answer.json?.code]).toEqual([401, 'SUBSCRIPTION_REQUIRED']);
    expect((await who.balance()).available).toBe(9);
  });

  test('an empty wallet is 402', async () => {
    const who = await organisation({ credits: 1 });
    const nin = number();
    await verify(who, nin);
    const answer = await slip(who, nin);

    expect([answer.status, answer.json?.code]).toEqual([402, 'INSUFFICIENT_FUNDS']);
  });
});

describe('the check page', () => {
  test.each(SLIP_TYPES)('opens by the code on the %s slip, and not by a changed one', async (slipType) => {
    const who = await organisation();
    const nin = number();
    await verify(who, nin);
    const pdf = await post(SLIP, { nin, slip_type: slipType }, { key: who.live });
    const url = readQrCode(await renderPage(pdf.bytes, 130), false) ?? '';
    const path = new URL(url).pathname;
    expect(path).toMatch(/^\/(api\/)?v1\/slips\/check\/[A-Za-z0-9_-]{43}$/);

    const page = await fetch(url);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text.toLowerCase()).toContain(`${slipType} slip`);
    expect(text).toContain(pdf.headers.get('x-request-id'));
    expect(text).not.toContain(nin);

    const at = path.length - 20;
    const changed = `${path.slice(0, at)}${path[at] === 'A' ? 'B' : 'A'}${path.slice(at + 1)}`;
    expect((await get(changed)).status).toBe(404);
  });

  test('says nothing of a person, and 404 for a token that nobody signed', async () => {
    const answer = await get(`/v1/slips/check/${'A'.repeat(43)}`);

    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(answer.text).toMatch(/<html lang="en"/);
  });
});
