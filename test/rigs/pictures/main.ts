import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ServiceDescription } from '../../../infra/local/local-service.ts';
import { startBrowser } from '../../support/browser.ts';
import { withPalette } from '../../support/palette-png.ts';

/**
 * `npm run rig -- pictures` writes a picture of each page of the account console to docs/design/console: light and dark, on a
 * phone and on a desktop. It opens the service that `npm start` runs. `--only keys,home` selects pages.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const ROOT = join(import.meta.dirname, '../../..');
const DIRECTORY = join(ROOT, 'docs/design/console');
const OWNER = 'amaka.owner@example.com';
/** Pictures of longer pages are cropped, because the rest looks the same. */
const MAX_HEIGHT_PX = 2_400;
/** The margin above and below a dialog. */
const DIALOG_MARGIN_PX = 16;
const MAX_WAIT_MS = 60_000;

const DEVICES: Readonly<Record<string, BrowserContextOptions['viewport']>> = {
  phone: { width: 360, height: 780 },
  desktop: { width: 1280, height: 800 },
};

interface Picture {
  readonly path: string;
  /** What to do after the page has opened. */
  readonly open?: (page: Page) => Promise<void>;
}

async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
}

const SIGNED_OUT: Readonly<Record<string, Picture>> = { 'sign-in': { path: '/sign-in' } };
const SIGNED_IN: Readonly<Record<string, Picture>> = {
  home: { path: '/' },
  keys: { path: '/keys' },
  'keys-create': {
    path: '/keys?env=test',
    open: (page) => openDialog(page, 'Create key'),
  },
  services: { path: '/services' },
  wallet: { path: '/wallet' },
  'wallet-top-up': {
    path: '/wallet',
    open: (page) => openDialog(page, 'Top up'),
  },
  statement: { path: '/wallet/statement' },
  requests: { path: '/requests' },
  'requests-detail': {
    path: '/requests',
    open: async (page) => {
      await page.getByRole('row').getByRole('link').first().click();
      await page.getByRole('dialog').getByText('What happened').waitFor();
    },
  },
  playground: {
    path: '/playground?env=test',
    open: async (page) => {
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('heading', { name: 'NIN_VERIFIED' }).waitFor();
    },
  },
  usage: { path: '/usage' },
  webhooks: { path: '/webhooks?env=test' },
  'webhooks-add': {
    path: '/webhooks?env=test',
    open: (page) => openDialog(page, 'Add endpoint'),
  },
  'webhooks-deliveries': {
    path: '/webhooks?env=test',
    open: async (page) => {
      await page.getByRole('link', { name: 'Deliveries' }).first().click();
      await page.getByRole('button', { name: /^Send test/ }).click();
      await page.getByRole('status').getByText('Delivered', { exact: true }).waitFor();
    },
  },
  alerts: { path: '/alerts' },
  team: { path: '/team' },
  organisation: { path: '/organisation' },
  audit: { path: '/audit' },
  status: { path: '/status' },
  'new-organisation': { path: '/new-organisation' },
  invitation: { path: `/invitation#${'A'.repeat(43)}` },
};

const only = values.only === '' ? undefined : values.only.split(',');
const isWanted = ([name]: [string, Picture]) => !only || only.includes(name);

function consoleUrl(): string {
  const file = join(ROOT, '.local/service.json');
  const description = JSON.parse(readFileSync(file, 'utf8')) as ServiceDescription;
  if (!description.console) throw new Error('The service in .local/service.json has no console.');
  return description.console.url;
}

/**
 * Writes settings that select fonts on this machine, because the only font of the packaged browser lacks the naira sign
 * and monospaced letters. Returns the path of the file.
 */
function fontSettings(): string {
  const families = { 'system-ui': 'Open Sans', 'sans-serif': 'Open Sans', monospace: 'DejaVu Sans Mono' };
  const alias = ([name, font]: [string, string]) =>
    `<alias binding="strong"><family>${name}</family><prefer><family>${font}</family></prefer></alias>`;
  const directories = [join(tmpdir(), 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`);
  const content = [...directories, ...Object.entries(families).map(alias)].join('');
  const file = join(mkdtempSync(join(tmpdir(), 'pictures-')), 'fonts.conf');
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${content}</fontconfig>`);
  return file;
}

/** Makes the window as high as the page or its dialog needs, because the navigation is as high as the window. */
async function heightToShow(page: Page): Promise<number> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const [shown, marginPx] = (await page.locator('dialog[open]').count())
    ? ['dialog[open]', 2 * DIALOG_MARGIN_PX]
    : ['html', 0];
  const shownPx = await page.evaluate<number>(`document.querySelector('${shown}').scrollHeight`);
  const neededPx = Math.min(MAX_HEIGHT_PX, Math.max(height, shownPx + marginPx));
  await page.setViewportSize({ width, height: neededPx });
  await page.evaluate('scrollTo(0, 0)');
  return neededPx;
}

async function takePicture(page: Page, name: string, { path, open }: Picture, url: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await open?.(page);
  const size = page.viewportSize();
  const clip = { x: 0, y: 0, width: size?.width ?? 0, height: await heightToShow(page) };
  const picture = await page.screenshot({ clip, animations: 'disabled' });
  if (size) await page.setViewportSize(size);
  writeFileSync(join(DIRECTORY, `${name}.png`), await withPalette(picture));
  process.stdout.write(`docs/design/console/${name}.png\n`);
}

const url = consoleUrl();
process.env['FONTCONFIG_FILE'] = fontSettings();
const browser = await startBrowser();
if (!browser) process.exit(1);
mkdirSync(DIRECTORY, { recursive: true });
for (const [device, viewport] of Object.entries(DEVICES))
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: viewport ?? null, colorScheme, locale: 'en-NG' });
    context.setDefaultTimeout(MAX_WAIT_MS);
    const page = await context.newPage();
    const take = ([name, picture]: [string, Picture]) =>
      takePicture(page, `${name}-${device}-${colorScheme}`, picture, url);
    for (const entry of Object.entries(SIGNED_OUT).filter(isWanted)) await take(entry);
    await page.goto(`${url}/console/api/session/start`);
    await page.getByRole('button', { name: OWNER }).click();
    await page.waitForURL(`${url}/**`);
    for (const entry of Object.entries(SIGNED_IN).filter(isWanted)) await take(entry);
    await context.close();
  }
await browser.close();
