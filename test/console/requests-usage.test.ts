import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Download, Page } from 'playwright-core';
import { formatDay } from '../../clients/console/src/format.ts';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import { dayPlus, lagosDay } from '../../shared/core/accounting-month.ts';
import { rollUpDependencies } from '../../shared/usage/roll-up-dependencies.ts';
import { rollUpUsage } from '../../shared/usage/roll-up-usage.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { type ConsoleClient, service, signIn } from '../support/console.ts';
import { giveSession, inConsole, openPage, untilShown } from '../support/console-browser.ts';
import { consoleOrganisation, join as joinOrganisation, putKey } from '../support/console-organisation.ts';
import {
  inView,
  layoutProblems,
  smallTargets,
  violations,
  violationsInBoth,
} from '../support/page-checks.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { requestDetailView, requestsView, usageView } from './request-views.ts';

/** The Requests and Usage pages in a browser at phone size. */

const MAX_MS = 300_000;

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

const linesOf = async (download: Download) =>
  readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
const dayOf = (iso: string) => formatDay(iso, 'UTC');
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

function inBrowser(started: Browser): void {
  describe('against the running service', () => journeys(started));
  describe('with other data', () => pages(started));
}

function journeys(started: Browser): void {
  const problems: string[] = [];
  afterEach(() => expect(problems.splice(0)).toEqual([]));
  const NUMBERS = ['12345670001', '12345670002', '12345670404', '12345670400', '12345670003'];
  let client: ConsoleClient;
  let organisation: Organisation;
  let requestIds: string[];

  beforeAll(async () => {
    organisation = await consoleOrganisation('Requests of a journey');
    client = await signIn('requests.journey@example.com');
    await joinOrganisation(client, organisation, 'owner');
    await client.send('POST', '/test-credits', { body: {} });
    const key = await putKey(organisation.id, 'test', { label: 'journey' });
    requestIds = await Promise.all(NUMBERS.map((nin) => verify(key.text, nin)));
    // As the schedule does every hour.
    await rollUpUsage(rollUpDependencies(), failed, { organisation: organisation.id });
  }, MAX_MS);

  const onPage = <T>(path: string, use: (page: Page) => Promise<T>) =>
    inConsole(started, problems, {}, async (page, context) => {
      await giveSession(context, client);
      await openPage(page, path);
      return use(page);
    });

  test(
    'a member finds a failed request by its ID, and reads why it failed and that it was free',
    async () => {
      const failedId = requestIds[3] ?? '';
      await onPage('/requests?env=test', async (page) => {
        await page.getByText('5 requests are shown.').waitFor();
        await page.getByLabel('Request ID or your reference').fill(failedId);
        await page.keyboard.press('Enter');
        const detail = page.getByRole('dialog');
        await detail.getByText('400 NIN_VERIFICATION_FAILED').waitFor();
        const text = (await detail.textContent()) ?? '';
        expect(text).toContain('Not charged, because the registry returned no usable record.');
        expect(text).toContain('Yes, once, after a short delay.');
        expect(text).toContain('journey');
        expect(text).not.toContain('12345670400');
        await button(detail, 'Close').click();
        await detail.waitFor({ state: 'detached' });

        // A charged request links to its line in the statement, which links back.
        await page.getByRole('link', { name: requestIds[0] ?? '' }).click();
        await detail.getByRole('link', { name: 'show the statement' }).click();
        const line = page.locator('tr[aria-current]').filter({ hasText: requestIds[0] ?? '' });
        await line.filter({ hasText: '-1' }).waitFor();
        await page.getByRole('link', { name: 'Show the whole month' }).click();
        await page.getByText(/^\d lines are shown. There are no more lines/).waitFor();
        await page.getByRole('link', { name: requestIds[0] ?? '' }).click();
        await detail.getByText('1 credit charged').waitFor();
      });
    },
    MAX_MS,
  );

  test(
    'a member exports the usage and the statement of a month, which agree with the page',
    async () => {
      await onPage('/usage?env=test', async (page) => {
        const figure = (name: string) =>
          page
            .locator('.figures > div')
            .filter({ has: page.getByText(name, { exact: true }) })
            .locator('.figure')
            .textContent();
        expect(await figure('Requests')).toBe('5');
        expect(await figure('Records found')).toBe('3');
        expect(await figure('Errors')).toBe('1');
        expect(await figure('Credits used')).toBe('3');
        const usage = await exported(page);
        for (const by of ['service', 'outcome', 'key']) {
          const rows = usage.filter(([, group]) => group === by);
          expect(sum(rows.map(([, , , count]) => Number(count)))).toBe(5);
          expect(sum(rows.map(([, , , , credits]) => Number(credits)))).toBe(3);
        }

        await openPage(page, '/wallet/statement?env=test');
        const [head = [], ...lines] = await exported(page);
        const charges = lines.filter((line) => line[head.indexOf('kind')] === 'CHARGE');
        expect(sum(charges.map((line) => Number(line[head.indexOf('amount')])))).toBe(-3);
        const charged = charges.map((line) => line[head.indexOf('request_id')]);
        expect(charged.sort()).toEqual([requestIds[0], requestIds[1], requestIds[4]].sort());
      });
    },
    MAX_MS,
  );
}

const failed = (error: unknown) => {
  throw error;
};

/** Verifies a sandbox number. Returns the ID of the request. */
async function verify(key: string, nin: string): Promise<string> {
  const response = await fetch(`${service.baseUrl}/v1/ng/nin-basic`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ nin }),
  });
  return ((await response.json()) as { meta: { request_id: string } }).meta.request_id;
}

/** Exports what the page shows. Returns the cells of each line. */
async function exported(page: Page): Promise<string[][]> {
  const saved = page.waitForEvent('download');
  await button(page, 'Export CSV').click();
  const lines = await linesOf(await saved);
  await button(page.getByRole('dialog'), 'Close').click();
  return lines.map((line) => line.replace('\ufeff', '').split(','));
}

/** Data and failures that the service does not produce quickly. */
function pages(started: Browser): void {
  const { open, views, requests } = pagesIn(started);
  const dialog = (page: Page) => page.getByRole('dialog');
  const TIMED_OUT = 'req_000000000003';

  describe('a request', () => {
    test('is found by its ID, and the page says why it failed and that nothing was charged', async () => {
      await open('/requests?env=test', async (page) => {
        await untilShown(page);
        await page.getByLabel('Request ID or your reference').fill(` ${TIMED_OUT.toUpperCase()} `);
        await page.keyboard.press('Enter');
        await dialog(page).getByText('The registry did not respond in time.').waitFor();
        expect(page.url()).toMatch(`/requests?env=test&id=${TIMED_OUT}`);
        const text = await dialog(page).textContent();
        expect(text).toContain('Nothing was charged');
        expect(text).toContain('Yes, but not immediately.');
        expect(text).toContain('504 TIMEOUT');
        expect(text).toContain('Youverify');
        expect(text).toContain('Registry 7,957 ms');
        const found = [
          ...(await violationsInBoth(page)),
          ...(await smallTargets(page)),
          ...(await layoutProblems(page)),
        ];
        expect(found).toEqual([]);
        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'detached' });
        await page.waitForURL(/\/requests\?env=test$/);
      });
    });

    test('opens from the list and from a link, and returns the focus', async () => {
      await open('/requests', async (page) => {
        const link = page.getByRole('link', { name: 'req_000000000000' });
        await link.click();
        await dialog(page).getByRole('link', { name: 'show the statement' }).waitFor();
        await button(dialog(page), 'Close').click();
        await dialog(page).waitFor({ state: 'detached' });
        await page.locator(':focus').and(link).waitFor();
        await page.goBack();
        await dialog(page).waitFor();
        await page.reload();
        await dialog(page).getByText('1 credit charged').waitFor();
      });
    });

    test('does not link to the statement for those who may not see the wallet', async () => {
      const session = views()['GET /session'] as { organisation: object };
      views()['GET /session'] = { ...session, organisation: { ...session.organisation, role: 'viewer' } };
      await open('/requests?id=req_000000000000', async (page) => {
        await dialog(page).getByText('Statement line').waitFor();
        expect(await dialog(page).getByRole('link', { name: 'show the statement' }).count()).toBe(0);
      });
    });

    test('says which slip was withdrawn, where a phone shows it', async () => {
      const id = 'req_000000000000';
      const view = { ...requestDetailView(0), service: 'nin-slip' };
      views()[`GET /requests/${id}`] = view;
      views()[`POST /requests/${id}/withdraw`] = () => {
        views()[`GET /requests/${id}`] = { ...view, is_slip_withdrawn: true };
        return { request_id: id };
      };
      await open(`/requests?id=${id}`, async (page) => {
        await page.setViewportSize({ width: 360, height: 740 });
        await button(dialog(page), 'Withdraw this slip').click();
        await dialog(page).getByText(`The slip of request ${id}, with your reference loan-1000.`).waitFor();
        await button(dialog(page), 'Withdraw slip').click();
        await inView(dialog(page).getByText(`The slip of request ${id} was withdrawn.`));
        await dialog(page).getByText('Slip withdrawn').waitFor();
        expect(await button(dialog(page), 'Withdraw this slip').count()).toBe(0);
      });
    });

    test('that is not found has a link to the other environment', async () => {
      await open('/requests?id=req_ffffffffffff', async (page) => {
        await dialog(page).getByText('There is no live request with this ID.').waitFor();
        await dialog(page).getByText('Those from the playground are not kept.').waitFor();
        await dialog(page).getByRole('link', { name: 'Look for it in Test' }).click();
        await dialog(page).getByText('There is no test request with this ID.').waitFor();
      });
    });
  });

  describe('the list of requests', () => {
    test('can be filtered, and the filters are part of the address', async () => {
      await open('/requests', async (page) => {
        await untilShown(page);
        await page.getByText('Filters').click();
        await page.getByLabel('Outcome').selectOption('Registry timeout');
        await page.getByLabel('From').fill('2026-11-01');
        await button(page, 'Search').click();
        await page.waitForURL('**/requests?outcome=TIMEOUT&from=2026-11-01');
        await page.getByText('2 requests are shown. No others were found in these days.').waitFor();
        await page.reload();
        expect(await page.getByLabel('Outcome').inputValue()).toBe('TIMEOUT');
        await button(page, 'Clear').click();
        await page.getByText('12 requests are shown.').waitFor();
        await page.getByLabel('Request ID or your reference').fill("'0012345");
        await button(page, 'Search').click();
        await page.waitForURL('**/requests?reference=0012345');
      });
    });

    test('states the days that it covers, and goes further back to the first stored day', async () => {
      await open('/requests', async (page) => {
        const today = lagosDay(Date.now());
        const shows = (from: string) =>
          page.getByText(`Days shown: ${dayOf(from)} to ${dayOf(today)}`).waitFor();
        await shows(dayPlus(today, -6));
        await page.getByText('Filters').click();
        expect(await page.getByLabel('From').inputValue()).toBe(dayPlus(today, -6));
        expect(await page.getByLabel('To').inputValue()).toBe(today);
        for (const days of [36, 66, 90]) {
          await button(page, 'Include 30 days before').click();
          await shows(dayPlus(today, 0 - days));
        }
        expect(page.url()).toContain(`/requests?from=${dayPlus(today, -90)}`);
        expect(await button(page, 'Include 30 days before').count()).toBe(0);
      });
    });

    test('counts the requests that were rejected, with an example of each code', async () => {
      await open('/requests', async (page) => {
        await page.getByText('18 requests were rejected immediately in this period').click();
        const row = page.getByRole('row', { name: 'INVALID_API_KEY' });
        expect(await row.textContent()).toContain('12');
        await row.getByRole('link').click();
        await dialog(page).getByText('Nothing was charged: the request was rejected').waitFor();
        const codes = dialog(page).getByRole('link', { name: 'all codes' });
        expect(await codes.getAttribute('href')).toMatch(/errors\.html#INVALID_API_KEY$/);
      });
    });

    test('says that its counts are incomplete until the whole period has been read', async () => {
      views()['GET /requests'] = (_: unknown, query: URLSearchParams) => requestsView(60, query);
      await open('/requests', async (page) => {
        const backTo = dayOf(requestsView(60).read_to);
        await page.getByText(`50 requests so far, back to ${backTo}. There may be more.`).waitFor();
        await page.getByText('At least 18 requests were rejected immediately').waitFor();
        await button(page, 'Load earlier requests').click();
        await page.getByText('60 requests are shown. No others were found in these days.').waitFor();
        await page.getByText(/^\s*18 requests were rejected immediately/).waitFor();
      });
    });

    test('automatically continues a search that finds nothing, until it is stopped', async () => {
      const third = Promise.withResolvers<void>();
      views()['GET /requests'] = async (_: unknown, query: URLSearchParams) => {
        const cursor = Number(query.get('cursor') ?? 0);
        if (cursor === 2) await third.promise;
        const next_cursor = String(cursor + 1);
        return cursor < 4 ? { ...requestsView(0), next_cursor } : requestsView(1);
      };
      await open('/requests?reference=rare', async (page) => {
        await page.getByText('Searching earlier requests').waitFor();
        await button(page, 'Stop').click();
        third.resolve();
        await button(page, 'Continue searching').click();
        await page.getByText('1 request is shown. No others were found in these days.').waitFor();
        expect(requests().filter((request) => request === 'GET /requests')).toHaveLength(5);
      });
    });

    test('continues a rare search to its end without further clicks, also after a failure', async () => {
      let reads = 0;
      views()['GET /requests'] = () => {
        reads += 1;
        if (reads === 12) return new Rejection('SERVICE_UNAVAILABLE');
        const [found] = requestsView(1).requests;
        const row = { ...found, request_id: `req_${String(reads).padStart(12, '0')}` };
        return {
          ...requestsView(0),
          requests: reads % 10 === 5 ? [row] : [],
          next_cursor: reads < 40 ? String(reads) : null,
        };
      };
      await open('/requests?reference=rare', async (page) => {
        await button(page, 'Retry').click();
        await page.getByText('4 requests are shown. No others were found in these days.').waitFor();
        expect(reads).toBe(40);
      });
    });

    test('is exported with its filters, page by page', async () => {
      views()['GET /requests'] = (_: unknown, query: URLSearchParams) => requestsView(260, query);
      await open('/requests?env=test&outcome=FOUND', async (page) => {
        const saved = page.waitForEvent('download');
        await button(page, 'Export CSV').click();
        const download = await saved;
        await page.getByText('The file contains 104 requests.').waitFor();
        expect(download.suggestedFilename()).toMatch(/^requests-test-\d{4}-\d\d-\d\d\.csv$/);
        const lines = await linesOf(download);
        expect(lines).toHaveLength(105);
        expect(lines[1]).toContain(
          ',req_000000000000,loan-1000,nin-basic,FOUND,200,1,false,,Prembly,backend,799,strong,form 12,Loan',
        );
      });
    });

    test('says what to try if nothing was found', async () => {
      views()['GET /requests'] = requestsView(0);
      await open('/requests?env=test', async (page) => {
        await page.getByText('No requests were found in these days.').waitFor();
        await page.getByText('This list shows test requests only.').waitFor();
      });
    });

    test.each([
      ['reference=loan-1000', 'Registry timeout, key “till” and days', '?reference=loan-1000'],
      ['service=bvn-basic', 'bvn-basic, Registry timeout and key “till”', '?from=2026-11-01'],
    ])(
      'for %s names the filters that find nothing, and searches without them',
      async (query, names, kept) => {
        views()['GET /requests'] = (_: unknown, wanted: URLSearchParams) =>
          requestsView(wanted.has('outcome') ? 0 : 1);
        await open(`/requests?${query}&outcome=TIMEOUT&key=till&from=2026-11-01`, async (page) => {
          await page.getByText(`Filters are set: ${names}.`).waitFor();
          await page.getByText('This list shows live requests only.').waitFor();
          await button(page, 'Search without filters').click();
          await page.getByText('1 request is shown.').waitFor();
          expect(new URL(page.url()).search).toBe(kept);
        });
      },
    );
  });

  describe('usage', () => {
    test('is split by service or outcome, in requests or credits, and has a table with a row for each day', async () => {
      await open('/usage', async (page) => {
        const { by, days } = usageView();
        const rowsOf = async () => (await page.locator('.stacked tbody tr').allTextContents()).length;
        await page.getByText('Show the table').click();
        expect(await rowsOf()).toBe(days.length);
        await page.getByLabel('Split by').selectOption('Outcome');
        const found = sum(by.outcome[0]?.requests ?? []);
        await page
          .locator('.legend')
          .getByText(`Found ${found.toLocaleString('en-NG')}`)
          .waitFor();
        await page.getByLabel('Show', { exact: true }).selectOption('Credits');
        await page.locator('.legend').getByText('Not found').waitFor({ state: 'detached' });
        await page
          .locator('figcaption')
          .getByText(`Credits: ${found.toLocaleString('en-NG')}.`)
          .waitFor();
        expect(new URL(page.url()).search).toBe('?by=outcome&show=credits');
        await page.reload();
        await page.locator('figcaption').getByText('Credits: ').waitFor();
        expect(await violations(page)).toEqual([]);
      });
    });

    test('is compared with the previous month, and the month that is chosen is part of the address', async () => {
      await open('/usage?env=test', async (page) => {
        await page.getByText('Estimate: the month is not closed yet').waitFor();
        await page
          .getByText(/12% more than/)
          .first()
          .waitFor();
        await page.getByLabel('Period').focus();
        await page.getByLabel('Period').selectOption({ index: 2 });
        await page.waitForURL(/\/usage\?env=test&month=\d{4}-\d\d$/);
        await page.getByText('Final: the month is closed').waitFor();
        // The field that was changed keeps the focus.
        await page.locator('[name="month"]:focus').waitFor();
      });
    });

    test('is shown for chosen days, which are part of the address, and compared with those before', async () => {
      await open('/usage?by=outcome', async (page) => {
        await page.getByLabel('From').fill('2026-10-28');
        await page.getByLabel('To', { exact: true }).fill('2026-11-03');
        await button(page, 'Show days').click();
        await page.waitForURL(/\/usage\?by=outcome&from=2026-10-28&to=2026-11-03$/);
        await page.getByRole('heading', { name: '28 Oct 2026 to 3 Nov 2026' }).waitFor();
        await page.getByText('12% more than the 7 days before').first().waitFor();
        expect(await page.locator('[name="month"] option:checked').textContent()).toBe('Other days');
        expect(await violations(page)).toEqual([]);
        await page.reload();
        await page.getByRole('heading', { name: '28 Oct 2026 to 3 Nov 2026' }).waitFor();
        await page.getByLabel('Period').selectOption('Last 30 days');
        const today = lagosDay(Date.now());
        await page.waitForURL(`**/usage?by=outcome&from=${dayPlus(today, -29)}&to=${today}`);
        expect(await page.locator('[name="month"] option:checked').textContent()).toBe('Last 30 days');
        await page.getByLabel('Period').selectOption({ index: 2 });
        await page.waitForURL(/\/usage\?by=outcome&month=\d{4}-\d\d$/);
      });
    });

    test('states the cost of each service, whose sum is the cost of all', async () => {
      await open('/usage', async (page) => {
        await page.getByRole('heading', { name: 'By service' }).waitFor();
        const cells = page.locator('section[aria-labelledby="services"] tbody tr td:nth-of-type(3) .value');
        const naira = (await cells.allTextContents()).map((text) => Number(text.replaceAll(/[₦,]/g, '')));
        expect(naira.length).toBeGreaterThan(3);
        expect(Math.round(sum(naira) * 100)).toBe(usageView().totals.cost_kobo);
      });
    });

    test('can be shown for other days if those in the address are not accepted', async () => {
      const { 'GET /usage': read } = views();
      views()['GET /usage'] = new Rejection('INVALID_SCHEMA', 'from', 'Send an earlier from or a later to.');
      await open('/usage?from=2026-11-03&to=2026-11-01', async (page) => {
        await page.locator('.notice').getByText('Send an earlier from').waitFor();
        views()['GET /usage'] = read;
        await page.getByLabel('To', { exact: true }).fill('2026-11-04');
        await button(page, 'Show days').click();
        await page.getByRole('heading', { name: '3 Nov 2026 to 4 Nov 2026' }).waitFor();
      });
    });

    test('is exported as the page shows it', async () => {
      await open('/usage', async (page) => {
        const saved = page.waitForEvent('download');
        await button(page, 'Export CSV').click();
        const lines = await linesOf(await saved);
        const { by } = usageView();
        const exported = lines
          .filter((line) => line.split(',')[1] === 'service')
          .map((line) => Number(line.split(',')[3]));
        expect(sum(exported)).toBe(sum(by.service.flatMap((series) => series.requests)));
      });
    });

    test('says that there were no requests, and that nothing has been counted yet', async () => {
      const view = usageView();
      const nothing = { requests: 0, found: 0, errors: 0, credits: 0, cost_kobo: null, is_closed: false };
      views()['GET /usage'] = { ...view, totals: nothing, counted_until: null };
      await open('/usage', async (page) => {
        await page.getByText(/^No requests in/).waitFor();
        await page.getByText('Nothing has been counted yet.').waitFor();
        expect(await violations(page)).toEqual([]);
      });
    });

    test('has no comparison and no cost if they are not known', async () => {
      const view = usageView();
      views()['GET /usage'] = {
        ...view,
        previous: null,
        totals: { ...view.totals, cost_kobo: null },
        latency: [],
      };
      await open('/usage', async (page) => {
        await page.getByText(/There were no requests in .* to compare with/).waitFor();
        await page.getByText('No price is set').waitFor();
        await page.getByText('No request reached a registry.').waitFor();
      });
    });
  });
}
