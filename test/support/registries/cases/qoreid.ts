import { bankByCode } from '../../../../shared/registries/mapping/banks.ts';
import { EMPTY_BVN, EMPTY_CAC, EMPTY_NIN, EMPTY_NUBAN, EMPTY_TIN } from '../empty-records.ts';
import type { FixtureCases, ProviderCases } from './case.ts';

const names = { firstname: 'Bunch', lastname: 'Dillon' };
const PERSON = {
  ...EMPTY_BVN,
  bvn: '95888168924',
  firstname: 'Bunch',
  lastname: 'Dillon',
  birthdate: '14-03-1990',
  gender: 'm',
  phone: '08000000000',
} as const;
const COMPANY = {
  ...EMPTY_CAC,
  companyName: 'Example Company',
  rcNumber: 'RC33029090',
  status: 'Active',
  registrationDate: '07-07-1995',
  companyType: 'Public',
  headOfficeAddress: 'Abuja, Nigeria',
  branchAddress: '1 Example Lane',
  city: 'Ikeja',
  lga: 'Example',
  state: 'Lagos',
  companyEmail: 'info@example.com',
  affiliates: 3,
};

const CASES: FixtureCases = {
  'account.found': {
    kind: 'found',
    query: { idType: 'NUBAN', level: 'basic', number: '1001111111', bankCode: '044', names },
    record: {
      ...EMPTY_NUBAN,
      account_number: '1001111111',
      account_name: 'Bunch Dillon',
      bank_code: '044',
      bank_name: bankByCode('044')?.name ?? '',
    },
  },
  'bvn-basic.found': {
    kind: 'found',
    query: { idType: 'BVN', level: 'basic', number: '95888168924', names },
    record: PERSON,
  },
  'bvn-premium.found': {
    kind: 'found',
    query: { idType: 'BVN', level: 'premium', number: '95888168924', names },
    record: {
      ...PERSON,
      middlename: 'Test',
      title: 'Mr',
      email: 'info@example.com',
      nationality: 'Nigeria',
      marital_status: 'Single',
      residential_address: '1 Example Close',
      state_of_origin: 'Ekiti State',
      lga_of_origin: 'Example',
      state_of_residence: 'Lagos State',
      name_on_card: 'Bunch Dillon',
      enrollment_bank: '04',
      enrollment_branch: 'EXAMPLE',
    },
  },
  'cac-basic.found.1': {
    kind: 'found',
    query: { idType: 'CAC', level: 'basic', number: 'RC33029090' },
    record: COMPANY,
  },
  'cac-basic.found.2': {
    kind: 'found',
    query: { idType: 'CAC', level: 'basic', number: 'RC33029090' },
    record: COMPANY,
    request: {
      path: '/v1/ng/identities/cac-basic',
      reason: 'Versions 1 and 2 have the same request and the same sample. We call version 1.',
    },
  },
  'cac-premium.found': {
    kind: 'found',
    query: { idType: 'CAC', level: 'premium', number: 'RC11000011' },
    record: {
      ...COMPANY,
      rcNumber: 'RC11000011',
      status: 'ACTIVE',
      registrationDate: '14-03-2017',
      companyType: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
      classification: 'Company',
      headOfficeAddress: '2 Example Close',
      branchAddress: '1 Example Close',
      city: 'oshodi',
      lga: 'oshodi',
      shareCapital: 1_000_000,
      shareCapitalInWords: 'ONE MILLION NAIRA ONLY',
      affiliates: 2,
    },
  },
  'nin-by-phone.found': {
    kind: 'unused',
    reason: 'It is kept for the shape of nin, which test/unit/registries/qoreid.test.ts uses.',
    query: { idType: 'NIN', level: 'basic', number: '63184876213', names },
  },
  'tin-by-rc.found.1': {
    kind: 'found',
    query: { idType: 'TIN', level: 'basic', number: 'RC1000011' },
    record: {
      ...EMPTY_TIN,
      tin: 'RC1000011',
      tin_format: 'RC',
      name: 'EXAMPLE',
      business_type: '2',
      rc_number: '1000011',
    },
  },
  'tin-by-rc.found.2': {
    kind: 'unused',
    reason: 'The other page about this product has a path with the number, and is newer.',
    query: { idType: 'TIN', level: 'basic', number: 'RC1000002' },
  },
  'vnin.found': {
    kind: 'found',
    query: { idType: 'NIN', level: 'basic', number: 'JZ426633988976CH', names },
    record: {
      ...EMPTY_NIN,
      nin: 'JZ426633988976CH',
      firstname: 'Bunch',
      lastname: 'Dillon',
      phone: '08000000000',
      gender: 'm',
      birthdate: '14-03-1990',
    },
  },
  'tin.found.1': {
    kind: 'found',
    query: { idType: 'TIN', level: 'basic', number: '10482739-0001' },
    record: {
      ...EMPTY_TIN,
      tin: '10482739-0001',
      name: 'Example Ventures Limited',
      registration_date: '14-03-2010',
      business_type: 'Limited Liability',
      rc_number: 'RC-100001',
    },
    warning: 'The registry\'s status for this taxpayer is "Under Liquidation".',
  },
  'tin.found.2': {
    kind: 'found',
    query: { idType: 'TIN', level: 'basic', number: '10000001-0001' },
    record: {
      ...EMPTY_TIN,
      tin: '10000001-0001',
      name: 'Example Limited',
      tax_office: 'Example',
      business_type: 'TIN',
      rc_number: '01000001-Test',
      email: 'info@example.com',
      phone: '08000000000',
    },
  },
};

export const QOREID: ProviderCases = {
  secret: { clientId: 'c', secret: 's' },
  besides: { 'POST /token': { accessToken: 'token', expiresIn: 7_200, tokenType: 'Bearer' } },
  cases: CASES,
  dropped: [
    { reason: "The provider's own ID.", fields: ['id'] },
    {
      reason: 'Only `pending` matters. Otherwise, the record decides.',
      fields: ['status.state', 'status.status'],
    },
    {
      products: ['account'],
      reason: 'How the names in the request match, and the request.',
      fields: [
        'summary.nuban_check.status',
        'summary.nuban_check.fieldMatches.firstname',
        'summary.nuban_check.fieldMatches.lastname',
        'applicant.accountNumber',
        'applicant.bankCode',
      ],
    },
    {
      products: ['account'],
      reason: 'Not in the NUBAN record (contract D5). Personal data that the request did not ask for.',
      fields: [
        'nuban.firstname',
        'nuban.lastname',
        'nuban.middlename',
        'nuban.dob',
        'nuban.mobileNumber',
        'nuban.bvn',
      ],
    },
    {
      products: ['account'],
      reason: 'A code, such as 560. Every NUBAN account is in naira.',
      fields: ['nuban.accountCurrency'],
    },
    {
      products: ['bvn-basic', 'bvn-premium'],
      reason: 'How the names in the request match.',
      fields: [
        'summary.bvn_check.status',
        'summary.bvn_check.fieldMatches.firstname',
        'summary.bvn_check.fieldMatches.lastname',
      ],
    },
    {
      products: ['account', 'bvn-basic', 'bvn-premium'],
      reason: 'It repeats the request.',
      fields: ['applicant.firstname', 'applicant.lastname'],
    },
    {
      products: ['bvn-premium'],
      reason: 'Which kinds of companies looked the number up. Not in the BVN record (contract D3).',
      fields: ['insight[].serviceCategory', 'insight[].insightCount', 'insight[].timeframeInMonths'],
    },
    { products: ['cac-basic', 'cac-premium'], reason: 'The record decides.', fields: ['summary.cac_check'] },
    { products: ['tin', 'tin-by-rc'], reason: 'The record decides.', fields: ['summary.tin_check'] },
    {
      products: ['tin-by-rc'],
      reason: 'Not in the TIN record (contract D5). The RC number is the Tax ID.',
      fields: ['tin.taxId'],
    },
    {
      products: ['vnin'],
      reason: 'How the names in the request match, and the request.',
      fields: [
        'summary.v_nin_check.status',
        'summary.v_nin_check.fieldMatches.firstname',
        'summary.v_nin_check.fieldMatches.lastname',
        'applicant.firstname',
        'applicant.lastname',
      ],
    },
    {
      products: ['tin'],
      reason: 'Not in the TIN record (contract D5).',
      fields: [
        'tin.stage',
        'tin.publication[].name',
        'tin.publication[].date',
        'tin.publication[].pageNumber',
        'tin.publication[].type',
        'tin.address',
      ],
    },
    { products: ['tin'], reason: 'Read only if it is the number requested.', fields: ['tin.jittin'] },
  ],
};
