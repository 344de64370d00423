import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DAY_MS, DAY_SECONDS } from '../../shared/core/clock.ts';
import { SLIP_TYPES } from '../../shared/core/slip-types.ts';
import { createSlipToken } from '../../shared/slips/token.ts';
import { exportRows } from '../security/tables.ts';
import { renderPage } from '../slips/open-pdf.ts';
import { readQrCode } from '../slips/read-qr-code.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { COLOUR_SCHEMES, layoutProblems, violations, WIDTHS_PX, withPage } from '../support/page-checks.ts';
import {
  baseUrl,
  type Call,
  get,
  logFile,
  logLines,
  number,
  organisation,
  post,
  readSecret,
} from '../support/service.ts';

/** The check of details that an officer types from a slip (contract A3). */

// cspell:ignore Zzyzxquux Quuxzzyzx
const FORM = 'application/x-www-form-urlencoded';
const { current: slipKey = '' } = await readSecret('SLIP');
const encode = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const DETAILS = {
  nin: '50505050505',
  surname: 'Ọláṣùbọ̀mí-Ɗanƙwambo',
  givenNames: 'Zẹ́fírínù, Uchẹ́nná',
  birthDate: '12 MAR 1990',
};
const RIGHT = { nin: '5050 505 0505', surname: 'olasubomi dankwambo' };
const PERSON = { given_names: 'uchenna zefirinu', birth_date: '12/03/1990' };

let references = 0;

function address(issued = new Date(), days = 365): string {
  references += 1;
  const reference = createHmac('sha256', 'references')
    .update(`${process.pid} ${Date.now()} ${references}`)
    .digest('hex')
    .slice(0, 12);
  const expiresAt = new Date(issued.getTime() + days * DAY_MS);
  const facts = { slipType: 'premium', issuedAt: issued, expiresAt, reference, specimen: false } as const;
  return `/v1/slips/check/${createSlipToken(facts, DETAILS, slipKey)}`;
}

/** Returns the address of a token of version 1, as in slips of earlier releases. */
function oldAddress(): string {
  const start = Buffer.from(address().split('/').at(-1) ?? '', 'base64url').subarray(0, 16);
  const signature = createHmac('sha256', slipKey).update('slip-check.v1').update(start).digest();
  return `/v1/slips/check/${Buffer.concat([start, signature.subarray(0, 16)]).toString('base64url')}`;
}

const send = (
  path: string,
  fields: Readonly<Record<string, string>> | string,
  headers: Call['headers'] = {},
) =>
  post(path, typeof fields === 'string' ? fields : encode(fields), {
    headers: { 'Content-Type': FORM, ...headers },
  });
const headingOf = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];
const partsOf = (text: string) =>
  [...text.matchAll(/<dd class="[a-z]+">([^<]*)<\/dd>/g)].map(([, part]) => part);

describe('a slip of the service', () => {
  test.each(SLIP_TYPES)('S85: a forged slip with the valid code of another slip: %s', async (slipType) => {
    const customer = await organisation();
    const nin = number();
    const verified = await post('/v1/ng/nin-basic', { nin }, { key: customer.live });
    const body = { nin, slip_type: slipType };
    const pdf = await post('/v1/ng/nin/slip/download', body, { key: customer.live });
    const { pathname } = new URL(readQrCode(await renderPage(pdf.bytes, 200), false) ?? '');
    const { firstname, middlename, lastname, birthdate } = verified.json?.data ?? {};
    const person = { given_names: `${firstname} ${middlename}`, birth_date: String(birthdate) };

    const genuine = await send(pathname, { nin, surname: String(lastname), ...person });
    expect([genuine.status, headingOf(genuine.text)]).toEqual([200, 'Match']);
    expect(partsOf(genuine.text)).toEqual(['Match', 'Match']);

    const forged = await send(pathname, { nin, surname: `${lastname}X` });
    expect([forged.status, headingOf(forged.text)]).toEqual([200, 'No match']);
    expect(partsOf(forged.text)).toEqual(['No match', 'Not checked']);
    expect((await customer.balance()).available).toBe(8);
  });
});

describe('typed details', () => {
  test('are checked without a charge', async () => {
    const { headers } = await send(address(), RIGHT);
    expect(headers.get('x-credits-charged')).toBeNull();
  });

  test.each(['/v1', '/api/v1'])(
    'match on paths under %s, with and without a trailing slash',
    async (prefix) => {
      for (const end of ['', '/']) {
        const { status, text } = await send(address().replace('/v1', prefix) + end, { ...RIGHT, ...PERSON });
        expect([status, headingOf(text), ...partsOf(text)]).toEqual([200, 'Match', 'Match', 'Match']);
      }
    },
  );

  test('of another person do not match, and the page does not say which of two values differs', async () => {
    const path = address();
    const wrongNumber = await send(path, { ...RIGHT, nin: '60606060606' });
    const wrongSurname = await send(path, { ...RIGHT, surname: 'Olasubomi' });
    const wrongDate = await send(path, { ...RIGHT, ...PERSON, birth_date: '13 MAR 1990' });
    const wrongNames = await send(path, { ...RIGHT, ...PERSON, given_names: 'Uchenna' });

    for (const { status, text } of [wrongNumber, wrongSurname, wrongDate, wrongNames])
      expect([status, headingOf(text)]).toEqual([200, 'No match']);
    expect(partsOf(wrongDate.text)).toEqual(['Match', 'No match']);
    expect(wrongSurname.text).toBe(wrongNumber.text);
    expect(wrongNames.text).toBe(wrongDate.text);
  });

  test('S89: what an officer types, in logs and on the page', async () => {
    const path = address();
    const typed = {
      nin: '50505050505',
      surname: '"><script>Zzyzxquux</script>',
      given_names: 'Quuxzzyzx',
      birth_date: '11 NOV 1911',
    };
    for (const fields of [typed, { ...typed, birth_date: '' }, { ...typed, more: 'Zzyzxquux' }]) {
      const { text, headers } = await send(path, fields);
      for (const value of [...Object.values(typed), '<script']) expect(text).not.toContain(value);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
      expect(logLines(headers.get('x-request-id') ?? 'none').map(({ route }) => route)).toContain(
        'slip-details',
      );
    }
    const log = readFileSync(logFile, 'utf8');
    for (const value of ['Zzyzxquux', 'Quuxzzyzx', '11 NOV 1911', '50505050505'])
      expect(log).not.toContain(value);
  });
});

describe('guesses', () => {
  test('S86: guessing details through the check page, with the code of a slip', async () => {
    const path = address();
    const surnames = Array.from({ length: 25 }, (_, index) => `Guess${index}`);
    const sent = await Promise.all(surnames.map((surname) => send(path, { ...RIGHT, surname })));
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(sent.filter(({ status }) => status === 429)).toHaveLength(15);

    const right = await send(path, RIGHT);
    expect([right.status, headingOf(right.text)]).toEqual([429, 'The details were not checked']);
    expect(right.text).not.toContain('<form');
    const wait = Number(right.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(6 * DAY_SECONDS);
    expect(wait).toBeLessThanOrEqual(7 * DAY_SECONDS);
    expect((await get(path)).status).toBe(200);
    expect((await send(address(), RIGHT)).status).toBe(200);
    const rows = JSON.stringify(await exportRows(process.env['API_KEYS_TABLE'] ?? ''));
    expect(rows).toContain('SLIP#');
    for (const secret of [path.split('/').at(-1) ?? path, DETAILS.nin]) expect(rows).not.toContain(secret);
  });

  test('do not include checks that match', async () => {
    const path = address();
    for (let round = 0; round < 12; round += 1)
      expect(headingOf((await send(path, { ...RIGHT, ...PERSON })).text)).toBe('Match');
    const partly = { ...RIGHT, ...PERSON, birth_date: '13 MAR 1990' };
    const statuses: number[] = [];
    for (let round = 0; round < 11; round += 1) statuses.push((await send(path, partly)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
});

describe('details are not checked', () => {
  test.each([
    ['nothing', {}, ['nin', 'surname']],
    ['no surname', { nin: RIGHT.nin, surname: ' ' }, ['surname']],
    ['a number of 10 digits', { ...RIGHT, nin: '5050505050' }, ['nin']],
    ['given names without a date of birth', { ...RIGHT, given_names: 'Uchenna' }, ['birth_date']],
    ['a date of birth without given names', { ...RIGHT, birth_date: '12 MAR 1990' }, ['given_names']],
    ['a surname of 601 characters', { ...RIGHT, surname: 'a'.repeat(601) }, ['surname']],
  ])('with %s: 400, with a message next to each wrong field', async (_what, fields, wrong) => {
    const { status, text } = await send(address(), fields);
    expect([status, headingOf(text)]).toEqual([400, 'The details were not checked']);
    const marked = [...text.matchAll(/id="([a-z_]+)-error"/g)].map(([, field]) => field);
    expect(marked.sort()).toEqual([...wrong].sort());
    for (const field of wrong)
      expect(text).toMatch(
        new RegExp(
          `<input id="${field}"[^>]*aria-describedby="${field}-error ${field}-hint" aria-invalid="true"`,
        ),
      );
  });

  test.each([
    ['an unknown field', `${encode(RIGHT)}&more=1`],
    ['a field twice', `${encode(RIGHT)}&surname=other`],
    ['broken percent encoding', 'nin=50505050505&surname=%E1%BA'],
    ['raw bytes that are not ASCII', 'nin=50505050505&surname=Ọ'],
    ['a field without a value', 'nin&surname=a'],
    ['a value with a second =', 'nin=50505050505&surname=a=b'],
    ['JSON', '{"nin":"50505050505","surname":"olasubomi"}'],
  ])('with %s: 400', async (_what, body) => {
    const { status, text } = await send(address(), body);
    expect([status, headingOf(text)]).toEqual([400, 'The details were not checked']);
    expect(text).toContain('<form');
  });

  test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', `${FORM}; charset=latin1`])(
    'with the content type %s: 415',
    async (type) => {
      const { status, text } = await send(address(), RIGHT, { 'Content-Type': type });
      expect([status, headingOf(text)]).toEqual([415, 'The details were not checked']);
    },
  );

  test('with a compressed body: 415', async () => {
    expect((await send(address(), RIGHT, { 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  test('with more than 16 KB: 413', async () => {
    const { status, text } = await send(address(), { ...RIGHT, given_names: 'a'.repeat(16_384) });
    expect([status, headingOf(text)]).toEqual([413, 'The details were not checked']);
  });

  test.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Origin: 'https://forger.example' }, 403],
    [{ Origin: `${baseUrl}.forger.example` }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 200],
    [{ Origin: baseUrl }, 200],
    [{ Origin: 'null' }, 403],
  ])(
    'S87: a page on another site that submits the form of the check page: %j gets %d',
    async (headers, status) => {
      const response = await send(address(), RIGHT, headers);
      expect(response.status).toBe(status);
      if (status === 403) expect(partsOf(response.text)).toEqual([]);
    },
  );

  test('for an expired slip: 409', async () => {
    const { status, text } = await send(address(new Date(Date.now() - 2 * DAY_MS), 1), RIGHT);
    expect([status, text.includes('has expired'), text.includes('<form')]).toEqual([409, true, false]);
  });

  test('for a slip of an earlier release: 409, while its page still opens', async () => {
    const path = oldAddress();
    const page = await get(path);
    expect([page.status, headingOf(page.text)]).toEqual([200, 'The code is valid']);
    expect(page.text).toContain('cannot be checked here');
    expect(page.text).not.toContain('<form');
    const { status, text } = await send(path, RIGHT);
    expect([status, partsOf(text)]).toEqual([409, []]);
  });

  test('for a forged code: 404, whatever the body', async () => {
    for (const body of [encode(RIGHT), 'x', '']) {
      const { status, text } = await send(`/v1/slips/check/${'A'.repeat(64)}`, body);
      expect([status, headingOf(text)]).toEqual([404, 'The code is not valid']);
    }
  });
});

const browser = await startBrowser();
afterAll(() => browser?.close());

browserSuite(browser, (started) => {
  test.each(COLOUR_SCHEMES)(
    '%s: the form and its results are accessible, and fit every width',
    async (colorScheme) => {
      const problems: string[] = [];
      await withPage(started, baseUrl, problems, { colorScheme }, async (page) => {
        const check = async () => {
          const found: string[] = [];
          for (const width of WIDTHS_PX) {
            await page.setViewportSize({ width, height: 800 });
            found.push(...(await layoutProblems(page)));
          }
          return [...found, ...(await violations(page))];
        };
        await page.goto(`${baseUrl}${address()}`);
        expect(await check()).toEqual([]);
        await page.getByLabel('NIN', { exact: true }).fill('5050 505 0505');
        await page.getByLabel('Surname').fill('Ọláṣùbọ̀mí-Ɗanƙwambo');
        await page.getByLabel('Given names').fill('Zẹ́fírínù Uchẹ́nná');
        await page.getByLabel('Date of birth').fill('12 MAR 1990');
        await page.getByRole('button').click();
        await page.getByRole('heading', { level: 1, name: 'Match', exact: true }).waitFor();
        expect(await check()).toEqual([]);
        await page.getByLabel('NIN', { exact: true }).fill('50505050505');
        await page.getByLabel('Surname').fill('Forged');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'No match' }).waitFor();
        expect(await check()).toEqual([]);
        await page.getByLabel('NIN', { exact: true }).fill('505');
        await page.getByLabel('Surname').fill('Forged');
        await page.getByRole('button').click();
        await page.getByText('A NIN has exactly 11 digits').waitFor();
        expect(await check()).toEqual([]);
        expect(await page.content()).not.toContain('Forged');
      });
      expect(problems).toEqual([]);
    },
  );
});
