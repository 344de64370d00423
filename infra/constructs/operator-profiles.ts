import { LIVE_PROVIDER_NAMES, type LiveProviderName } from '../../shared/registries/providers/catalogue.ts';
import type { SecretName } from './access-profiles.ts';
import { FINANCE, READ_APPROVALS, READ_FINANCE, READ_TRAIL } from './finance-rights.ts';
import { ERASE_PEOPLE, MANAGE_MEMBERS } from './operator-member-rights.ts';
import {
  APPROVE,
  CREATE_SHARDS,
  LOGS_OF_PEOPLE,
  MOVE_CREDITS,
  type OperatorRight,
  READ_KEYS,
  READ_ORGANISATIONS,
  READ_PROVIDERS,
  READ_RECORDS,
  READ_SHARDS,
  READ_STATEMENT,
  RECONCILE,
  RECORD,
  SWITCH_PROVIDERS,
  WRITE_ACCOUNTS,
} from './operator-rights.ts';

/**
 * What each operator role may access with the `admin` CLI. docs/admin.md, "Roles", lists the commands of each role. IAM
 * sees keys and not values, so access to organisations, for example, includes their prices.
 */

export const OPERATOR_ROLES = [
  'operator',
  'finance',
  'finance-read-only',
  'privacy',
  'engineer',
  'read-only',
] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface OperatorProfile {
  /** The description of the role and of its policy in IAM. */
  readonly purpose: string;
  readonly tables: readonly OperatorRight[];
  readonly secrets: readonly SecretName[];
  /** Sends invitations from the address of the console. */
  readonly sendsMail?: true;
}

const PROVIDER_SECRETS = LIVE_PROVIDER_NAMES.map((name) => name.toUpperCase() as Uppercase<LiveProviderName>);

export const OPERATOR_PROFILES: Readonly<Record<OperatorRole, OperatorProfile>> = {
  operator: {
    purpose: 'Manages organisations, members, services, prices, API keys and providers',
    tables: [
      ...READ_ORGANISATIONS,
      ...READ_KEYS,
      ...SWITCH_PROVIDERS,
      ...WRITE_ACCOUNTS,
      READ_SHARDS,
      READ_STATEMENT,
      CREATE_SHARDS,
      MOVE_CREDITS,
      ...RECORD,
      READ_RECORDS,
      READ_APPROVALS,
      ...MANAGE_MEMBERS,
    ],
    secrets: [],
    sendsMail: true,
  },
  finance: {
    purpose: 'Books payments, credits and corrections, closes months and reconciles',
    tables: FINANCE,
    // Opens orders with the payment provider and asks it about payments.
    secrets: ['PAYMENTS'],
  },
  'finance-read-only': {
    purpose: 'Reads organisations, wallets, payments and the audit trail, for accountants and auditors',
    tables: READ_FINANCE,
    secrets: [],
  },
  privacy: {
    purpose: 'Handles requests from individuals under data protection law',
    tables: [...READ_ORGANISATIONS, ...READ_KEYS, ...LOGS_OF_PEOPLE, ...APPROVE, ...ERASE_PEOPLE],
    secrets: ['PEPPER'],
  },
  engineer: {
    purpose: 'Operates the service: tests and switches providers, and reconciles',
    tables: [...READ_ORGANISATIONS, ...SWITCH_PROVIDERS, READ_SHARDS, ...RECONCILE, ...RECORD, READ_TRAIL],
    secrets: [...PROVIDER_SECRETS, 'TEST_KEY'],
  },
  'read-only': {
    purpose:
      'Reads organisations, keys, wallets, the audit trail and the health of providers, and reconciles',
    tables: [...READ_ORGANISATIONS, ...READ_KEYS, READ_PROVIDERS, READ_SHARDS, ...RECONCILE, READ_RECORDS],
    secrets: [],
  },
};
