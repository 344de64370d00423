import { CHECK_DIGIT_WARNING } from '../../../../shared/registries/mapping/nuban.ts';
import {
  EMPTY_AFFILIATE,
  EMPTY_BVN,
  EMPTY_CAC,
  EMPTY_NIN,
  EMPTY_NUBAN,
  EMPTY_TIN,
} from '../empty-records.ts';
import { type FixtureCases, type ProviderCases, queriesOf } from './case.ts';

const GUIDE_BEFORE = 'The guide had this base path before; the secret can still contain it.';
const OLDER = 'The older reference has this base path; the secret can contain it.';
const NO_NAME = 'The name is optional, and our callers do not send it.';

const TAXPAYER = {
  ...EMPTY_TIN,
  tin: '20304753-0001',
  name: 'example taxpayer',
  tax_office: 'example tax office',
  rc_number: 'Rc323479',
  email: 'info@example.com',
  phone: '08000000001',
} as const;
const TIN_QUERY = { idType: 'TIN', number: '20304753-0001', level: 'basic' } as const;

const ACCOUNT_QUERY = { idType: 'NUBAN', number: '4444444444', level: 'basic', bankCode: '214' } as const;
const BVN_QUERY = { idType: 'BVN', number: '54651333604', level: 'basic' } as const;

const COMPANY = {
  ...EMPTY_CAC,
  companyName: 'EXAMPLE TRADING',
  rcNumber: 'RC092932',
  status: 'Active',
  registrationDate: '14-03-1990',
  headOfficeAddress: '1 EXAMPLE CLOSE',
  branchAddress: '2 EXAMPLE CLOSE',
  city: 'Ado',
  lga: 'Example',
  state: 'EKITI State',
} as const;

const MORE_THAN_A_NAME = 'It returns more about the holder than the name of the account.';

const ANY_QUERIES = queriesOf({
  NIN: '12345678901',
  BVN: '54651333604',
  CAC: 'BN7000',
  TIN: '2522520314833',
  NUBAN: '4444444444',
});

const CASES: FixtureCases = {
  'account.found': {
    kind: 'found',
    query: ACCOUNT_QUERY,
    record: {
      ...EMPTY_NUBAN,
      account_number: '4444444444',
      account_name: 'Example Account',
      bank_code: '214',
      bank_name: 'First City Monument Bank Plc',
    },
    warning: CHECK_DIGIT_WARNING,
    request: { basePath: '/identitypass', reason: GUIDE_BEFORE },
  },
  'account-advanced.found.1': { kind: 'unused', reason: MORE_THAN_A_NAME, query: ACCOUNT_QUERY },
  'account-advanced.found.2': { kind: 'unused', reason: MORE_THAN_A_NAME, query: ACCOUNT_QUERY },
  'any.error.1': {
    kind: 'failure',
    queries: ANY_QUERIES,
    result: { kind: 'unreachable', detail: 'code-02' },
  },
  'any.error.2': {
    kind: 'failure',
    queries: ANY_QUERIES,
    result: { kind: 'unreachable', detail: 'provider-funds' },
  },
  'any.not-found': {
    kind: 'failure',
    queries: ANY_QUERIES,
    result: { kind: 'not-found', detail: 'code-01' },
  },
  'business-tax.found': {
    kind: 'found',
    query: { idType: 'TIN', number: '2522520314833', level: 'basic' },
    record: {
      ...EMPTY_TIN,
      tin: '2522520314833',
      tin_format: 'TAX_ID',
      name: 'EXAMPLE LIMITED',
      business_type: 'Company',
    },
  },
  'bvn-advanced.found': {
    kind: 'found',
    query: BVN_QUERY,
    record: {
      ...EMPTY_BVN,
      bvn: '54651333604',
      firstname: 'AMINA',
      lastname: 'SPECIMEN',
      middlename: 'ABENI',
      birthdate: '04-03-1990',
      gender: 'f',
      phone: '08000000001',
      phone_number2: '08000000002',
      registration_date: '05-06-2015',
      enrollment_bank: '000',
      enrollment_branch: 'EXAMPLE',
      level_of_account: 'Level 3 - High Level Accounts',
    },
  },
  'bvn-basic.found': { kind: 'unused', reason: 'The record has no number (contract D7).', query: BVN_QUERY },
  'bvn-or-phone.found': { kind: 'unused', reason: 'It is kept for its list of fields.', query: BVN_QUERY },
  'cac-advanced.found.1': {
    kind: 'found',
    query: { idType: 'CAC', number: 'RC7000', level: 'premium' },
    record: {
      ...EMPTY_CAC,
      companyName: 'EXAMPLE CLUB',
      rcNumber: 'RC7000',
      status: 'INACTIVE',
      registrationDate: '14-03-1990',
      classification: 'RC',
    },
  },
  'cac-advanced.found.2': {
    kind: 'found',
    query: { idType: 'CAC', number: 'RC092932', level: 'premium' },
    record: {
      ...COMPANY,
      affiliates: 1,
      directors: [{ surname: 'SPECIMEN', firstname: 'AMINA', otherName: '' }],
      affiliatesData: [
        {
          ...EMPTY_AFFILIATE,
          surname: 'SPECIMEN',
          firstname: 'AMINA',
          affiliateType: 'DIRECTOR',
          gender: 'm',
          occupation: 'Trader',
          email: 'amina@example.com',
          phoneNumber: '080000000001',
          city: 'Lagos',
          state: 'Lagos',
          status: 'ACTIVE',
        },
      ],
    },
    request: { basePath: '/identitypass', omits: ['company_name'], reason: `${GUIDE_BEFORE} ${NO_NAME}` },
  },
  'cac-basic.found.1': {
    kind: 'found',
    query: { idType: 'CAC', number: 'RC092932', level: 'basic' },
    record: { ...COMPANY, companyType: 'RC', companyEmail: 'info@example.com' },
    request: { basePath: '/identitypass', omits: ['company_name'], reason: `${GUIDE_BEFORE} ${NO_NAME}` },
  },
  'cac-basic.found.2': {
    kind: 'found',
    query: { idType: 'CAC', number: 'RC092932', level: 'basic' },
    record: {
      ...EMPTY_CAC,
      companyName: 'EXAMPLE TRADING',
      rcNumber: 'RC092932',
      registrationDate: '14-03-1990',
      headOfficeAddress: '1 EXAMPLE CLOSE',
      companyEmail: 'info@example.com',
      affiliates: 3,
      directors: [{ surname: 'EXAMPLE A', firstname: '', otherName: '' }],
      affiliatesData: [
        { ...EMPTY_AFFILIATE, surname: 'EXAMPLE A', affiliateType: 'DIRECTOR' },
        { ...EMPTY_AFFILIATE, surname: 'EXAMPLE B', affiliateType: 'SECRETARY' },
        { ...EMPTY_AFFILIATE, surname: 'EXAMPLE C', affiliateType: 'SHAREHOLDER' },
      ],
    },
    request: { basePath: '/api/v2/biometrics/merchant/data', reason: OLDER },
  },
  'nin-advanced.found': {
    kind: 'found',
    query: { idType: 'NIN', number: '12345678909', level: 'premium' },
    record: {
      ...EMPTY_NIN,
      nin: '12345678909',
      firstname: 'AMINA',
      gender: 'f',
      birthdate: '14-03-1990',
      residence: { address1: '1 EXAMPLE CLOSE', town: 'EXAMPLE', lga: 'EXAMPLE', state: 'KANO' },
      marital_status: 'single',
      nspokenlang: 'HAUSA',
      religion: 'islam',
    },
    request: {
      basePath: '/api/v2/biometrics/merchant/data',
      path: '/verification/vnin',
      reason: `${OLDER} The guide uses vnin instead of nin_wo_face.`,
    },
  },
  'nin-basic.found': {
    kind: 'found',
    query: { idType: 'NIN', number: '12345678901', level: 'basic' },
    record: {
      ...EMPTY_NIN,
      nin: '12345678901',
      firstname: 'AMINA',
      lastname: 'SPECIMEN',
      middlename: 'ABENI',
      phone: '08000000001',
      gender: 'f',
      birthdate: '14-03-1990',
      residence: { address1: '1 EXAMPLE CLOSE', town: '', lga: '', state: '' },
    },
  },
  'tin-by-nin.found': {
    kind: 'found',
    query: { idType: 'TIN', number: '12345678901', level: 'basic' },
    record: { ...EMPTY_TIN, tin: '12345678901', tin_format: 'NIN', name: 'AMINA SPECIMEN' },
  },
  'tin.found.3': {
    kind: 'found',
    query: { idType: 'TIN', number: 'RC323479', level: 'basic' },
    record: { ...TAXPAYER, tin: 'RC323479', tin_format: 'RC' },
    request: { path: '/verification/tin', reason: 'One path for all channels.' },
  },
  'tin.found.1': { kind: 'found', query: TIN_QUERY, record: TAXPAYER },
  'tin.found.2': {
    kind: 'found',
    query: TIN_QUERY,
    record: TAXPAYER,
    request: {
      basePath: '/api/v1',
      path: '/verification/api/tin_ng/',
      reason: 'The `baseUrl` of the secret selects the paths of the API reference.',
    },
  },
};

export const PREMBLY: ProviderCases = {
  secret: { apiKey: 'key' },
  cases: CASES,
  dropped: [
    { reason: 'A description of the result.', fields: ['detail', 'message'] },
    {
      products: [
        'nin-basic',
        'nin-advanced',
        'bvn-advanced',
        'cac-basic',
        'cac-advanced',
        'tin',
        'tin-by-nin',
        'business-tax',
      ],
      reason: 'response_code decides. status does only where there is no code.',
      fields: ['status'],
    },
    {
      products: ['tin-by-nin'],
      reason: 'Not in the TIN record (contract D5). The NIN is the Tax ID.',
      fields: [
        'data.dateOfBirth',
        'data.tax_residency',
        'data.tin',
        'dsvi.score',
        'dsvi.risk_label',
        'dsvi.sensitivity_tier',
        'dsvi.age_derived',
        'dsvi.age_factor',
      ],
    },
    {
      products: ['tin'],
      reason: 'Other numbers of the taxpayer. They count if they have 12 digits or are the number requested.',
      fields: ['data.firstin', 'data.jittin'],
    },
    {
      reason: 'About the transaction. The verification status repeats the response code.',
      fields: [
        'verification.status',
        'verification.reference',
        'verification.verification_id',
        'verification_status',
        'reference_id',
        'transaction_id',
        'meta',
        'billing_info.was_charged',
        'billing_info.amount',
        'billing_info.currency',
        'billing_info.note',
      ],
    },
    {
      products: ['nin-basic'],
      reason: 'About the session of the provider.',
      fields: [
        'widget_info',
        'session._auth_user_id',
        'session._auth_user_backend',
        'session._auth_user_hash',
        'endpoint_name',
      ],
    },
    {
      products: ['nin-advanced'],
      reason: 'Next of kin is returned masked (specification).',
      fields: [
        'nin_data.nok_address1',
        'nin_data.nok_address2',
        'nin_data.nok_firstname',
        'nin_data.nok_lga',
        'nin_data.nok_middlename',
        'nin_data.nok_postalcode',
        'nin_data.nok_state',
        'nin_data.nok_surname',
        'nin_data.nok_town',
      ],
    },
    {
      products: ['nin-advanced'],
      reason: 'Not in the NIN record (contract D1).',
      fields: [
        'nin_data.birthlga',
        'nin_data.centralID',
        'nin_data.educationallevel',
        'nin_data.heigth',
        'nin_data.ospokenlang',
        'nin_data.pfirstname',
        'nin_data.pmiddlename',
        'nin_data.psurname',
        'nin_data.residencestatus',
      ],
    },
    {
      products: ['cac-basic'],
      reason: 'How well a name in the request matches. We send none.',
      fields: ['data.searchScore'],
    },
    { products: ['cac-advanced'], reason: "The provider's own ID.", fields: ['data[].company_id'] },
    {
      products: ['cac-advanced'],
      reason: 'Not in the CAC record (contract D4).',
      fields: [
        'data.directors[].formerNationality',
        'data.directors[].formerName',
        'data.directors[].formerSurname',
        'data.directors[].formerFirstName',
        'data.directors[].formerOtherName',
        'data.directors[].accreditationnumber',
        'data.directors[].formType',
        'data.directors[].dateOfBirth',
        'data.directors[].identityNumber',
        'data.directors[].otherDirectorshipDetails',
      ],
    },
    {
      products: ['cac-advanced'],
      reason: 'It repeats the number of the company. Only a corporate affiliate has one of its own.',
      fields: ['data.directors[].rcNumber'],
    },
  ],
};
