import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  type ConsoleClient,
  consoleUrl,
  createAccount,
  SESSION_COOKIE,
  TEMPORARY_PASSWORD,
} from './console.ts';
import { mailsOnceThere, mailsTo, temporaryPassword } from './console-mail.ts';
import { withPage } from './page-checks.ts';

/** The console in a real browser, by default at the size of a phone. */

export const PHONE = { width: 360, height: 780 } as const;

export const MEMBER_PAGES = {
  home: '/',
  keys: '/keys',
  services: '/services',
  wallet: '/wallet',
  statement: '/wallet/statement',
  requests: '/requests',
  usage: '/usage',
  team: '/team',
  organisation: '/organisation',
  audit: '/audit',
} as const;

/** Opens a browser context and reports problems in it. The sign-in page has another origin, as on AWS. */
export async function inConsole<T>(
  browser: Browser,
  problems: string[],
  options: BrowserContextOptions,
  use: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const found: string[] = [];
  const { origin } = new URL(process.env['SIGN_IN_ISSUER'] ?? '');
  try {
    return await withPage(browser, consoleUrl, found, { viewport: PHONE, ...options }, use);
  } finally {
    problems.push(...found.filter((one) => !one.startsWith(`request to another origin: ${origin}/`)));
  }
}

/** Copies a client's session to the browser, so that only the sign-in tests need the sign-in pages. */
export async function giveSession(context: BrowserContext, { cookies }: ConsoleClient): Promise<void> {
  await context.addCookies([
    {
      name: SESSION_COOKIE,
      value: cookies.get(SESSION_COOKIE) ?? '',
      // Browsers accept secure cookies from this machine without HTTPS, but Playwright sets them only for HTTPS URLs.
      url: consoleUrl.replace('http:', 'https:'),
      secure: true,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ]);
}

/** Returns the value of the browser's session cookie, or an empty string. */
export async function sessionCookieOf(context: BrowserContext): Promise<string> {
  const cookies = await context.cookies();
  return cookies.find(({ name }) => name === SESSION_COOKIE)?.value ?? '';
}

/**
 * Signs in on the identity provider's page, which must be open. Creates an account if the person has no temporary
 * password from an email.
 */
export async function signInOnPage(page: Page, email: string, password?: string): Promise<void> {
  if (password === undefined) await createAccount(email);
  const fill = () => page.getByLabel('Another email address').fill(email);
  const submit = () => page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await fill();
  await page.getByLabel('Temporary password').fill(password ?? TEMPORARY_PASSWORD);
  const first = page.url();
  await submit();
  await page.waitForURL(({ href }) => href !== first);
  // A new person signs in twice, because the first sign-in has only one factor.
  if (!page.url().startsWith(`${consoleUrl}/`)) {
    await fill();
    await submit();
  }
  await page.waitForURL(`${consoleUrl}/**`);
}

/** Signs up on the sign-in page, which must be open, and signs in with the temporary password from the email. */
export async function signUpOnPage(page: Page, email: string): Promise<void> {
  const before = mailsTo(email).length;
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByText(`An email to ${email} says how to sign in`).waitFor();
  await mailsOnceThere(email, before + 1);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInOnPage(page, email, temporaryPassword(email));
}

/** Opens a page of the console, and waits until it shows its data. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(`${consoleUrl}${path}`);
  await untilShown(page);
}

/** Waits until the page shows its heading and has loaded its data. */
export async function untilShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'hidden' });
}
