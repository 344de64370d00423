import { EMPTY_NIN, EMPTY_TIN } from '../empty-records.ts';
import type { FixtureCases, ProviderCases } from './case.ts';

const consent = 'consent-2026-0042';
const TIN_QUERY = { idType: 'TIN', level: 'basic', number: '00000000-0000', consent } as const;

const CASES: FixtureCases = {
  'nin.found': {
    kind: 'found',
    query: { idType: 'NIN', level: 'premium', number: '11111111111', consent },
    record: {
      ...EMPTY_NIN,
      nin: '11111111111',
      firstname: 'Amina',
      middlename: 'Abeni',
      lastname: 'Specimen',
      phone: '08000000001',
      gender: 'f',
      birthdate: '14-03-1990',
      residence: { address1: '1 Example Close', town: 'EXAMPLE', lga: 'Example', state: 'Ekiti' },
      birth_state: 'Ekiti',
      birth_country: 'nigeria',
      religion: 'islam',
    },
  },
  'tin.error': { kind: 'failure', queries: [TIN_QUERY], result: { kind: 'failed', detail: 'http-404' } },
  'tin.found': {
    kind: 'found',
    query: TIN_QUERY,
    record: {
      ...EMPTY_TIN,
      tin: '00000000-0000',
      name: 'EXAMPLE LTD',
      tax_office: 'EXAMPLE TAX OFFICE',
      rc_number: 'RC00000000',
      email: 'info@example.com',
      phone: '08000000001',
    },
  },
  'tin.not-found': {
    kind: 'failure',
    queries: [TIN_QUERY],
    result: { kind: 'not-found', detail: 'status-not-found' },
  },
};

export const YOUVERIFY: ProviderCases = {
  secret: { apiKey: 'k' },
  cases: CASES,
  dropped: [
    { reason: '`success` and `data.status` decide.', fields: ['statusCode', 'message'] },
    {
      reason: "The provider's own IDs and times, and what it knows about our account.",
      fields: [
        'data.id',
        'data.businessId',
        'data.parentId',
        'data.type',
        'data.requestedAt',
        'data.createdAt',
        'data.requestedBy.firstName',
        'data.requestedBy.lastName',
        'data.requestedBy.middleName',
        'data.requestedBy.id',
        'links',
      ],
    },
    {
      products: ['nin'],
      reason: "The provider's own IDs and times.",
      fields: ['data.requestedById', 'data.lastModifiedAt', 'data.metadata', 'data.country'],
    },
    { reason: 'It repeats the request.', fields: ['data.isConsent'] },
    {
      products: ['nin'],
      reason: 'Results of comparisons that our request does not ask for.',
      fields: ['data.reason', 'data.dataValidation', 'data.selfieValidation', 'data.allValidationPassed'],
    },
    {
      products: ['nin'],
      reason: 'Not in the NIN record (contract D1), or masked there.',
      fields: ['data.birthLGA', 'data.nokState'],
    },
    { products: ['tin'], reason: 'Read only if it is the number requested.', fields: ['data.jtbTin'] },
  ],
};
