import type { ServiceName } from '../../../../shared/verifications/services.ts';

type Texts = Readonly<Record<'name' | 'about' | 'consent', string>>;

export const SERVICE_TEXTS: Readonly<Record<string, Texts>> = {
  'nin-basic': {
    name: 'NIN Basic',
    about: 'Names, date of birth, phone number, address and photo.',
    consent:
      'Get the holder’s consent for your purpose, such as opening an account. A photo that you compare with a face is sensitive data: section 30 of the Act sets stricter rules.',
  },
  'nin-premium': {
    name: 'NIN Premium',
    about: 'The complete record, with next of kin (masked) and marital status.',
    consent:
      'Get the holder’s consent for your purpose. Religion, marital status and a photo for face comparison are sensitive data: section 30 of the Act sets stricter rules. Use NIN Basic where it is enough.',
  },
  'nin-slip': {
    name: 'NIN slip',
    about: 'A PDF of a NIN that your organisation has verified.',
    consent:
      'The consent must also cover the slip, because it shows the record on paper. Give the slip only to the holder, or to people with a lawful basis of their own.',
  },
  'bvn-basic': {
    name: 'BVN Basic',
    about: 'Names, date of birth, phone number and photo.',
    consent:
      'The BVN rules of the Central Bank of Nigeria require the holder’s consent before each look-up. Do not store the BVN itself unless you need it.',
  },
  'bvn-premium': {
    name: 'BVN Premium',
    about: 'The complete record, with enrolment, address and photo.',
    consent:
      'The BVN rules of the Central Bank of Nigeria require the holder’s consent before each look-up. Marital status and a photo for face comparison are sensitive data. Use BVN Basic where it is enough.',
  },
  'cac-basic': {
    name: 'CAC Basic',
    about: 'Name, number, address, status and directors of a registered business.',
    consent:
      'The company itself need not consent: the register is public. The record also names people: you need a lawful basis for using their data, such as checking a business customer.',
  },
  'cac-premium': {
    name: 'CAC Premium',
    about: 'Everything in CAC Basic, plus shareholders and people with significant control.',
    consent:
      'The record names people: you need a lawful basis for using their data, such as a legal duty to know who owns a business customer.',
  },
  'tin-basic': {
    name: 'TIN',
    about: 'Name, tax office and type of a taxpayer.',
    consent:
      'Get the taxpayer’s consent, and send its reference: some providers look up a tax number only with it.',
  },
  'nuban-basic': {
    name: 'NUBAN',
    about: 'The holder’s name and the bank of an account.',
    consent: 'You need a lawful basis, such as a payment to this account that its holder expects.',
  },
} satisfies Readonly<Record<ServiceName, Texts>>;
