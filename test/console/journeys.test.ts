import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hashOf } from '../../shared/accounts/api-key.ts';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import { apiKeysPk, auditPk, consolePk, sessionKey } from '../../shared/core/keys.ts';
import { runAdmin } from '../operator/run-admin.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { type ConsoleClient, consoleUrl, service, signIn } from '../support/console.ts';
import {
  giveSession,
  inConsole,
  MEMBER_PAGES,
  openPage,
  PHONE,
  sessionCookieOf,
  signInOnPage,
  signUpOnPage,
  untilShown,
} from '../support/console-browser.ts';
import {
  completeProfile,
  consoleOrganisation,
  join as joinOrganisation,
  putColleague,
  putInvitation,
  putKey,
  putProfile,
  rowsOf,
  setAttributes,
} from '../support/console-organisation.ts';
import { layoutProblems, violationsInBoth } from '../support/page-checks.ts';
import { isComplete, randomCases } from '../support/sample.ts';

/** What people do in the console, in a real browser at phone size, against the running service. */

const MAX_MS = 300_000;

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const dialog = (page: Page) => page.getByRole('dialog');
/** The organisation menu, found by the name of the current organisation. */
const menu = (page: Page, organisation: string | RegExp) =>
  page.locator('header summary').filter({ hasText: organisation });
const openMenu = (page: Page, organisation: string | RegExp) => menu(page, organisation).click();

/** Returns the last email to an address. */
function mailTo(email: string): string {
  const directory = service.console?.mailDirectory ?? '';
  const mails = readdirSync(directory)
    .sort()
    .map((name) => readFileSync(join(directory, name), 'utf8'));
  const mail = mails.findLast((text) => text.includes(`To: ${email}\n`));
  if (!mail) throw new Error(`No email was sent to ${email}.`);
  return mail;
}

/** Runs `admin --local <args>` against the running service. */
async function admin(...args: string[]): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'console-admin-')), 'service.json');
  const { adminAwsEnvironment, operators } = service;
  writeFileSync(file, JSON.stringify({ adminAwsEnvironment, operators }));
  const { code, stderr } = await runAdmin(['--local', ...args], { LOCAL_SERVICE_FILE: file });
  if (code !== 0) throw new Error(stderr);
}

/** Runs a line, as if it were pasted into a terminal. Returns the status and the body of the response. */
function paste(line: string): { readonly status: string; readonly body: string } {
  const { stdout, error } = spawnSync('sh', ['-c', `${line} -w '\\n%{http_code}'`], { encoding: 'utf8' });
  if (error) throw error;
  const [status = '', ...body] = stdout.trim().split('\n').reverse();
  return { status, body: body.join('\n') };
}

/** Signs in the owner of a new organisation. */
async function member(
  email: string,
  changes: Partial<Organisation> = {},
): Promise<{ client: ConsoleClient; organisation: Organisation }> {
  const organisation = await consoleOrganisation(`Organisation of ${email.split('@')[0]}`, changes);
  const client = await signIn(email);
  await joinOrganisation(client, organisation, 'owner');
  return { client, organisation };
}

/** Sets the time of a browser's sign-in to this many minutes ago. */
async function ageSignIn(context: BrowserContext, minutes: number): Promise<void> {
  const [, , secret = ''] = (await sessionCookieOf(context)).split('.');
  const signedInAt = new Date(Date.now() - minutes * 60_000).toISOString();
  await setAttributes('CONSOLE_TABLE', sessionKey(hashOf(secret)), { signedInAt });
}

/** Confirms that the new key is stored, which closes its dialog. Returns the key and the command that tries it. */
async function newKeyIn(page: Page): Promise<{ text: string; line: string }> {
  const [text = '', line = ''] = await dialog(page).locator('code').allTextContents();
  await dialog(page).getByLabel('I have stored the key').check();
  await button(dialog(page), 'Done').click();
  await dialog(page).waitFor({ state: 'detached' });
  return { text, line };
}

function inBrowser(started: Browser): void {
  const problems: string[] = [];
  afterEach(() => {
    expect(problems.splice(0)).toEqual([]);
  });
  const onPhone = <T>(use: (page: Page, context: BrowserContext) => Promise<T>) =>
    inConsole(started, problems, {}, use);

  test(
    'a new person signs up, creates an organisation and a test key, calls the API with the command on the page, and rotates and revokes the key',
    async () => {
      await onPhone(async (page, context) => {
        await page.goto(`${consoleUrl}/sign-in`);
        await signUpOnPage(page, 'new.person@example.com');
        await page.getByLabel('Name of the organisation').fill('Journey Limited');
        await button(page, 'Create the organisation').click();

        await button(page, 'Add test credits').click();
        await page.getByRole('link', { name: 'Create a test key' }).click();
        await button(page, 'Create key').click();
        await dialog(page).getByLabel('Label').fill('backend');
        await button(dialog(page), 'Create key').click();
        await dialog(page).getByText('The key is shown only once.').waitFor();
        const first = await newKeyIn(page);
        expect(first.text).toMatch(/^idv_test_\w{48}$/);
        const row = page.getByRole('row', { name: 'backend' });
        await row.getByText('Never').first().waitFor();

        const called = paste(first.line);
        expect(called).toEqual({ status: '200', body: expect.stringContaining('"NIN_VERIFIED"') });
        await page.reload();
        await row.getByText(/from 127\.0\.0/).waitFor();

        await button(row, /^Rotate/).click();
        await button(dialog(page), 'Rotate key').click();
        await dialog(page).getByText('The key is shown only once.').waitFor();
        const second = await newKeyIn(page);
        expect(second.text).not.toBe(first.text);
        expect(paste(first.line).status).toBe('200');
        expect(paste(second.line).status).toBe('200');

        const current = page
          .getByRole('row', { name: 'backend' })
          .filter({ hasText: `ends in ${second.text.slice(-4)}` });
        await button(current, /^Revoke/).click();
        await button(dialog(page), 'Revoke key').click();
        await dialog(page).waitFor({ state: 'detached' });
        expect(paste(second.line)).toEqual({
          status: '401',
          body: expect.stringContaining('INVALID_API_KEY'),
        });
        expect(await page.evaluate('document.cookie')).toBe('');
        expect(await sessionCookieOf(context)).not.toBe('');
      });
    },
    MAX_MS,
  );

  test(
    'an owner fills in the profile, corrects a number that has no record and submits the profile, and an operator approves the organisation',
    async () => {
      const { client, organisation } = await member('profile.owner@example.com', { status: 'PENDING' });
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/organisation');
        const field = (name: string) => page.locator(`[name="${name}"]`);
        await field('company_number').fill('RC1230404');
        await field('tax_number').fill('12345678-0001');
        await field('address').fill('6 Example Street\nLekki');
        for (const contact of ['billing_contact', 'privacy_contact']) {
          await field(`${contact}.name`).fill('Ngozi Contact');
          await field(`${contact}.email`).fill('not an address');
        }
        await button(page, 'Save the profile').click();
        // Rejected: nothing is saved, the field says why, and the input stays.
        await page.locator('[name="billing_contact.email"][aria-invalid="true"]').waitFor();
        expect(await field('company_number').inputValue()).toBe('RC1230404');
        expect(await rowsOf('CONSOLE_TABLE', consolePk(organisation.id))).not.toContainEqual(
          expect.objectContaining({ sk: 'PROFILE' }),
        );
        for (const contact of ['billing_contact', 'privacy_contact'])
          await field(`${contact}.email`).fill('contact@example.com');
        await button(page, 'Save the profile').click();
        await page.getByText('The profile was saved.').waitFor();
        await page.getByLabel(/^I accept the terms/).check();
        await button(page, 'Submit for approval').click();
        await page.getByText('Not found. Correct the number').waitFor();
        expect(await field('company_number').inputValue()).toBe('RC1230404');
        expect(await field('address').inputValue()).toContain('Lekki');
        await field('company_number').fill('RC1234567');
        await button(page, 'Save the profile').click();
        await page.getByText('The profile was saved.').waitFor();
        await page.getByLabel(/^I accept the terms/).check();
        await button(page, 'Submit for approval').click();
        await page.getByText('We are checking the organisation.').waitFor();
        await page.getByText('Registered.', { exact: true }).waitFor();
        await page.getByText('Registered under a different name.').waitFor();

        await openPage(page, '/');
        await page.getByText(/of \d steps done/).click();
        expect(
          await page.getByRole('listitem').filter({ hasText: 'Wait for approval' }).textContent(),
        ).toContain('To do');
        await admin('org', 'approve', organisation.id, '--profile', '4');
        await page.reload();
        await page.getByText(/of \d steps done/).click();
        await page.getByRole('listitem').filter({ hasText: 'Wait for approval' }).getByText('Done').waitFor();
      });
    },
    MAX_MS,
  );

  test(
    'a colleague accepts an invitation in another browser, gets a different role, and is rejected once they are removed',
    async () => {
      const { client } = await member('inviting.owner@example.com');
      const email = 'invited.colleague@example.com';
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/team');
        await button(page, 'Invite member').click();
        await dialog(page).getByLabel('Email address').fill(email);
        await dialog(page).getByLabel('Developer').check();
        await button(dialog(page), 'Send the invitation').click();
        await page.getByText(`An invitation was sent to ${email}.`).waitFor();
        const [link = ''] = /http\S+\/invitation#\S+/.exec(mailTo(email)) ?? [];

        await onPhone(async (colleague) => {
          await colleague.goto(link);
          await signUpOnPage(colleague, email);
          await button(colleague, 'Accept the invitation').click();
          await heading(colleague, 'Home').waitFor();
          expect(colleague.url()).not.toContain('#');
          await openPage(colleague, '/keys?env=test');
          await button(colleague, 'Create key').waitFor();

          await page.reload();
          const row = page.getByRole('row').filter({ hasText: email });
          await button(row, /^Change role/).click();
          await dialog(page).getByLabel('Viewer').check();
          await button(dialog(page), 'Save the role').click();
          await row.getByText('Viewer').waitFor();
          await colleague.reload();
          await untilShown(colleague);
          expect(await button(colleague, 'Create key').count()).toBe(0);

          await button(row, /^Remove/).click();
          await button(dialog(page), 'Remove').click();
          await row.waitFor({ state: 'detached' });
          await colleague.goto(`${consoleUrl}/services`);
          await heading(colleague, 'Sign in').waitFor();
        });
      });
    },
    MAX_MS,
  );

  test(
    'a member of two organisations switches between them, and between test and live',
    async () => {
      const { client, organisation } = await member('two.organisations@example.com');
      const other = await consoleOrganisation('Second Organisation');
      await putKey(organisation.id, 'live', { label: 'key of the first' });
      await putKey(other.id, 'test', { label: 'key of the second' });
      await joinOrganisation(client, other, 'owner');
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/keys?env=test');
        await page.getByText('key of the second', { exact: true }).waitFor();
        await page.getByText('Test: sandbox records').waitFor();
        await page
          .getByRole('navigation', { name: 'Environment' })
          .getByRole('link', { name: 'Live' })
          .click();
        await page.getByText('There is no active live key.').waitFor();
        expect(await page.getByText('Test: sandbox records').count()).toBe(0);

        await openMenu(page, other.name);
        await button(page, new RegExp(organisation.name)).click();
        await menu(page, organisation.name).waitFor();
        await openPage(page, '/keys');
        await page.getByText('key of the first', { exact: true }).waitFor();
        expect(await page.getByText('key of the second').count()).toBe(0);
      });
    },
    MAX_MS,
  );

  test(
    'a form keeps its input if the member has to sign in again',
    async () => {
      const email = 'old.session@example.com';
      const { client } = await member(email);
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/keys');
        await ageSignIn(context, 16);
        await button(page, 'Create key').click();
        await dialog(page).getByLabel('Label').fill('kept label');
        await dialog(page).getByLabel('Addresses').fill('203.0.113.0/24');
        await button(dialog(page), 'Create key').click();
        await signInOnPage(page, email);
        await page.getByText('Your input is still here.').waitFor();
        expect(await dialog(page).getByLabel('Label').inputValue()).toBe('kept label');
        expect(await dialog(page).getByLabel('Addresses').inputValue()).toBe('203.0.113.0/24');
        await button(dialog(page), 'Create key').click();
        await dialog(page).getByText('The key is shown only once.').waitFor();
        const { text } = await newKeyIn(page);
        expect(text).toMatch(/^idv_live_/);
        const stored = await page.evaluate<string>(
          'JSON.stringify([{ ...sessionStorage }, { ...localStorage }])',
        );
        expect(stored).not.toContain(text);

        const [, , secret = ''] = (await sessionCookieOf(context)).split('.');
        await setAttributes('CONSOLE_TABLE', sessionKey(hashOf(secret)), {
          endedAt: new Date().toISOString(),
        });
        await page.goto(`${consoleUrl}/team`);
        await heading(page, 'Sign in').waitFor();
        await page.getByRole('link', { name: 'Sign in' }).click();
        await heading(page, 'Team').waitFor();
      });
    },
    MAX_MS,
  );

  test(
    'a tab shows the organisation of the session after a switch in another tab, and keeps its input for its own',
    async () => {
      const { client, organisation } = await member('two.tabs@example.com');
      const other = await consoleOrganisation('Organisation of the other tab');
      await joinOrganisation(client, other, 'owner');
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/keys?env=test');
        await button(page, 'Create key').click();
        await dialog(page).getByLabel('Label').fill('key of the other tab');
        const second = await context.newPage();
        const switchTo = async (to: string, from: string) => {
          await openPage(second, '/');
          await openMenu(second, from);
          await button(second, new RegExp(to)).click();
          await menu(second, to).waitFor();
        };
        await switchTo(organisation.name, other.name);

        await button(dialog(page), 'Create key').click();
        await menu(page, organisation.name).waitFor();
        await page.getByText('There is no active test key.').waitFor();
        expect(await dialog(page).count()).toBe(0);

        await switchTo(other.name, organisation.name);
        await button(page, 'Menu').click();
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Team' }).click();
        await menu(page, other.name).waitFor();
        await heading(page, 'Team').waitFor();

        await openPage(page, '/keys?env=test');
        await page.getByText('Your input is still here.').waitFor();
        expect(await dialog(page).getByLabel('Label').inputValue()).toBe('key of the other tab');
        for (const { id } of [organisation, other])
          expect(await rowsOf('API_KEYS_TABLE', apiKeysPk(id))).toEqual([]);
      });
    },
    MAX_MS,
  );

  test(
    'a tab of one person neither writes as another who signs in, nor shows them the input',
    async () => {
      const { client, organisation } = await member('first.person@example.com');
      const colleague = await signIn('second.person@example.com');
      await joinOrganisation(colleague, organisation, 'owner');
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/keys?env=test');
        await button(page, 'Create key').click();
        await dialog(page).getByLabel('Label').fill('key of the first');
        await giveSession(context, colleague);
        await button(dialog(page), 'Create key').click();
        await page.locator('summary').filter({ hasText: 'Your account' }).click();
        await page.getByText('second.person@example.com', { exact: true }).waitFor();
        await page.getByText('There is no active test key.').waitFor();
        expect(await dialog(page).count()).toBe(0);
        expect(await rowsOf('API_KEYS_TABLE', apiKeysPk(organisation.id))).toEqual([]);

        await giveSession(context, client);
        await openPage(page, '/keys?env=test');
        await page.getByText('There is no active test key.').waitFor();
        expect(await dialog(page).count()).toBe(0);
      });
    },
    MAX_MS,
  );

  test(
    'an owner switches a service on and off',
    async () => {
      const { client, organisation } = await member('services.owner@example.com');
      const enabled = async () => {
        const [row] = await rowsOf('API_KEYS_TABLE', `ORG#${organisation.id}`);
        return Object.keys(row?.['services'] ?? {});
      };
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/services');
        const toggle = page.getByRole('switch', { name: 'NIN Basic' });
        await toggle.click();
        await page.locator('[role="switch"][aria-label="NIN Basic"][aria-checked="true"]').waitFor();
        expect(await enabled()).toEqual(['nin-basic']);
        await toggle.click();
        await button(dialog(page), 'Disable').click();
        await page.locator('[role="switch"][aria-label="NIN Basic"][aria-checked="false"]').waitFor();
        expect(await enabled()).toEqual([]);
      });
    },
    MAX_MS,
  );

  test(
    'an owner searches the audit trail and saves it as a file',
    async () => {
      const { client, organisation } = await member('audit.owner@example.com');
      for (const label of ['first', 'second'])
        await client.send('POST', '/keys', {
          body: { env: 'test', label, scopes: null, addresses: null, expires_in_days: null },
        });
      await client.send('PUT', '/services/tin-basic', { body: { is_enabled: true } });
      expect(await rowsOf('AUDIT_TRAIL_TABLE', auditPk(organisation.id))).toHaveLength(3);
      await onPhone(async (page, context) => {
        await giveSession(context, client);
        await openPage(page, '/audit');
        await page.getByText('Enabled a service').first().waitFor();
        await page.getByLabel('Search').fill('key create');
        await button(page, 'Show').first().click();
        await page.getByText('2 changes are shown.').waitFor();
        expect(await page.getByText('Enabled a service').count()).toBe(0);
        const download = page.waitForEvent('download');
        await button(page, 'Export CSV').click();
        const file = await (await download).path();
        const lines = readFileSync(file, 'utf8').trim().split(/\r?\n/);
        expect(lines).toHaveLength(3);
        expect(lines.slice(1).every((line) => line.includes('key create'))).toBe(true);
      });
    },
    MAX_MS,
  );

  describe('each page with the data of the service', () => {
    test(
      'is accessible in light and dark, shows everything, and reports no error or violation of its policy',
      async () => {
        const { client, organisation } = await member('pages.owner@example.com');
        await putColleague(organisation, 'finance');
        await putInvitation(organisation, 'open.invitation@example.com');
        await putKey(organisation.id, 'live', { label: 'production' });
        await putProfile(organisation.id, completeProfile());
        await client.send('PUT', '/services/nin-basic', { body: { is_enabled: true } });
        // With motion, colours would be measured in the middle of a transition.
        await inConsole(started, problems, { reducedMotion: 'reduce' }, async (page, context) => {
          await giveSession(context, client);
          const found: string[] = [];
          const pages = Object.values(MEMBER_PAGES);
          for (const path of isComplete ? pages : randomCases(pages, 4)) {
            await openPage(page, path);
            const more = [...(await layoutProblems(page)), ...(await violationsInBoth(page))];
            found.push(...more.map((one) => `${path}: ${one}`));
            await page.setViewportSize({ width: 1280, height: 800 });
            found.push(...(await layoutProblems(page)).map((one) => `${path} on a desktop: ${one}`));
            await page.setViewportSize(PHONE);
          }
          expect(found).toEqual([]);
        });
      },
      MAX_MS,
    );
  });
}
