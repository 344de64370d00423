import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** Checks that all of our pages must pass in a real browser. */

/** By default, Playwright gives up after 30 s, but pages can take longer on a busy machine. */
const MAX_WAIT_MS = 240_000;
/** Half a megabyte, so it is loaded only into pages that axe checks. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const IN_PAGE = join(import.meta.dirname, 'in-page.js');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The only rules with these tags whose results depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The widths at which pages are checked: a small phone (also 1,280 px at 400% zoom), a common phone, and a desktop. */
export const WIDTHS_PX = [320, 360, 1280] as const;
export const COLOUR_SCHEMES = ['light', 'dark'] as const;

/**
 * Opens a new browser context with one page. Adds to `problems` uncaught errors, errors on the console (including
 * violations of the content security policy), and requests to origins other than `origin`. Closes the context at the
 * end.
 */
export async function withPage<T>(
  browser: Browser,
  origin: string,
  problems: string[],
  options: BrowserContextOptions,
  use: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(MAX_WAIT_MS);
  await context.addInitScript({ path: IN_PAGE });
  context.on('page', (page) => watch(page, origin, problems));
  try {
    return await use(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

function watch(page: Page, origin: string, problems: string[]): void {
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin))
      problems.push(`request to another origin: ${request.url()}`);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A response with an error status is not a fault of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`console: ${message.text()}`);
  });
}

const MOST_LOOKS = 200;

/** Waits until an element is inside the window, and not above or below it. */
export async function inView(element: Locator): Promise<void> {
  const height = element.page().viewportSize()?.height ?? 0;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const box = await element.boundingBox();
    if (box && box.y >= 0 && box.y + box.height <= height) return;
    await element.page().waitForTimeout(20);
  }
  throw new Error(`"${await element.textContent()}" is outside the window.`);
}

/**
 * Returns the layout problems at the current window size, such as text that is cut off or overlaps, words that are
 * broken, and sideways scrolling.
 */
export function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('layoutProblems()');
}

/** Returns the controls that are smaller than 44 × 44 px. Links in running text are exempt, as in WCAG 2.5.8. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('smallTargets()');
}

/**
 * Returns the violations of WCAG 2.2 AA that axe finds, one line for each element. Skips list entries after the 20th.
 */
export function violations(page: Page): Promise<string[]> {
  return violationsOf(page, { type: 'tag', values: RULES });
}

/** Returns the violations that depend on colours. No others can differ between the colour schemes. */
export function colourViolations(page: Page): Promise<string[]> {
  return violationsOf(page, { type: 'rule', values: COLOUR_RULES });
}

/** Returns the violations in the light colour scheme, and then those of the colour rules in the dark one. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await colourViolations(page)).map((one) => `dark: ${one}`)];
}

async function violationsOf(page: Page, runOnly: object): Promise<string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(AXE);
  return page.evaluate<string[]>(`violations(${JSON.stringify(runOnly)})`);
}
