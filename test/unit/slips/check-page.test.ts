import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CHECK_PAGE_HEADERS, checkPage } from '../../../shared/slips/check-page.ts';
import { DEFAULT_THEME } from '../../../shared/slips/default-theme.ts';
import type { SlipFacts } from '../../../shared/slips/token.ts';

const FACTS: SlipFacts = {
  slipType: 'improved',
  issuedAt: new Date('2026-11-21T11:31:07Z'),
  expiresAt: new Date('2027-11-21T11:31:07Z'),
  reference: '0a1b2c3d4e5f',
  specimen: false,
};

describe('the check page:', () => {
  test('a valid code shows the type, the times and the request ID of the slip', () => {
    const page = checkPage({ kind: 'valid', facts: FACTS });
    expect(page).toContain('<h1>The code is valid</h1>');
    for (const text of [
      'Improved slip',
      '21 NOV 2026, 12:31 WAT',
      '21 NOV 2027, 12:31 WAT',
      'req_0a1b2c3d4e5f',
    ]) {
      expect(page).toContain(`<dd>${text}</dd>`);
    }
    expect(page).not.toContain('SPECIMEN');
  });

  test.each([
    ['the page', checkPage({ kind: 'valid', facts: FACTS })],
    ['the back of the cards', DEFAULT_THEME.wording.backPoints.join(' ')],
    ['every slip', DEFAULT_THEME.wording.steps.map(({ text }) => text).join(' ')],
  ])('%s says that only number, names and date of birth are checked', (_, text) => {
    expect(text).toMatch(/can check only (the )?number, (the )?names and (the )?date of birth/);
    expect(text).toMatch(/Everything else on paper, such as (the )?photo.*proves nothing/);
    expect(text).toMatch(/own API key|API key of your own organisation/);
    expect(text).not.toMatch(/compare the photo/i);
  });

  test.each([
    [true, '<dd>On the slip</dd>'],
    [false, '<dd>Not on the slip</dd>'],
    [undefined, undefined],
  ])('the page says whether the slip confirms details: %s', (detailsConfirmed, shown) => {
    const page = checkPage({ kind: 'valid', facts: { ...FACTS, detailsConfirmed } });
    expect(/Details confirmed&quot;<\/dt>(<dd>.*?<\/dd>)/.exec(page)?.[1]).toBe(shown);
  });

  test('an expired code shows the same details and says that it has expired', () => {
    const page = checkPage({ kind: 'expired', facts: FACTS });
    expect(page).toContain('has expired');
    expect(page).toContain('req_0a1b2c3d4e5f');
  });

  test('an invalid code shows no details', () => {
    const page = checkPage({ kind: 'invalid' });
    expect(page).toContain('<h1>The code is not valid</h1>');
    expect(page).not.toContain('<dl>');
  });

  test('the code of a specimen shows SPECIMEN above the heading', () => {
    expect(checkPage({ kind: 'valid', facts: { ...FACTS, specimen: true } })).toMatch(/SPECIMEN[\s\S]*<h1>/);
  });

  test('all details are escaped', () => {
    const page = checkPage({ kind: 'valid', facts: { ...FACTS, reference: '<script>"\'&' } });
    expect(page).toContain('req_&lt;script&gt;&quot;&#39;&amp;');
    expect(page).not.toContain('<script');
  });

  test('the content security policy allows only its own style, by hash', () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(checkPage({ kind: 'invalid' }))?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = CHECK_PAGE_HEADERS['Content-Security-Policy'] ?? '';
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    expect(policy).not.toMatch(/unsafe|\*|script-src/);
    expect(policy).toContain("form-action 'self'; frame-ancestors 'none'");
    expect(CHECK_PAGE_HEADERS['Cache-Control']).toBe('no-store');
  });

  test('the page has a language, a title, one main element and one heading', () => {
    const page = checkPage({ kind: 'valid', facts: FACTS });
    expect(page).toMatch(/^<!doctype html>\n<html lang="en" translate="no">/);
    expect(page.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    expect(page.match(/<main/g)).toHaveLength(1);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).not.toMatch(/ (?:style|href|src|on[a-z]+)=/);
  });
});

/** A proof of details. The form appears only for codes with one. */
const PROOF = { attemptsName: 'name', compare: () => ({ numberAndSurname: true }) };
const VALID = { kind: 'valid', facts: FACTS, proof: PROOF } as const;

describe('the form on the check page', () => {
  test('is on the page of a valid code, needs no script, and does not lead to another page', () => {
    const page = checkPage(VALID);
    expect(page).toContain('<form method="post" accept-charset="utf-8">');
    expect(page).not.toMatch(/ (?:action|formaction|on[a-z]+|href|src)=|<script/);
    for (const field of ['nin', 'surname', 'given_names', 'birth_date']) {
      expect(page).toContain(`<label for="${field}">`);
      expect(page).toMatch(new RegExp(`<input id="${field}" name="${field}"[^>]* autocomplete="off"`));
    }
  });

  test.each([
    ['a code without proof', { kind: 'valid', facts: FACTS }],
    ['an expired code', { ...VALID, kind: 'expired' }],
    ['a code that is not valid', { kind: 'invalid' }],
  ] as const)('is not on the page of %s', (_name, check) => {
    expect(checkPage(check)).not.toContain('<form');
  });

  test('says that typed details are not stored, and that NIMC did not issue the slip', () => {
    const page = checkPage(VALID);
    expect(page).toContain('What you type is not stored and not shown again.');
    expect(page).toContain('The slip is not issued by NIMC');
  });

  test.each([
    [{ numberAndSurname: true }, 'Match', ['Match', 'Not checked']],
    [{ numberAndSurname: false }, 'No match', ['No match', 'Not checked']],
    [{ numberAndSurname: true, givenNamesAndBirthDate: true }, 'Match', ['Match', 'Match']],
    [{ numberAndSurname: true, givenNamesAndBirthDate: false }, 'No match', ['Match', 'No match']],
  ])('shows the result of each part: %j', (comparison, heading, parts) => {
    const page = checkPage(VALID, { kind: 'compared', comparison });
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).toContain(`<title>${heading} - `);
    const shown = [...page.matchAll(/<dd class="(?:match|invalid|expired)">([^<]*)<\/dd>/g)];
    expect(shown.map(([, part]) => part)).toEqual(parts);
  });

  test('is not offered after too many attempts, and the page says when it will be available again', () => {
    const nextAt = new Date('2026-11-28T11:31:07Z');
    const page = checkPage(VALID, { kind: 'problem', problem: { kind: 'too-many-attempts', nextAt } });
    expect(page).toContain('28 NOV 2026, 12:31 WAT');
    expect(page).not.toContain('<form');
  });
});
