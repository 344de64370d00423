import { describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../shared/core/errors.ts';
import { ROLES } from '../../../shared/core/member-role.ts';
import { emailAddress, isEmailAddress } from '../../../shared/members/email-address.ts';
import { organisationName } from '../../../shared/members/organisation-name.ts';
import { mayAssign } from '../../../shared/members/role.ts';
import { enteredProfile } from '../../../shared/profiles/console/profile-fields.ts';

/** The form in which the console stores what people enter. */

const BODY = {
  company_number: ' rc1234567',
  tax_number: '123456780001',
  address: [' 1 Invented Way ', 'Lagos'],
  billing_contact: { name: 'Chidi Invented', email: ' Chidi@Kainji.Example ' },
  privacy_contact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
};
const CONTACT = BODY.privacy_contact;
/** U+202E reverses the direction of the text after it. */
const OVERRIDE = '\u202e';

const rejection = (reason: string, field: string) =>
  expect.objectContaining({ code: 'INVALID_SCHEMA', details: expect.objectContaining({ reason, field }) });

describe('the profile of an organisation', () => {
  test('is stored with canonical numbers and lower-case email addresses, and without surrounding spaces', () => {
    expect(enteredProfile(BODY)).toEqual({
      companyNumber: 'RC1234567',
      taxNumber: '12345678-0001',
      address: ['1 Invented Way', 'Lagos'],
      billingContact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
      privacyContact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
    });
  });

  const email = (text: string) => ({ billing_contact: { name: 'Chidi Invented', email: text } });
  test.each<[string, string, object]>([
    ['wrong_value', 'company_number', { company_number: ' ' }],
    ['wrong_value', 'tax_number', { tax_number: '' }],
    ['wrong_value', 'billing_contact.email', email(' ')],
    ['wrong_format', 'company_number', { company_number: '1234567' }],
    ['wrong_format', 'company_number', { company_number: 'RC12345678901' }],
    ['wrong_format', 'tax_number', { tax_number: '12345' }],
    ['wrong_format', 'tax_number', { tax_number: '12345678901' }],
    ['wrong_format', 'tax_number', { tax_number: ' 1234-567 8901' }],
    ['wrong_value', 'address', { address: [] }],
    ['wrong_value', 'address', { address: Array(7).fill('a line') }],
    ['wrong_value', 'address.1', { address: ['1 Invented Way', ' '] }],
    ['too_long', 'address.0', { address: ['x'.repeat(101)] }],
    ['wrong_format', 'address.0', { address: [`Lagos${OVERRIDE}`] }],
    ['wrong_format', 'address.0', { address: ['1 Invented\nWay'] }],
    ['wrong_format', 'address.1', { address: ['1 Invented Way', 'NIN 123 4567 8901'] }],
    ['wrong_format', 'privacy_contact.name', { privacy_contact: { ...CONTACT, name: 'Dayo 22123456789' } }],
    ['wrong_value', 'privacy_contact.name', { privacy_contact: { name: '', email: 'dayo@kainji.example' } }],
    ['wrong_format', 'billing_contact.email', email('chidi')],
    ['wrong_format', 'billing_contact.email', email('chidi@kainji')],
    ['wrong_format', 'billing_contact.email', email('chidi@kainji.example\nBcc: all@kainji.example')],
    ['wrong_format', 'billing_contact.email', email('Chidi <chidi@kainji.example>')],
  ])('is rejected with %s for %s: %j', (reason, field, change) => {
    expect(() => enteredProfile({ ...BODY, ...change })).toThrow(rejection(reason, field));
  });
});

test('all wrong fields are named at once', () => {
  const contact = { name: '', email: 'x' };
  try {
    enteredProfile({ ...BODY, company_number: '1', tax_number: '2', address: [], billing_contact: contact });
    throw new Error('The profile was accepted.');
  } catch (error) {
    const { details, others = [] } = error as ServiceError;
    expect([details, ...others.map((one) => one.details)].map((one) => one?.field)).toEqual([
      ...['company_number', 'tax_number', 'address', 'billing_contact.name', 'billing_contact.email'],
    ]);
  }
});

test('a tax number with 11 digits is rejected as the NIN of a person, which the error does not repeat', () => {
  const enter = () => enteredProfile({ ...BODY, tax_number: '12345678901' });
  expect(enter).toThrow('is the NIN of a person');
  expect(enter).not.toThrow('12345678901');
  // So no other error advises to enter one.
  expect(() => enteredProfile({ ...BODY, tax_number: '1' })).toThrow('13 digits or an RC number.');
});

describe('the name of an organisation', () => {
  test('loses surrounding spaces', () => {
    expect(organisationName('  Kainji Pay ')).toBe('Kainji Pay');
    for (const name of ['J.P. & Sons Ltd.', 'Route 66 (2026) Ltd.'])
      expect(organisationName(name)).toBe(name);
    expect(organisationName('Ẹ̀kọ́ & Ìrìn')).toBe('Ẹ̀kọ́ & Ìrìn'.normalize('NFC'));
  });

  test.each([
    ['wrong_value', 'K'],
    ['wrong_value', ' K '],
    ['too_long', 'x'.repeat(101)],
    ['wrong_format', `Kainji ${OVERRIDE}yaP`],
    ['wrong_format', 'Kainji\u0000Pay'],
    ['wrong_format', 'Kainji 123 4567 0404'],
    ['wrong_format', 'Kainji\u200bPay'],
    ['wrong_format', 'NIMC Security: your NIN is suspended, call 0803 555 0199'],
    ['wrong_format', 'Call (0803) 555-01-9'],
    ['wrong_format', 'Open evil.example/now'],
    ['wrong_format', 'Open ｅｖｉｌ．example'],
    ['wrong_format', 'www.Evil'],
    ['wrong_format', 'Write to help@evil'],
  ])('is rejected with %s: %j', (reason, name) => {
    expect(() => organisationName(name)).toThrow(rejection(reason, 'name'));
  });
});

describe('an email address', () => {
  test.each(['a@b.example', "o'neil+tag@mail.kainji.example"])('may be %s', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  test.each(['', 'a', '@b.example', 'a@b', 'a b@c.example', 'a@b.example,c@d.example', 'аmaka@b.example'])(
    'may not be %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(false);
    },
  );

  test('has at most 254 characters', () => {
    expect(isEmailAddress(`a@${'b.'.repeat(130)}example`)).toBe(false);
    expect(() => emailAddress(' ', 'email')).toThrow('The field email must not be empty.');
  });
});

describe('a role', () => {
  test('can be given and removed by owners, and by administrators unless it is the owner role', () => {
    const assigned = ROLES.map((own) => [own, ROLES.filter((role) => mayAssign(own, role))]);
    expect(Object.fromEntries(assigned)).toEqual({
      owner: ROLES,
      admin: ['admin', 'developer', 'finance', 'viewer'],
      developer: [],
      finance: [],
      viewer: [],
    });
  });
});
