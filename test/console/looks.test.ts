import { afterAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { pagesIn } from './open-pages.ts';
import { homeView, organisationView, sessionView } from './views.ts';
import { deliveryView } from './webhook-views.ts';

/** Where the parts of pages are, and how they look. */

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

const atWidth = (width: number) => ({ viewport: { width, height: 800 } });
async function boxesOf(all: Locator) {
  await all.first().waitFor();
  return Promise.all((await all.all()).map(async (one) => (await one.boundingBox()) as Box));
}
type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
const middle = ({ x, width }: Box) => x + width / 2;
const style = (of: Locator, name: string): Promise<string> =>
  of.first().evaluate((element, property) => Object(globalThis).getComputedStyle(element)[property], name);

function inBrowser(started: Browser): void {
  const { open, views } = pagesIn(started);

  test('on a phone, each line of the buttons of a webhook begins at the left, and so does a failure', async () => {
    views()['POST /webhooks/hook_0123456789abcdef/test'] = deliveryView({ state: 'FAILED' });
    await open('/webhooks', async (page) => {
      const lines = new Map<number, number>();
      for (const { x, y } of await boxesOf(page.locator('.card').first().locator('.buttons .button')))
        lines.set(y, Math.min(lines.get(y) ?? x, x));
      expect(lines.size).toBeGreaterThan(1);
      expect(new Set(lines.values()).size).toBe(1);
      await page
        .getByRole('button', { name: /^Send test/ })
        .first()
        .click();
      await page.locator('.notice .badge').waitFor();
      expect(await style(page.locator('.notice .badge'), 'paddingLeft')).toBe('0px');
    });
  });

  test('badges of a request do not touch, and its underline does not hide underscores', async () => {
    await open('/requests', async (page) => {
      expect(await style(page.locator('a:has(code)'), 'textUnderlineOffset')).toBe('5px');
      await page.locator('tbody th a').first().click();
      await page.locator('.badges .badge').first().waitFor();
      expect(await style(page.locator('.badges'), 'rowGap')).toBe('8px');
    });
  });

  test('the label in the middle of a chart is below its bar', async () => {
    await open('/', async (page) => {
      const marks = await boxesOf(page.locator('.chart-marks').last().locator('span'));
      const bars = await boxesOf(page.locator('.chart rect'));
      expect([marks.length, bars.length]).toEqual([3, 15]);
      expect(Math.abs(middle(marks[1] as Box) - middle(bars[7] as Box))).toBeLessThan(2);
    });
    const { requests } = homeView();
    views()['GET /home'] = { ...homeView(), requests: requests.slice(1) };
    await open('/', async (page) => {
      expect(await boxesOf(page.locator('.chart-marks').last().locator('span'))).toHaveLength(2);
    });
  });

  test('on a desktop, the buttons of a member, and those of a test event, are on one line', async () => {
    for (const [path, parts] of [
      ['/team', 'tr:nth-child(2) .actions .button'],
      ['/webhooks', '.send-test :is(select, .button)'],
    ] as const)
      await open(
        path,
        async (page) => {
          const boxes = await boxesOf(page.locator(parts));
          expect([boxes.length, new Set(boxes.map(({ y, height }) => y + height)).size]).toEqual([2, 1]);
        },
        atWidth(1280),
      );
  });

  test('the rows of a card stay apart while its details are open', async () => {
    await open('/webhooks?id=hook_0123456789abcdef', async (page) => {
      await page.locator('tbody summary').first().click();
      const rows = await boxesOf(page.locator('tbody tr:first-child > *'));
      for (const [index, { y, height }] of rows.slice(0, -1).entries())
        expect(rows[index + 1]?.y).toBe(y + height + 8);
    });
  });

  test('the outline of the focus does not cover the hint above a field', async () => {
    await open('/wallet', async (page) => {
      await page.getByRole('button', { name: 'Top up' }).click();
      const [field, hint] = await boxesOf(page.locator('.field > :is(input, .hint)'));
      const [upper, lower] = [field, hint].sort((a, b) => (a?.y ?? 0) - (b?.y ?? 0));
      expect((lower?.y ?? 0) - (upper?.y ?? 0) - (upper?.height ?? 0)).toBeGreaterThanOrEqual(5);
    });
  });

  test('the box of a consent is next to its first line', async () => {
    await open('/wallet', async (page) => {
      await page.getByRole('button', { name: /^Set up/ }).click();
      const [box] = await boxesOf(page.getByRole('checkbox'));
      const [text] = await boxesOf(page.locator('.choice label > span'));
      expect(text?.height).toBeGreaterThan(60);
      expect(box?.y).toBeLessThan((text?.y ?? 0) + 16);
    });
  });

  test.each([360, 768])('the fields of Usage are equally wide at %i px', async (width) => {
    await open(
      '/usage',
      async (page) => {
        const fields = await boxesOf(page.locator('.controls :is(input, select)'));
        expect(fields).toHaveLength(5);
        const [period, days] = [fields.slice(0, 3), fields.slice(3)];
        for (const some of [period, days])
          expect(new Set(some.map((one) => Math.round(one.width))).size).toBe(1);
      },
      atWidth(width),
    );
  });

  test('on a tablet, the menu comes before the organisation, and the account before the stage', async () => {
    views()['GET /session'] = { ...sessionView(), stage: 'staging' };
    await open(
      '/',
      async (page) => {
        const parts = page.locator('header > *');
        await page.locator('header > .badge').waitFor();
        const boxes = await boxesOf(parts);
        expect(boxes.map(({ x }) => x)).toEqual(boxes.map(({ x }) => x).sort((a, b) => a - b));
        expect(await parts.first().textContent()).toBe('Menu');
      },
      atWidth(768),
    );
  });

  test('on a desktop, email addresses and times are on one line', async () => {
    for (const [path, part] of [
      ['/team', 'tbody th .small'],
      ['/audit', 'tbody th time'],
    ] as const)
      await open(
        path,
        async (page) => {
          for (const { height } of await boxesOf(page.locator(part))) expect(height).toBeLessThan(30);
        },
        atWidth(1280),
      );
  });

  test('numbers that cannot be changed look different from fields', async () => {
    views()['GET /organisation'] = { ...organisationView(), status: 'APPROVED' };
    await open('/organisation', async (page) => {
      const fixed = page.locator('input[readonly]');
      const others = page.locator('input:not([readonly])');
      await fixed.first().waitFor();
      for (const name of ['backgroundColor', 'borderTopColor'])
        expect(await style(fixed, name)).not.toBe(await style(others, name));
    });
  });

  test('the roles say who can spend money, and who can change nothing', async () => {
    await open('/team', async (page) => {
      await page.getByRole('button', { name: 'Invite member' }).click();
      for (const [name, hint] of [
        ['Finance', 'Can spend money'],
        ['Administrator', 'Can spend money'],
        ['Viewer', 'Cannot change anything'],
      ] as const)
        await page.locator('.choice', { hasText: new RegExp(`^${name}.*${hint}`) }).waitFor();
    });
  });

  test('a list of requests in UTC says when its days begin', async () => {
    await open('/requests', async (page) => {
      await page.getByRole('button', { name: 'Show UTC' }).click();
      await page.getByText('Nigerian time: each begins at 23:00 UTC on the day before.').waitFor();
    });
  });

  test('Home says how long credits last, also if it is more than a year', async () => {
    views()['GET /home'] = { ...homeView(), runs_out_on: null };
    await open('/', async (page) => {
      await page.getByText('the live credits will last for more than a year.').waitFor();
    });
  });
}
