import { CHECK_DIGIT_WARNING } from '../../../../shared/registries/mapping/nuban.ts';
import { EMPTY_BVN, EMPTY_CAC, EMPTY_NIN, EMPTY_NUBAN, EMPTY_TIN } from '../empty-records.ts';
import { type FixtureCases, type ProviderCases, queriesOf } from './case.ts';

const ACCOUNT_QUERY = { idType: 'NUBAN', number: '0123456789', level: 'basic', bankCode: '058' } as const;
const MORE_THAN_A_NAME = 'It returns more about the holder than the name of the account.';

const HOLDER = {
  ...EMPTY_BVN,
  bvn: '22222222222',
  firstname: 'AMINA',
  lastname: 'SPECIMEN',
  middlename: 'ABENI',
  birthdate: '14-03-1990',
  gender: 'f',
  phone: '08000000001',
} as const;
const FULL_HOLDER = {
  ...HOLDER,
  title: 'Mrs',
  email: 'amina@example.com',
  nationality: 'Nigeria',
  marital_status: 'Single',
  residential_address: '1 EXAMPLE CLOSE',
  state_of_origin: 'Ekiti State',
  lga_of_origin: 'Example',
  state_of_residence: 'Lagos State',
  lga_of_residence: 'Example',
  name_on_card: 'SPECIMEN, AMINA A',
  registration_date: '14-03-2018',
  enrollment_bank: '058',
  enrollment_branch: 'EXAMPLE',
  level_of_account: 'Level 2 - Medium Level Accounts',
  watch_listed: 'NO',
} as const;

const TIN_QUERY = { idType: 'TIN', number: '18609323-0001', level: 'basic' } as const;
const TAXPAYER = {
  ...EMPTY_TIN,
  tin: '18609323-0001',
  name: 'EXAMPLE LIMITED',
  tax_office: 'EXAMPLE TAX OFFICE',
  rc_number: '1000001',
  email: 'info@example.com',
  phone: '08000000001',
} as const;

const NUMBERS = {
  NIN: '70123456789',
  BVN: '22222222222',
  CAC: 'RC1000001',
  TIN: '18609323-0001',
  NUBAN: '0123456789',
} as const;

const CASES: FixtureCases = {
  'account.found': {
    kind: 'found',
    query: ACCOUNT_QUERY,
    record: {
      ...EMPTY_NUBAN,
      account_number: '0123456789',
      account_name: 'SPECIMEN AMINA ABENI',
      bank_code: '058',
      bank_name: 'Guaranty Trust Bank Plc',
    },
    warning: CHECK_DIGIT_WARNING,
  },
  'account-advanced.found.1': { kind: 'unused', reason: MORE_THAN_A_NAME, query: ACCOUNT_QUERY },
  'account-advanced.found.2': { kind: 'unused', reason: MORE_THAN_A_NAME, query: ACCOUNT_QUERY },
  'banks.found': { kind: 'unused', reason: 'No look-up needs the list of banks.' },
  'bvn-basic.not-found': {
    kind: 'failure',
    queries: queriesOf(NUMBERS),
    result: { kind: 'not-found', detail: 'http-400' },
  },
  'nin-advanced.not-found': {
    kind: 'failure',
    queries: queriesOf(NUMBERS),
    result: { kind: 'not-found', detail: 'http-400' },
  },
  'bvn-advanced.found.1': {
    kind: 'found',
    query: { idType: 'BVN', number: '22222222222', level: 'premium' },
    record: FULL_HOLDER,
  },
  'bvn-advanced.found.2': {
    kind: 'found',
    query: { idType: 'BVN', number: '22222222222', level: 'premium' },
    record: {
      ...HOLDER,
      title: 'MISS',
      email: 'amina@example.com',
      nationality: 'NIGERIAN',
      marital_status: 'SINGLE',
      state_of_origin: 'EKITI',
      lga_of_origin: 'EXAMPLE',
      state_of_residence: 'LAGOS',
      lga_of_residence: 'EXAMPLE',
      phone_number2: '08000000002',
      enrollment_bank: 'EXAMPLE',
      enrollment_branch: 'EXAMPLE',
      level_of_account: 'LEVEL 2',
      watch_listed: 'NO',
    },
  },
  'bvn-basic.found.1': {
    kind: 'found',
    query: { idType: 'BVN', number: '22222222222', level: 'basic' },
    record: FULL_HOLDER,
  },
  'bvn-basic.found.2': {
    kind: 'found',
    query: { idType: 'BVN', number: '22222222222', level: 'basic' },
    record: { ...HOLDER, phone_number2: '08000000002' },
  },
  'cac-advanced.found': {
    kind: 'found',
    query: { idType: 'CAC', number: 'BN1000001', level: 'premium' },
    record: {
      ...EMPTY_CAC,
      companyName: 'EXAMPLE GRILLS',
      rcNumber: 'BN1000001',
      registrationDate: '14-03-2018',
      classification: 'BUSINESS NAME',
      branchAddress: '1 Example Close, Lagos',
      lga: 'Example',
      affiliates: 1,
    },
  },
  'cac-basic.found.1': {
    kind: 'found',
    query: { idType: 'CAC', number: 'BN1234567', level: 'basic' },
    record: {
      ...EMPTY_CAC,
      companyName: 'EXAMPLE ENTERPRISES',
      rcNumber: 'BN1234567',
      status: 'Not Active',
      registrationDate: '14-03-2021',
      companyType: 'BUSINESS_NAME',
      headOfficeAddress: '1 Example Close, Lagos',
      companyEmail: 'INFO@EXAMPLE.COM',
      city: 'Lagos',
      lga: 'Example',
      state: 'Lagos',
    },
  },
  'cac-basic.found.2': {
    kind: 'found',
    query: { idType: 'CAC', number: 'RC1000001', level: 'basic' },
    record: {
      ...EMPTY_CAC,
      companyName: 'EXAMPLE LIMITED',
      rcNumber: 'RC1000001',
      registrationDate: '14-03-2015',
      companyType: 'COMPANY',
      headOfficeAddress: '1 EXAMPLE CLOSE',
    },
    request: {
      path: '/api/v1/kyc/cac/basic',
      omits: ['company_name'],
      reason: 'We call the path of the guide. Our callers do not send a name.',
    },
  },
  'nin.found': {
    kind: 'unused',
    reason: 'The record has no number (contract D7).',
    query: { idType: 'NIN', number: '70123456789', level: 'basic' },
  },
  'nin-advanced.found': {
    kind: 'found',
    query: { idType: 'NIN', number: '70123456789', level: 'basic' },
    record: {
      ...EMPTY_NIN,
      nin: '70123456789',
      firstname: 'AMINA',
      lastname: 'SPECIMEN',
      middlename: 'ABENI',
      phone: '08000000001',
      gender: 'f',
      birthdate: '14-03-1990',
      residence: { address1: '1 EXAMPLE CLOSE', town: '', lga: 'Example', state: 'Lagos' },
      profession: 'TRADER',
      marital_status: 'single',
      employment_status: 'unemployed',
      birth_state: 'Ekiti',
      birth_country: 'nigeria',
      state_of_origin: 'Ekiti',
      lga_of_origin: 'Example',
      nspokenlang: 'YORUBA',
      religion: 'islam',
    },
  },
  'tin.found.1': { kind: 'found', query: TIN_QUERY, record: TAXPAYER },
  'tin.found.2': { kind: 'found', query: TIN_QUERY, record: TAXPAYER },
  'vnin.found': {
    kind: 'found',
    query: { idType: 'NIN', number: 'AB012345678910YZ', level: 'basic' },
    record: {
      ...EMPTY_NIN,
      nin: 'AB012345678910YZ',
      firstname: 'AMINA',
      lastname: 'SPECIMEN',
      middlename: 'ABENI',
      phone: '08000000001',
      gender: 'f',
      birthdate: '14-03-1990',
    },
  },
  'vnin.not-found': {
    kind: 'failure',
    queries: queriesOf(NUMBERS),
    result: { kind: 'not-found', detail: 'http-404' },
  },
};

export const DOJAH: ProviderCases = {
  secret: { appId: 'app', apiKey: 'key' },
  cases: CASES,
  dropped: [
    { products: ['vnin'], reason: "NIMC's own ID of the holder.", fields: ['entity.userid'] },
    { products: ['bvn-basic'], reason: 'About the transaction.', fields: ['entity.reference'] },
    { products: ['bvn-advanced'], reason: 'The HTTP status decides.', fields: ['entity.status'] },
    {
      products: ['cac-basic'],
      reason: 'An ID of the provider, and a second copy of the number.',
      fields: ['entity.business', 'entity.business_number'],
    },
    {
      products: ['tin'],
      reason: 'One of the three must be the number requested. In the samples, the first two are.',
      fields: [
        'entity.Search',
        'entity.FIRSTIN',
        'entity.JITTIN',
        'entity.search',
        'entity.firstin',
        'entity.jittin',
      ],
    },
    {
      products: ['nin-advanced'],
      reason: 'Not in the NIN record (contract D1).',
      fields: [
        'entity.birth_lga',
        'entity.educational_level',
        'entity.maiden_name',
        'entity.residence_address_line_2',
        'entity.residence_status',
        'entity.ospoken_lang',
        'entity.origin_place',
        'entity.height',
        'entity.p_first_name',
        'entity.p_middle_name',
        'entity.p_last_name',
      ],
    },
  ],
};
