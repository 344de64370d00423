import { describe, expect, test } from '@jest/globals';
import {
  type ApiResponse,
  get,
  number,
  organisation,
  post,
  type TestOrganisation,
} from '../support/service.ts';

/** `GET /v1/verifications` and the caller's `reference` (contract A3 and E6). */

const NIN = '/v1/ng/nin-basic';

interface Page {
  readonly verifications: readonly Readonly<Record<string, unknown>>[];
  readonly rejected: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

function list(who: TestOrganisation, query: Readonly<Record<string, string>> = {}, key = who.live) {
  return get(`/v1/verifications?${new URLSearchParams(query)}`, { key });
}

async function pageOf(response: Promise<ApiResponse>): Promise<Page> {
  const { status, json } = await response;
  expect([status, json?.code]).toEqual([200, 'VERIFICATIONS']);
  return json?.data as unknown as Page;
}

async function allOf(who: TestOrganisation, query: Readonly<Record<string, string>> = {}): Promise<Page> {
  let page = await pageOf(list(who, query));
  const all = { verifications: [...page.verifications], rejected: [...page.rejected] };
  while (page.next_cursor !== null) {
    page = await pageOf(list(who, { ...query, cursor: page.next_cursor }));
    all.verifications.push(...page.verifications);
    all.rejected.push(...page.rejected);
  }
  return { ...all, next_cursor: null };
}

const idOf = ({ json }: ApiResponse) => json?.meta.request_id ?? '';
const idsOf = ({ verifications }: Page) => verifications.map((entry) => entry['request_id']);

describe('the reference of a request', () => {
  const reference = 'customer-4711';

  test('finds replays and requests on every kind of route, but none with a different reference or environment', async () => {
    const who = await organisation();
    const nin = number();
    const key = who.live;
    const call = { key, headers: { 'Idempotency-Key': 'a-key-of-4711' } };
    const sent = [
      await post(NIN, { nin, reference }, call),
      await post(NIN, { nin, reference }, call),
      await post(
        '/v1/identities/verify',
        { country: 'NG', id_type: 'BVN', params: { id_number: nin }, reference },
        { key },
      ),
      await post('/v1/ng/nin/slip/download', { nin, slip_type: 'regular', reference }, { key }),
      await post(NIN, { nin: number('0404'), reference }, { key }),
    ];
    await post(NIN, { nin: number(), reference: 'customer-4712' }, { key });
    await post(NIN, { nin: number() }, { key });
    await post(NIN, { nin, reference }, { key: who.test });

    const { verifications } = await allOf(who, { reference });
    const ids = sent.map(({ headers }) => headers.get('x-request-id')).reverse();
    expect(verifications.map((entry) => entry['request_id'])).toEqual(ids);
    expect(
      verifications.map(({ service, outcome, credits_charged, is_replay }) => [
        service,
        outcome,
        credits_charged,
        is_replay,
      ]),
    ).toEqual([
      ['nin-basic', 'NOT_FOUND', 0, false],
      ['nin-slip', 'FOUND', 1, false],
      ['bvn-basic', 'FOUND', 1, false],
      ['nin-basic', 'FOUND', 0, true],
      ['nin-basic', 'FOUND', 1, false],
    ]);
    for (const entry of verifications) {
      expect(entry).toMatchObject({ reference, key_label: 'test' });
      expect(Object.keys(entry)).not.toContain('consent');
      const one = await get(`/v1/verifications/${entry['request_id']}`, { key });
      expect(one.json?.data).toMatchObject(entry);
    }
    expect(await allOf(who, { reference, service: 'nin-basic', outcome: 'NOT_FOUND' })).toMatchObject({
      verifications: [{ request_id: idOf(sent[4] as ApiResponse) }],
    });
    const [first, replay] = sent.map(idOf);
    expect(verifications.map(({ replay_of }) => replay_of)).toEqual([null, null, null, first, null]);
    const ofKey = await get('/v1/verifications?idempotency_key=a-key-of-4711', { key });
    expect(ofKey.json?.data).toMatchObject({
      key_uses: [{ route: 'nin-basic', key_state: 'charged', request_id: first, replays_left: 2 }],
      verifications: [{ request_id: replay }, { request_id: first }],
    });
    expect(await get('/v1/me', { key })).toMatchObject({
      status: 200,
      json: { data: { environment: 'live' } },
    });
  });

  test('finds its requests in several pages', async () => {
    const who = await organisation();
    const sent: string[] = [];
    for (let count = 0; count < 3; count += 1)
      sent.unshift(idOf(await post(NIN, { nin: number('0404'), reference }, { key: who.live })));
    expect(idsOf(await allOf(who, { reference, limit: '1' }))).toEqual(sent);
  });

  test('is rejected if it contains the number, and the message does not repeat it', async () => {
    const who = await organisation();
    const nin = number();
    const spaced = `${nin.slice(0, 4)} ${nin.slice(4, 8)}-${nin.slice(8)}`;
    const bodies = [
      [NIN, { nin, reference: `order ${spaced}` }],
      [
        '/v1/identities/verify',
        { country: 'NG', id_type: 'NIN', params: { id_number: nin }, reference: nin },
      ],
      ['/v1/ng/nin/slip/download', { nin, slip_type: 'regular', reference: `x${nin}x` }],
    ] as const;
    for (const [path, body] of bodies) {
      // If `headers` is given, the request is not compared with the API document, which cannot express this rule.
      const { status, json, text } = await post(path, body, { key: who.live, headers: {} });
      expect([status, json?.code, json?.error?.reason, json?.error?.field]).toEqual([
        400,
        'INVALID_SCHEMA',
        'wrong_value',
        'reference',
      ]);
      expect(text).not.toContain(nin);
    }
    expect((await who.balance()).available).toBe(10);
  });
});

describe('the list', () => {
  test('is complete and newest first in pages of any size', async () => {
    const who = await organisation();
    const sent: string[] = [];
    for (let count = 0; count < 6; count += 1)
      sent.unshift(idOf(await post(NIN, { nin: number('0404') }, { key: who.live })));
    for (const limit of ['1', '4', '100']) expect(idsOf(await allOf(who, { limit }))).toEqual(sent);

    const { verifications } = await allOf(who);
    const [third, fourth] = [verifications[2], verifications[3]];
    const from = String(fourth?.['requested_at']);
    const to = String(third?.['requested_at']);
    expect(idsOf(await allOf(who, { from }))).toEqual(sent.slice(0, 4));
    expect(idsOf(await allOf(who, { from, to }))).toEqual([sent[3]]);
    expect(idsOf(await allOf(who, { service: 'bvn-basic' }))).toEqual([]);
    expect(idsOf(await allOf(who, { outcome: 'NOT_FOUND', limit: '5' }))).toEqual(sent);
    expect(idsOf(await allOf(who, { to: '2026-01-01' }))).toEqual([]);
  });

  test('does not contain requests of other organisations or of the other environment', async () => {
    const [who, other] = [await organisation(), await organisation()];
    const live = idOf(await post(NIN, { nin: number() }, { key: who.live }));
    const tested = idOf(await post(NIN, { nin: number() }, { key: who.test }));
    await post(NIN, { nin: number() }, { key: other.live });
    await post(NIN, { nin: 'not a number' }, { key: other.live });

    const [liveList, testList] = [await pageOf(list(who)), await pageOf(list(who, {}, who.test))];
    expect([idsOf(liveList), idsOf(testList)]).toEqual([[live], [tested]]);
    expect([liveList.rejected, testList.rejected]).toEqual([[], []]);
  });

  test('rejects a cursor of another organisation, environment or query', async () => {
    const [who, other] = [await organisation(), await organisation()];
    for (let count = 0; count < 2; count += 1) await post(NIN, { nin: number() }, { key: who.live });
    const { next_cursor } = await pageOf(list(who, { limit: '1', service: 'nin-basic' }));
    const query = { service: 'nin-basic', cursor: next_cursor ?? '' };
    expect((await pageOf(list(who, query))).verifications).toHaveLength(1);
    for (const response of [
      list(other, query),
      list(who, query, who.test),
      list(who, { ...query, service: 'bvn-basic' }),
      list(who, { ...query, from: '2026-01-01' }),
      list(who, { cursor: query.cursor }),
    ])
      expect(await response).toMatchObject({ status: 400, json: { code: 'INVALID_SCHEMA' } });
  });

  test.each([
    ['an unknown parameter', 'provider=sandbox'],
    ['a parameter that is sent twice', 'service=nin-basic&service=bvn-basic'],
    ['a day that does not exist', 'from=2026-02-30'],
    ['a time without a zone', 'from=2026-02-03T10:00:00'],
    ['from after to', 'from=2026-02-03&to=2026-02-02'],
    ['an unknown service', 'service=voter'],
    ['an unknown outcome', 'outcome=found'],
    ['an empty reference', 'reference='],
    ['a limit above 100', 'limit=101'],
    ['a string that is not a cursor', 'cursor=AAAA'],
    [
      'a cursor with an impossible time',
      `cursor=${Buffer.from('["2026-02-99T00:00:00.000Z",""]').toString('base64url')}`,
    ],
  ])('returns 400 INVALID_SCHEMA for %s', async (_, query) => {
    const who = await organisation();
    const { status, json } = await get(`/v1/verifications?${query}`, { key: who.live });
    expect([status, json?.code]).toEqual([400, 'INVALID_SCHEMA']);
  });
});

describe('rejected requests', () => {
  test('are listed once for each key, code and minute, with one request ID, and have no log entry', async () => {
    const who = await organisation({ credits: 0 });
    const { live: key } = who;
    const malformed = await post(NIN, { nin: 'not a number' }, { key });
    const short = await post(NIN, { nin: number() }, { key });
    const unread = await get('/v1/verifications/req_000000000000', { key });
    expect([malformed, short, unread].map(({ json }) => json?.code)).toEqual([
      'NIN_NOT_FOUND',
      'INSUFFICIENT_FUNDS',
      'VERIFICATION_NOT_FOUND',
    ]);

    const { verifications, rejected } = await allOf(who);
    expect(verifications).toEqual([]);
    const minute = expect.stringMatching(/:00\.000Z$/);
    const common = { minute, count: 1, key_label: 'test' };
    expect([...rejected].sort((a, b) => Number(a['http_status']) - Number(b['http_status']))).toEqual([
      { ...common, code: 'NIN_NOT_FOUND', http_status: 400, route: 'nin-basic', request_id: idOf(malformed) },
      {
        ...common,
        code: 'INSUFFICIENT_FUNDS',
        http_status: 402,
        route: 'nin-basic',
        request_id: idOf(short),
      },
      {
        ...common,
        code: 'VERIFICATION_NOT_FOUND',
        http_status: 404,
        route: 'verification',
        request_id: idOf(unread),
      },
    ]);
    expect((await get(`/v1/verifications/${idOf(malformed)}`, { key })).status).toBe(404);
  });

  test('are the only ones listed with outcome=REJECTED, and are not listed with any other filter', async () => {
    const who = await organisation();
    await post(NIN, { nin: number() }, { key: who.live });
    await post(NIN, {}, { key: who.live });
    const only = await pageOf(list(who, { outcome: 'REJECTED' }));
    expect([only.verifications.length, only.rejected.length, only.next_cursor]).toEqual([0, 1, null]);
    for (const query of [{ service: 'nin-basic' }, { outcome: 'FOUND' }])
      expect(await allOf(who, query)).toMatchObject({ verifications: [{}], rejected: [] });
  });

  test('with an unknown key are not listed', async () => {
    const who = await organisation();
    await post(NIN, { nin: number() }, { key: who.live.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
    expect((await allOf(who)).rejected).toEqual([]);
  });
});
