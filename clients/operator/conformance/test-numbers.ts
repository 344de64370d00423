import type { RegistryQuery } from '../../../shared/registries/port.ts';
import type { LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';

/** A number that a provider publishes for tests. Each is looked up at every level that the provider serves. */
export type TestNumber = Pick<RegistryQuery, 'idType' | 'number' | 'bankCode' | 'names'>;

const QOREID_PERSON = { firstname: 'Bunch', lastname: 'Dillon' } as const;

/**
 * The numbers that providers publish for tests, in canonical form. Sources: test/fixtures/providers/README.md.
 * Numbers that only appear in a sample are left out, because they may belong to someone.
 */
export const TEST_NUMBERS: Readonly<Record<LiveProviderName, readonly TestNumber[]>> = {
  prembly: [
    { idType: 'NIN', number: '12345678901' },
    { idType: 'BVN', number: '54651333604' },
    { idType: 'CAC', number: 'RC092932' },
    { idType: 'TIN', number: '20304753-0001' },
    { idType: 'TIN', number: '2522520314833' },
    { idType: 'NUBAN', number: '4444444444', bankCode: '214' },
  ],
  dojah: [
    { idType: 'NIN', number: '70123456789' },
    { idType: 'BVN', number: '22222222222' },
    { idType: 'TIN', number: '18609323-0001' },
  ],
  qoreid: [
    { idType: 'NIN', number: '63184876213', names: QOREID_PERSON },
    { idType: 'BVN', number: '95888168924', names: QOREID_PERSON },
  ],
  // Paystack publishes a bank code for tests, 001, but no account number.
  paystack: [],
  youverify: [{ idType: 'NIN', number: '11111111111' }],
};
