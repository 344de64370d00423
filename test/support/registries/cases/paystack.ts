import { bankByCode } from '../../../../shared/registries/mapping/banks.ts';
import { CHECK_DIGIT_WARNING } from '../../../../shared/registries/mapping/nuban.ts';
import { EMPTY_NUBAN } from '../empty-records.ts';
import { type FixtureCases, type ProviderCases, queriesOf } from './case.ts';

const ACCOUNT = { ...EMPTY_NUBAN, bank_code: '058', bank_name: bankByCode('058')?.name ?? '' };

const CASES: FixtureCases = {
  'account.found.1': {
    kind: 'found',
    query: { idType: 'NUBAN', level: 'basic', number: '0123456789', bankCode: '058' },
    record: { ...ACCOUNT, account_number: '0123456789', account_name: 'AMINA SPECIMEN' },
    warning: CHECK_DIGIT_WARNING,
  },
  'account.found.2': {
    kind: 'found',
    query: { idType: 'NUBAN', level: 'basic', number: '0001234567', bankCode: '058' },
    record: { ...ACCOUNT, account_number: '0001234567', account_name: 'Specimen Amina Abeni' },
    warning: CHECK_DIGIT_WARNING,
  },
  'account.error': {
    kind: 'failure',
    queries: queriesOf({ NUBAN: '0123456789' }),
    result: { kind: 'failed', detail: 'bank-not-served', excludedFromHealth: true },
  },
  'banks.found': {
    kind: 'unused',
    reason: 'The table of banks is part of the code (shared/registries/mapping/bank-rows.ts).',
  },
};

export const PAYSTACK: ProviderCases = {
  secret: { apiKey: 'k' },
  cases: CASES,
  dropped: [
    { products: ['account'], reason: '`status` decides.', fields: ['message'] },
    { products: ['account'], reason: "The provider's own ID of the bank.", fields: ['data.bank_id'] },
  ],
};
