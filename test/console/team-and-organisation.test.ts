import { afterAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { SessionView } from '../../shared/members/console/views.ts';
import { startBrowser } from '../support/browser.ts';
import { browserSuite } from '../support/browser-suite.ts';
import { button } from '../support/button.ts';
import { pagesIn } from './open-pages.ts';
import { Rejection } from './pages-double.ts';
import { membersView, organisationView, sessionView } from './views.ts';

/** The pages of the team and of the organisation, in a browser. */

const browser = await startBrowser();
afterAll(() => browser?.close());
browserSuite(browser, inBrowser);

function inBrowser(started: Browser): void {
  const { open, views, requests, url } = pagesIn(started);
  const primary = (page: Page) => page.getByRole('main').locator('.button.primary');

  describe('the team', () => {
    test('sends an invitation, and confirms it in words', async () => {
      views()['POST /invitations'] = { ...membersView().invitations[0], email: 'femi@example.com' };
      await open('/team', async (page) => {
        await button(page, 'Invite member').click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Email address').fill('femi@example.com');
        await dialog.getByLabel('Viewer').check();
        const sent = page.waitForRequest(/\/invitations$/);
        await button(page, 'Send the invitation').click();
        expect((await sent).postDataJSON()).toEqual({ email: 'femi@example.com', role: 'viewer' });
        await page.getByText('An invitation was sent to femi@example.com.').waitFor();
        await dialog.waitFor({ state: 'detached' });
      });
    });

    test('shows when an invitation expires, also in days', async () => {
      await open('/team', async (page) => {
        await page.getByRole('cell').getByText('in 6 days').waitFor();
        const cells = await page.getByRole('cell').allTextContents();
        const cell = cells.find((text) => text.includes('in 6 days'));
        expect(cell).toMatch(/\d+ \w+ 20\d\d, \d\d:\d\d/);
      });
    });

    test('mentions no new sign-in after a recent one, even if the clock of the computer is an hour ahead', async () => {
      await open('/sign-in', async (page) => {
        await page.addInitScript('{ const now = Date.now; Date.now = () => now() + 3600000; }');
        await page.goto(`${url()}/team`);
        await button(page, 'Invite member').click();
        await page.getByRole('dialog').getByLabel('Email address').waitFor();
        expect(await page.getByText('You will be asked to sign in again').count()).toBe(0);
      });
    });

    test('names the owners to those who may not see it', async () => {
      views()['GET /members'] = new Rejection('ROLE_REQUIRED');
      await open('/team', async (page) => {
        await page
          .getByText('Ask an owner or administrator of the organisation. Owners: Amaka Obi.')
          .waitFor();
      });
    });

    test('of the audit trail offers no search to those who may not see it', async () => {
      views()['GET /audit'] = new Rejection('ROLE_REQUIRED');
      await open('/audit', async (page) => {
        await page.getByText('Your role does not permit this.').waitFor();
        expect(await page.getByLabel('Search').count()).toBe(0);
      });
    });

    test('shows a rejected invitation in its dialog, and keeps the input', async () => {
      views()['POST /invitations'] = new Rejection('ALREADY_MEMBER');
      await open('/team', async (page) => {
        await button(page, 'Invite member').click();
        await page.getByLabel('Email address').fill('bola.developer@example.com');
        await button(page, 'Send the invitation').click();
        await page.getByRole('dialog').getByText('This person is already a member').waitFor();
        expect(await page.getByLabel('Email address').inputValue()).toBe('bola.developer@example.com');
      });
    });

    test.each([
      [
        'Change role Bola Adeyemi',
        'Save the role',
        'PUT /members/demo-bola',
        'Change the role of Bola Adeyemi',
      ],
      ['Remove Bola Adeyemi', 'Remove', 'POST /members/demo-bola/remove', 'Remove Bola Adeyemi?'],
      [
        'Cancel efe.admin@example.com',
        'Cancel the invitation',
        'POST /invitations/01JD2E9ZK4M7Q0V5W8X1Y3A6BA/cancel',
        'Cancel the invitation for efe.admin@example.com?',
      ],
    ])('opens the dialog of "%s" again after a sign-in', async (opener, action, route, title) => {
      views()[route] = new Rejection('RECENT_SIGN_IN_REQUIRED');
      await open('/team', async (page) => {
        await button(page, opener).click();
        const left = page.waitForRequest(/session\/start/);
        await button(page, action).click();
        const { searchParams } = new URL((await left).url());
        expect([...searchParams]).toEqual([
          ['again', '1'],
          ['to', '/team'],
        ]);
        await page.getByText('Your input is still here.').waitFor();
        await page.getByRole('dialog').getByRole('heading', { name: title }).waitFor();
        views()[route] = membersView().members[1];
        await button(page, action).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      });
    });

    test('says before a change that a new sign-in is needed, if the last one is old', async () => {
      const old = new Date(Date.now() - 16 * 60_000).toISOString();
      views()['GET /session'] = { ...sessionView(), signed_in_at: old };
      await open('/team', async (page) => {
        await button(page, 'Remove Dayo Bello').click();
        await page.getByText('You will be asked to sign in again first, and then return here.').waitFor();
      });
    });

    test('keeps its last owner, and says so', async () => {
      views()['POST /members/demo-amaka/remove'] = new Rejection('LAST_OWNER');
      await open('/team', async (page) => {
        await button(page, 'Leave Amaka Obi').click();
        await button(page, 'Leave').click();
        await page.getByText('An organisation needs an owner.').waitFor();
      });
    });

    test('gives administrators no power over owners', async () => {
      const session = sessionView();
      const organisation = session.organisation && { ...session.organisation, role: 'admin' as const };
      views()['GET /session'] = { ...session, organisation } satisfies SessionView;
      await open('/team', async (page) => {
        await button(page, 'Remove Bola Adeyemi').waitFor();
        expect(await page.getByRole('button', { name: 'Amaka Obi' }).count()).toBe(0);
        await button(page, 'Invite member').click();
        await page.getByLabel('Administrator').waitFor();
        expect(await page.getByLabel('Owner').count()).toBe(0);
      });
    });
  });

  describe('the organisation', () => {
    test('shows a failed check next to its number until the number is changed', async () => {
      await open('/organisation', async (page) => {
        const number = page.getByLabel('Tax number');
        const message = page.getByText('Not found. Correct the number');
        await message.waitFor();
        expect(await number.getAttribute('aria-invalid')).toBe('true');
        expect(await number.getAttribute('aria-describedby')).toContain('field-tax_number-error');
        expect(await number.inputValue()).toBe('01234567-0001');
        await page.getByText('Registered under a different name.').waitFor();
        await number.fill('01234567-0002');
        await message.waitFor({ state: 'detached' });
      });
    });

    test.each([
      ['Registered.', { result: 'FOUND', is_name_equal: null }],
      ['Registered under the name of the organisation.', { result: 'FOUND', is_name_equal: true }],
      ['The number could not be looked up.', { result: 'UNAVAILABLE', is_name_equal: null }],
    ] as const)('shows the result of a look-up: %s', async (text, company) => {
      const view = organisationView();
      views()['GET /organisation'] = { ...view, checks: { company, tax: null } };
      await open('/organisation', async (page) => {
        await page.getByText(text).waitFor();
        expect(await page.locator('.check').count()).toBe(1);
      });
    });

    test('shows which number was not found when the profile is submitted', async () => {
      const view = organisationView();
      views()['GET /organisation'] = { ...view, checks: { company: null, tax: null } };
      views()['POST /organisation/submit'] = () => {
        views()['GET /organisation'] = { ...view, version: 3 };
        return new Rejection('PROFILE_INCOMPLETE');
      };
      await open('/organisation', async (page) => {
        await page.getByLabel('I accept the terms').check();
        await button(page, 'Submit for approval').click();
        await page.locator('[name="tax_number"][aria-invalid="true"]').waitFor();
        await page.getByText('The profile of the organisation is not complete.').waitFor();
        expect(await page.getByLabel('I accept the terms').isChecked()).toBe(true);
        const again = page.waitForRequest(/submit$/);
        await button(page, 'Submit for approval').click();
        expect((await again).postDataJSON()).toMatchObject({ version: 3 });
      });
    });

    test('has one primary action: Save after a change, and otherwise Submit', async () => {
      views()['GET /organisation'] = organisationView();
      views()['PUT /organisation'] = { ...organisationView(), version: 3 };
      await open('/organisation', async (page) => {
        await button(page, 'Submit for approval').waitFor();
        expect(await primary(page).allTextContents()).toEqual(['Submit for approval']);
        await page.getByLabel('Address', { exact: true }).fill('15 Awolowo Road');
        expect(await primary(page).allTextContents()).toEqual(['Save the profile']);
        const sent = page.waitForRequest((request) => request.method() === 'PUT');
        await button(page, 'Save the profile').click();
        expect((await sent).postDataJSON()).toMatchObject({ address: ['15 Awolowo Road'], version: 2 });
        await page.getByText('The profile was saved.').waitFor();
        expect(await primary(page).allTextContents()).toEqual(['Submit for approval']);
      });
    });

    test.each([
      ['billing_contact.email', 'Email address', 0, 'This field must not be empty.'],
      ['privacy_contact.name', 'Name', 1, 'This field must not be empty.'],
      ['address.1', 'Address', 0, 'Line 2 must not be empty.'],
    ])(
      'shows the problem with %s next to its field, which gets the focus',
      async (field, label, index, message) => {
        const rejection = `The field ${field} must not be empty.`;
        views()['PUT /organisation'] = new Rejection('INVALID_SCHEMA', field, rejection);
        await open('/organisation', async (page) => {
          await button(page, 'Save the profile').click();
          await page.getByText(message).waitFor();
          expect(await page.getByText(message).count()).toBe(1);
          const control = page.getByLabel(label, { exact: true }).nth(index);
          expect(await control.getAttribute('aria-invalid')).toBe('true');
          await page.locator(`[name="${field.replace('.1', '')}"]:focus`).waitFor();
        });
      },
    );

    test('is not submitted before the terms are accepted', async () => {
      views()['GET /organisation'] = organisationView();
      views()['POST /organisation/submit'] = {
        ...organisationView(),
        status: 'SUBMITTED',
        accepted_terms: { version: '2026-11', accepted_at: '2026-11-14T23:30:00.000Z' },
      };
      await open('/organisation', async (page) => {
        await button(page, 'Submit for approval').click();
        await page.getByText('Accept the terms to submit.').waitFor();
        expect(requests()).not.toContain('POST /organisation/submit');
        await page.getByLabel('I accept the terms').check();
        const sent = page.waitForRequest(/submit$/);
        await button(page, 'Submit for approval').click();
        expect((await sent).postDataJSON()).toEqual({ terms_version: '2026-11', version: 2 });
        await page.getByText('Waiting for approval').waitFor();
        await page.getByText('was accepted on 15 Nov 2026.').waitFor();
      });
    });

    test('has numbers that cannot be changed once it is approved', async () => {
      views()['GET /organisation'] = { ...organisationView(), status: 'APPROVED' };
      await open('/organisation', async (page) => {
        await page.getByLabel('Company number').waitFor();
        expect(await page.getByLabel('Company number').getAttribute('readonly')).not.toBeNull();
        expect(await page.getByLabel('Address', { exact: true }).getAttribute('readonly')).toBeNull();
        // The operator has compared the names.
        expect(await page.locator('.check').allTextContents()).toEqual(['Registered.']);
      });
    });

    test('keeps an edited profile when the person opens another page or reloads', async () => {
      await open('/organisation', async (page) => {
        const address = page.getByLabel('Address', { exact: true });
        await address.fill('15 Awolowo Road');
        await page.locator('nav.pages a[href="/"]').dispatchEvent('click');
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        await page.goBack();
        await page.getByText('Your input is still here. Check it.').waitFor();
        expect(await address.inputValue()).toBe('15 Awolowo Road');
        await page.reload();
        await page.getByText('Your input is still here. Check it.').waitFor();
        expect(await address.inputValue()).toBe('15 Awolowo Road');
      });
    });

    test('shows the problems of all its fields at once', async () => {
      const others = [{ field: 'tax_number', message: 'The field tax_number must be 12 digits.' }];
      const first = 'The field company_number must be RC and digits.';
      views()['PUT /organisation'] = new Rejection('INVALID_SCHEMA', 'company_number', first, others);
      await open('/organisation', async (page) => {
        await button(page, 'Save the profile').click();
        await page.getByText('This field must be RC and digits.').waitFor();
        await page.getByText('This field must be 12 digits.').waitFor();
      });
    });

    test('says that someone else changed it, and keeps the input', async () => {
      views()['PUT /organisation'] = new Rejection('CHANGED_MEANWHILE');
      await open('/organisation', async (page) => {
        await page.getByLabel('Address', { exact: true }).fill('15 Awolowo Road');
        await button(page, 'Save the profile').click();
        await page.getByText('Someone else changed this').waitFor();
        expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe('15 Awolowo Road');
        const reloaded = page.waitForEvent('load');
        await button(page, 'Discard my changes and reload').click();
        await reloaded;
        const address = page.getByLabel('Address', { exact: true });
        await address.waitFor();
        expect(await address.inputValue()).toMatch(/^14 Awolowo Road/);
      });
    });
  });
}
