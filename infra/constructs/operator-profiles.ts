import { LIVE_PROVIDER_NAMES, type LiveProviderName } from '../../shared/registries/providers/catalogue.ts';
import type { SecretName } from './access-profiles.ts';
import {
  CLEAR_FINGERPRINTS,
  KEYS,
  type OperatorRight,
  ORGANISATIONS,
  READ_KEYS,
  READ_ORGANISATIONS,
  READ_PROVIDERS,
  READ_RECORDS,
  READ_SHARDS,
  READ_STATEMENT,
  RECONCILE,
  RECORD,
  SHARDS,
  SWITCH_PROVIDERS,
} from './operator-rights.ts';

/**
 * What each role of an operator may access with the `admin` CLI. docs/admin.md, "Roles", lists the commands of each
 * role. IAM sees keys and not values, so that, for example, a right on organisations includes their prices.
 */

export const OPERATOR_ROLES = ['operator', 'finance', 'privacy', 'engineer', 'read-only'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export interface OperatorProfile {
  /** For the description of the role in IAM. */
  readonly purpose: string;
  readonly tables: readonly OperatorRight[];
  readonly secrets: readonly SecretName[];
}

const PROVIDER_SECRETS = LIVE_PROVIDER_NAMES.map((name) => name.toUpperCase() as Uppercase<LiveProviderName>);

export const OPERATOR_PROFILES: Readonly<Record<OperatorRole, OperatorProfile>> = {
  operator: {
    purpose: 'Manages organisations, services, prices, API keys and providers',
    tables: [
      ...READ_ORGANISATIONS,
      READ_KEYS,
      ...SWITCH_PROVIDERS,
      { table: 'ApiKeys', actions: ['PutItem'], leadingKeys: [...ORGANISATIONS, ...KEYS] },
      { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: KEYS },
      READ_SHARDS,
      READ_STATEMENT,
      // Creates the shards of a wallet and moves credits between them.
      { table: 'Wallets', actions: ['PutItem', 'UpdateItem'], leadingKeys: SHARDS },
      ...RECORD,
      READ_RECORDS,
    ],
    secrets: [],
  },
  finance: {
    purpose: 'Books credits and corrections, reads statements and reconciles',
    tables: [
      ...READ_ORGANISATIONS,
      READ_SHARDS,
      READ_STATEMENT,
      ...RECONCILE,
      { table: 'Wallets', actions: ['PutItem', 'UpdateItem'] },
      ...RECORD,
      READ_RECORDS,
    ],
    secrets: [],
  },
  privacy: {
    purpose: 'Handles requests of people under data protection law',
    tables: [
      ...READ_ORGANISATIONS,
      READ_KEYS,
      CLEAR_FINGERPRINTS,
      // The report of a breach scans.
      { table: 'VerificationLogs', actions: ['GetItem', 'Query', 'Scan', 'PutItem', 'DeleteItem'] },
      ...RECORD,
    ],
    secrets: ['PEPPER'],
  },
  engineer: {
    purpose: 'Operates the service: tests and switches providers, and reconciles',
    tables: [...READ_ORGANISATIONS, ...SWITCH_PROVIDERS, READ_SHARDS, ...RECONCILE, ...RECORD],
    secrets: PROVIDER_SECRETS,
  },
  'read-only': {
    purpose: 'Reads organisations, keys, wallets and the health of providers, and reconciles',
    tables: [
      ...READ_ORGANISATIONS,
      READ_KEYS,
      READ_PROVIDERS,
      READ_SHARDS,
      READ_STATEMENT,
      ...RECONCILE,
      READ_RECORDS,
    ],
    secrets: [],
  },
};
