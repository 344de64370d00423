import type { RouteName } from './route-codes.ts';

/** What each documented route is for, in words. */
export interface OperationWords {
  readonly tag: 'Verification' | 'Slips' | 'Account' | 'Service';
  readonly summary: string;
  readonly description: string;
}

export type DocumentedRoute = Exclude<RouteName, 'unknown-route'>;

const DEDICATED =
  'Charged only when a record is found. A number of the wrong format is answered as not found, with the format in the message, without asking the registry.';

function dedicated(summary: string, brings: string): OperationWords {
  return { tag: 'Verification', summary, description: `${brings} ${DEDICATED}` };
}

export const OPERATIONS: Readonly<Record<DocumentedRoute, OperationWords>> = {
  'nin-basic': dedicated('Verify a NIN (Basic)', 'Core identity fields, residence and photo.'),
  'nin-premium': dedicated('Verify a NIN (Premium)', 'The complete registry profile; next of kin is masked.'),
  'nin-slip': {
    tag: 'Slips',
    summary: 'Download the slip of a verified NIN',
    description:
      'A PDF, for a NIN that this organisation has verified before with a key of the same environment. The registry is asked again, so it is a charged request of its own.',
  },
  'bvn-basic': dedicated('Verify a BVN (Basic)', 'Name, birthdate, gender, phone and photo.'),
  'bvn-premium': dedicated('Verify a BVN (Premium)', 'The complete bank-registry profile.'),
  'cac-basic': dedicated('Verify a company (Basic)', 'Registration, status, addresses and directors.'),
  'cac-premium': dedicated(
    'Verify a company (Premium)',
    'All of Basic, and directors and shareholders with their percentages.',
  ),
  'tin-basic': dedicated('Verify a TIN', 'The taxpayer behind a tax identification number.'),
  'nuban-basic': dedicated(
    'Verify a bank account number (NUBAN)',
    'Holder and bank. A wrong check digit is a warning in the message, never a refusal.',
  ),
  'verify-identity': {
    tag: 'Verification',
    summary: 'Verify a NIN, BVN or CAC number (unified gateway)',
    description:
      'One body for three ID types. Not found is 404 here, and a registry that does not answer in time is 503. Charged only when a record is found.',
  },
  'wallet-balance': {
    tag: 'Account',
    summary: "Read the wallet's balance",
    description: "The wallet of the key's environment. Free.",
  },
  'wallet-transactions': {
    tag: 'Account',
    summary: "List the wallet's transactions",
    description:
      'Credits and debits, oldest first, with the running balance. Without `from`: since the start of the month of `to`. Free.',
  },
  verification: {
    tag: 'Account',
    summary: 'Look up how a request went',
    description:
      "Outcome, charge and times of one logged request. It holds no identity data, and another organisation's request is not found. Free.",
  },
  openapi: {
    tag: 'Service',
    summary: 'Read this document',
    description: 'OpenAPI 3.1. No key needed.',
  },
  health: {
    tag: 'Service',
    summary: 'See how the service is',
    description:
      "The state of the service's own parts and of each registry, from recent outcomes: no registry is asked for it, and an answer may be 5 s old. `degraded` says that something fails while the service works on, `down` that no live registry is left. 503 where the service itself can't serve. No key needed.",
  },
  'slip-check': {
    tag: 'Slips',
    summary: "Check a slip's QR code",
    description:
      'The page behind the QR code of a slip: what was looked up, when, and whether the code is genuine. No identity data. No key needed.',
  },
};
