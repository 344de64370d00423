import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { startLocalService } from '../../../../infra/local/local-service.ts';
import { startBrowser } from '../../../support/browser.ts';
import { inTurn, spreadOf } from '../measure.ts';
import type { Line } from './goal.ts';

const MAX_WAIT_MS = 120_000;

/** When a visit first paints, and when it shows its data, in milliseconds after its start. */
interface Visit {
  readonly paintMs: number;
  readonly dataMs: number;
}

/**
 * Measures goal 14: the time until Home first paints and until it shows its data, over the loopback interface with an
 * empty browser cache. Functions are warm: the first round does not count.
 */
export async function consoleGoals(rounds: number): Promise<Line[]> {
  await using cleanup = new AsyncDisposableStack();
  const workDirectory = mkdtempSync(join(tmpdir(), 'bench-console-'));
  cleanup.defer(() => rmSync(workDirectory, { recursive: true }));
  const service = await startLocalService({ workDirectory });
  cleanup.defer(() => service.stop());
  const browser = await startBrowser();
  if (!browser || !service.console) throw new Error('Goal 14 needs Chromium and the console.');
  cleanup.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  context.setDefaultTimeout(MAX_WAIT_MS);
  await signIn(context, service.console);

  const address = `${service.console.url}/`;
  const { home } = await inTurn(['home'], rounds, () => visit(context, address));
  return [
    {
      ...{ goal: '14a', what: "first paint of the console's Home, loopback", unit: 'ms' },
      reference: 'absolute, on the machine that ran it',
      ...{ measured: spreadOf(home.map(({ paintMs }) => paintMs)), goalValue: 500, failsAt: 1_500 },
    },
    {
      ...{ goal: '14b', what: "the console's Home with its data, loopback", unit: 'ms' },
      reference: 'absolute, on the machine that ran it',
      ...{ measured: spreadOf(home.map(({ dataMs }) => dataMs)), goalValue: 1_000, failsAt: 3_000 },
    },
  ];
}

async function signIn(
  context: BrowserContext,
  { url, members }: { url: string; members: readonly Member[] },
) {
  const page = await context.newPage();
  await page.goto(`${url}/console/api/session/start`);
  await page.getByRole('button', { name: members[0]?.email ?? '' }).click();
  await page.waitForURL(`${url}/**`);
  await page.close();
}

interface Member {
  readonly email: string;
}

/** Visits a page with an empty cache, and waits until no part of it is loading. */
async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  try {
    const client = await context.newCDPSession(page);
    await client.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'hidden' });
    const dataMs = await page.evaluate<number>('performance.now()');
    const paintMs = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0].startTime",
    );
    return { paintMs, dataMs };
  } finally {
    await page.close();
  }
}
