import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPaths } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditPk, personLimiterKey } from '../../shared/core/keys.ts';
import type { TestRequestBody } from '../../shared/verifications/console/bodies.ts';
import { testPath } from '../../shared/verifications/console/test-routes.ts';
import type { TestRequestView } from '../../shared/verifications/console/views.ts';
import { RECORD_FIELDS } from '../../shared/verifications/field-descriptions.ts';
import { LOOK_UP_ROUTES, type ServiceName } from '../../shared/verifications/services.ts';
import { startBrowser } from '../support/browser.ts';
import { recordCanaries } from '../support/canaries.ts';
import { type ConsoleClient, sessionOf, signIn } from '../support/console.ts';
import { giveSession, inConsole, openPage } from '../support/console-browser.ts';
import { join, putRow, rowsOf } from '../support/console-organisation.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { baseUrl, type Envelope, get, logLines, organisation, post } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The playground of the running console: the same responses as the API returns for a test key. */

const MAX_MS = 300_000;
/**
 * The endings of numbers that select an outcome. SLOW_ENDINGS take longer, and the last of them takes as long as a
 * look-up may.
 */
const ENDINGS = ['0404', '0400', '0503', '0500', '0206', '0303'] as const;
const SLOW_ENDINGS = ['0299', '0504'] as const;

const endings = () => ['0001', ...(isComplete ? ENDINGS : randomCases(ENDINGS, 2))];

type Route = (typeof LOOK_UP_ROUTES)[number];
type Body = Readonly<Record<string, unknown>>;

/** Returns the body of a request whose number has this ending. */
function bodyOf(route: Route, ending: string): Body {
  const bodies: Readonly<Record<Route, Body>> = {
    'nin-basic': { id_number: `1234567${ending}`, consent: "O'Neill's form", reason: 'playground' },
    'nin-premium': { nin: `1234567${ending}` },
    'nin-slip': { nin: `1234567${ending}`, slip_type: 'premium' },
    'bvn-basic': { id_number: `2234567${ending}` },
    'bvn-premium': { id_number: `2234567${ending}`, reference: 'customer-4711' },
    'cac-basic': { id_number: `RC123${ending}` },
    'cac-premium': { id_number: `123${ending}`, company_type: 'BN' },
    'tin-basic': { id_number: `123456${ending}` },
    'nuban-basic': { id_number: `012345${ending}`, bank_code: '058' },
    'verify-identity': {
      country: 'NG',
      id_type: 'BVN',
      level: 'advanced',
      method: 'biometric',
      params: { id_number: `2234567${ending}` },
    },
  };
  return bodies[route];
}

const rejectedBodies = (route: Route): Body[] => [
  {},
  { ...bodyOf(route, '0001'), unknown: 'x' },
  { ...bodyOf(route, '0001'), reference: 7 },
];

let of: Awaited<ReturnType<typeof organisation>>;
let client: ConsoleClient;
let personId: string;
beforeAll(async () => {
  of = await organisation({ credits: 500 });
  client = await signIn('playground@example.com');
  const row = await of.change((current) => current);
  await join(client, row, 'developer');
  personId = (await sessionOf(client)).person.id;
}, MAX_MS);

async function play(service: Route, body: Body): Promise<TestRequestView> {
  await putRow('CONSOLE_TABLE', personLimiterKey(personId), {});
  const sent: TestRequestBody = { service, body };
  recordCanaries(body);
  const response = await client.send<TestRequestView>('POST', '/playground', { body: sent });
  const view = response.json?.data;
  if (!view) throw new Error(`${service}: ${response.status} ${response.text}`);
  recordCanaries((view.envelope as Envelope | null)?.data);
  return view;
}

interface Common {
  readonly status: number;
  readonly envelope: unknown;
  readonly headers: Readonly<Record<string, string | null>>;
}

const withoutMeta = (envelope: unknown) =>
  envelope === null ? null : { ...(envelope as Envelope), meta: 0 };

function commonOf(view: TestRequestView): Common {
  const { status, envelope, headers } = view;
  return { status, envelope: withoutMeta(envelope), headers: pick((name) => headers[name] ?? null) };
}

async function fromApi(route: Route, body: Body): Promise<Common> {
  const { status, json, headers } = await post(testPath(route), body, { key: of.test });
  return { status, envelope: withoutMeta(json ?? null), headers: pick((name) => headers.get(name)) };
}

const pick = (headerOf: (name: string) => string | null) =>
  Object.fromEntries(
    ['Content-Type', 'Cache-Control', 'Retry-After', 'X-Credits-Charged'].map((name) => [
      name,
      headerOf(name),
    ]),
  );

describe('a test request', () => {
  test(
    'has the same status, code and body as with a test key, for every service, and charges once',
    async () => {
      const before = await of.balance('test');
      let found = 0;
      const sendBoth = async (route: Route, body: Body) =>
        [body, ...(await Promise.all([play(route, body), fromApi(route, body)]))] as const;
      // The slow requests run while the others are sent, and are checked last.
      const slow = SLOW_ENDINGS.map((ending) => sendBoth('nin-basic', bodyOf('nin-basic', ending)));
      for (const route of [...LOOK_UP_ROUTES, undefined]) {
        const bodies = route
          ? [...endings().map((ending) => bodyOf(route, ending)), ...rejectedBodies(route)]
          : [];
        const pairs = route ? await inTurn(bodies, (body) => sendBoth(route, body)) : await Promise.all(slow);
        for (const [body, view, expected] of pairs) {
          expect([body, commonOf(view)]).toEqual([body, expected]);
          if (view.status === 200) found += 1;
          expect(view.headers['X-Credits-Charged']).toBe(view.status === 200 ? '1' : '0');
          expect(view.meaning).toContain(
            view.status === 200 ? '1 test credit was charged' : 'Nothing was charged',
          );
        }
      }
      expect(found).toBeGreaterThan(isComplete ? 20 : LOOK_UP_ROUTES.length - 2);
      // Half of the look-ups were made with the API key.
      await until(async () => (await of.balance('test')).available === before.available - 2 * found);
      expect((await of.balance('live')).available).toBe(500);
    },
    MAX_MS,
  );

  test('explains every field of every record', async () => {
    for (const route of LOOK_UP_ROUTES.filter((one) => one !== 'nin-slip')) {
      const { envelope, fields } = await play(route, bodyOf(route, '0001'));
      const described = new Set(fields.map(({ name }) => name));
      expect(pathsOf(envelope).filter((path) => !described.has(path))).toEqual([]);
    }
    expect(Object.values(RECORD_FIELDS).filter((text) => !text.endsWith('.'))).toEqual([]);
  });

  // An invented name. cspell:ignore Qwertyuop
  test('compares claimed details, and explains the result of each field', async () => {
    const match = { lastname: 'Qwertyuop', birthdate: '1931-12-30' };
    const body = { ...bodyOf('nin-basic', '0001'), match, match_only: true };
    const { status, envelope, fields, samples } = await play('nin-basic', body);
    expect([status, (envelope as Envelope).match?.overall]).toEqual([200, 'none']);
    expect((envelope as Envelope).data).toEqual({ nin: body['id_number' as keyof typeof body] });
    const described = new Set(fields.map(({ name }) => name));
    expect(pathsOf(envelope).filter((path) => !described.has(path))).toEqual([]);
    expect(described).toContain('match.fields.lastname.reasons');
    expect(samples.map(({ code }) => code.includes('Qwertyuop'))).toEqual([true, true, true, true]);
  });

  test('returns the slip for a verified number as a PDF', async () => {
    await play('nin-basic', bodyOf('nin-basic', '0002'));
    const { pdf, envelope, meaning } = await play('nin-slip', bodyOf('nin-slip', '0002'));
    expect(envelope).toBeNull();
    expect(
      Buffer.from(pdf ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(meaning).toContain('PDF');
  });

  test('is in the log under the label Playground, and no number is in a log line or the audit trail', async () => {
    const body = bodyOf('nin-basic', '0003');
    const { envelope, is_listed } = await play('nin-basic', body);
    expect(is_listed).toBe(true);
    const { request_id: requestId } = (envelope as Envelope).meta;
    const lines = logLines(requestId);
    expect(lines).toMatchObject([{ route: 'nin-basic', env: 'test', key_label: 'Playground' }]);
    expect(JSON.stringify(lines)).not.toContain(body['id_number']);
    const trail = await rowsOf('AUDIT_TRAIL_TABLE', auditPk(of.id));
    expect(trail.at(-1)).toMatchObject({
      action: 'playground request',
      actor: `member:${personId}`,
      target: 'test request nin-basic',
    });
    expect(JSON.stringify(trail)).not.toContain(body['id_number']);
    const rejected = await play('nin-basic', { id_number: '1' });
    expect(rejected).toMatchObject({ status: 400, is_listed: false });
    expect(rejected.meaning).toMatch(/^id_number must be exactly 11 digits/);
    const rejectedId = (rejected.envelope as Envelope).meta.request_id;
    expect((await client.send('GET', `/requests/${rejectedId}?env=test`)).status).toBe(404);
    expect((await client.send('GET', `/requests/${requestId}?env=test`)).status).toBe(200);
    expect(await rowsOf('AUDIT_TRAIL_TABLE', auditPk(of.id))).toHaveLength(trail.length);
    const { json } = await get(`/v1/verifications/${requestId}`, { key: of.test });
    expect(json?.data).toMatchObject({
      key_label: 'Playground',
      credits_charged: 1,
      consent: body['consent'],
    });
    // A live key of the same organisation cannot see it.
    expect((await get(`/v1/verifications/${requestId}`, { key: of.live })).status).toBe(404);
  });

  test('says how to get test credits if the wallet is empty', async () => {
    const poor = await organisation({ credits: 0 });
    const someone = await signIn('playground.without.credits@example.com');
    await join(someone, await poor.change((current) => current), 'owner');
    const sent: TestRequestBody = { service: 'nin-basic', body: bodyOf('nin-basic', '0001') };
    const { json } = await someone.send<TestRequestView>('POST', '/playground', { body: sent });
    expect(json?.data).toMatchObject({
      status: 402,
      available: 0,
      envelope: { code: 'INSUFFICIENT_FUNDS' },
    });
    expect(json?.data?.meaning).toContain('Test credits are free');
  });
});

test('S80: a request from the playground for the live environment', async () => {
  const body = bodyOf('nin-basic', '0004');
  const attempts = [
    { service: 'nin-basic', body, env: 'live' },
    { service: 'nin-basic', body, organisation_id: 'Unknown001' },
    { service: 'wallet-balance', body },
  ];
  for (const attempt of attempts) {
    const { status, json } = await client.send('POST', '/playground', { body: attempt });
    expect([status, json?.code]).toEqual([400, 'INVALID_SCHEMA']);
  }
  // Neither a field of the API's own body nor a query parameter can change the environment.
  expect(await play('nin-basic', { ...body, env: 'live' })).toMatchObject({ status: 400 });
  const { status } = await client.send('POST', '/playground?env=live', {
    body: { service: 'nin-basic', body },
  });
  expect(status).toBe(400);
  expect((await of.balance('live')).available).toBe(500);
});

describe('the samples', () => {
  test(
    'in cURL get the same response from the API, once they have a key',
    async () => {
      const directory = mkdtempSync(joinPaths(tmpdir(), 'playground-'));
      for (const route of LOOK_UP_ROUTES) {
        const body = bodyOf(route, '0001');
        const { samples, envelope, documentation_url } = await play(route, body);
        expect(samples.map(({ language }) => language)).toEqual(['cURL', 'Python', 'TypeScript', 'PHP']);
        expect(documentation_url).toMatch(/\/docs\/reference\/\w+\.html$/);
        expect(documentation_url).toContain(baseUrl);
        const code = samples[0]?.code ?? '';
        expect(code).toContain(`"${baseUrl}/api/v1/`);
        expect(samples.map((sample) => sample.code).join('')).not.toContain(of.test);
        const options = { cwd: directory, env: { ...process.env, API_KEY: of.test } };
        const { stdout } = await promisify(execFile)('sh', ['-c', code], options);
        if (route === 'nin-slip')
          expect(readFileSync(joinPaths(directory, 'slip.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
        else expect(withoutMeta(JSON.parse(stdout))).toEqual(withoutMeta(envelope));
      }
    },
    MAX_MS,
  );

  test('in other languages contain the values of the request, and call our clients in Python and TypeScript', async () => {
    const codeOf = async (service: ServiceName | 'verify-identity', language: string) =>
      (await play(service, bodyOf(service, '0001'))).samples.find((one) => one.language === language)?.code;
    expect(await codeOf('cac-premium', 'Python')).toContain(
      'result = client.verify("CAC", "1230001", advance=True, company_type="BN")',
    );
    expect(await codeOf('nin-basic', 'TypeScript')).toContain(
      "const result = await client.verify('NIN', '12345670001', { consent: 'O\\'Neill\\'s form', reason: 'playground' });",
    );
    expect(await codeOf('verify-identity', 'TypeScript')).toContain(
      "client.verifyGateway('BVN', '22345670001', { level: 'advanced', method: 'biometric' })",
    );
    expect(await codeOf('nin-slip', 'Python')).toContain(
      'pdf = client.download_slip("12345670001", "premium")',
    );
    expect(await codeOf('nin-basic', 'PHP')).toContain(`"consent":"O\\'Neill\\'s form"`);
  });
});

const browser = await startBrowser();
afterAll(() => browser?.close());
if (browser)
  test(
    'in the browser, a member spends test credits, reads what each response means, and downloads the slip',
    async () => {
      const problems: string[] = [];
      await inConsole(browser, problems, {}, async (page, context) => {
        await giveSession(context, client);
        await putRow('CONSOLE_TABLE', personLimiterKey(personId), {});
        const { available } = await of.balance('test');
        await openPage(page, '/playground?env=test');
        await page.getByText(`${available} test credits are left.`).waitFor();
        const choose = (field: string, value: string) =>
          page.getByLabel(field, { exact: true }).selectOption(value);
        const send = async (outcome: string) => {
          await page.getByRole('button', { name: 'Send', exact: true }).click();
          await page.getByRole('heading', { name: outcome }).waitFor();
        };
        await choose('Outcome', '0301');
        await send('200 NIN_VERIFIED');
        await page.getByText(`${available - 1} test credits are left.`).waitFor();
        await page.getByText('1 test credit was charged').waitFor();
        await page.getByText('Match a person').click();
        await page.getByLabel('Last name').fill('Qwertyuop');
        await page.getByLabel('Only the result, no record').check();
        await send('200 NIN_VERIFIED');
        await page.getByText('"overall": "none"').waitFor();
        await page.getByText(`${available - 2} test credits are left.`).waitFor();
        await page.getByText('"lastname":"Qwertyuop"').waitFor();
        await page.getByLabel('Last name').fill('');
        await page.getByLabel('Only the result, no record').uncheck();
        await choose('Outcome', '0404');
        await send('400 NIN_NOT_FOUND');
        await page.getByText('Nothing was charged').waitFor();
        await choose('Outcome', '0301');
        await choose('Service', 'nin-slip');
        await send('200 PDF');
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Download the slip' }).click();
        const path = await (await download).path();
        expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-');
        await page.getByText(`${available - 3} test credits are left.`).waitFor();
      });
      expect(problems).toEqual([]);
    },
    MAX_MS,
  );

function pathsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return pathsOf(value[0], prefix);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${prefix}${key}`,
    ...pathsOf(inner, `${prefix}${key}${Array.isArray(inner) ? '[]' : ''}.`),
  ]);
}

/** Runs two at once: more would wait for each other on a busy machine. */
async function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += 2)
    results.push(...(await Promise.all(items.slice(start, start + 2).map(run))));
  return results;
}
