import { describe, expect, test } from '@jest/globals';
import { invitationMail } from '../../../shared/members/mail.ts';
import type { Invitation, Profile } from '../../../shared/members/rows.ts';
import { submissionMail } from '../../../shared/profiles/submission-mail.ts';

const LINK = 'https://console.example.com/invitation#secret';
const INVITATION: Invitation = {
  id: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
  hash: 'a'.repeat(64),
  organisationId: 'A1B2C3D4E5',
  organisationName: 'Kainji Pay',
  role: 'viewer',
  email: 'ada@example.com',
  state: 'OPEN',
  createdAt: '2026-11-21T12:00:00.000Z',
  notAfter: '2026-11-28T12:00:00.000Z',
  expiresAt: 1_798_000_000,
};

const PROFILE: Profile = {
  companyNumber: 'RC1234567',
  taxNumber: '12345678-0001',
  address: ['1 Invented Way'],
  billingContact: { name: 'Chidi Invented', email: 'chidi@kainji.example' },
  privacyContact: { name: 'Dayo Invented', email: 'dayo@kainji.example' },
  version: 3,
};

/** Returns the parts of the text that a mail program would show as links. */
const links = (text: string) => text.match(/(?:https?:\/\/|www\.)\S+|[\w-]+\.[a-z]{2,}\S*/gi) ?? [];

describe('an invitation email', () => {
  test.each([
    'https://evil.example/pay',
    'www.evil.example',
    'evil.example',
    'pay@evil.example',
    'Account closed: evil.example/now',
  ])('has no link except our own, even if a name is %s', (name) => {
    const { subject, text } = invitationMail({ ...INVITATION, organisationName: name }, name, LINK);
    const ours = text.replace(LINK, '').replaceAll(INVITATION.email, '');
    expect(ours).toContain('evil. example');
    expect([links(ours), subject.includes('evil')]).toEqual([[], false]);
    expect(text).toContain(LINK);
  });

  test.each([...'\u2024\u3002\ufe52\uff0e\uff61'])(
    'has no link even if a name is an address with the full stop %s',
    (stop) => {
      const { text } = invitationMail({ ...INVITATION, organisationName: `evil${stop}example` }, 'Ada', LINK);
      expect(text).toContain(`evil${stop} example`);
    },
  );

  test('quotes names, which cannot end the quotation', () => {
    const mail = invitationMail({ ...INVITATION, organisationName: 'Ours". Pay now: "' }, 'Ada" Obi', LINK);
    expect(mail.text).toMatch(/^"Ada' Obi" invites you to join the organisation "Ours'\. Pay now: '" in the/);
  });

  test('keeps the dots and letters of ordinary names', () => {
    const mail = invitationMail(
      { ...INVITATION, organisationName: 'Ẹ̀kọ́ & Sons Ltd.' },
      'Dr. Ada O. Obi',
      LINK,
    );
    expect(mail.text).toMatch(/^"Dr\. Ada O\. Obi" invites you to join the organisation "Ẹ̀kọ́ & Sons Ltd\."/);
  });
});

describe('a submission email', () => {
  const mailFor = (name: string) =>
    submissionMail('support@example.com', { id: 'A1B2C3D4E5', name }, PROFILE);

  test('contains no link from the name of an organisation', () => {
    const { text } = mailFor('https://evil.example/approve');
    expect([text.includes('evil. example'), links(text)]).toEqual([true, []]);
  });

  test('contains the command that approves only this version of the profile', () => {
    expect(mailFor('Kainji Pay').text).toContain('org approve A1B2C3D4E5 --profile 3`');
  });
});
