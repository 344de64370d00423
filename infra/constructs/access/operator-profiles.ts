import type { OperatorRole } from '../../../shared/operators/actions.ts';
import { READ_BALANCE, type SecretName, type TableRight } from './access-profiles.ts';
import {
  PROVIDER_SECRETS,
  READ_APPROVALS,
  READ_CREDITS,
  READ_FINANCE,
  READ_KEYS,
  READ_MEMBERS,
  READ_ORGANISATIONS,
  READ_PROVIDERS,
  READ_RECORDS,
  READ_STATEMENT,
  READ_TRAIL,
  RECONCILE,
} from './operator-rights.ts';

/**
 * What each operator role may read with the `admin` CLI. What it may change is in `OPERATOR_ACTIONS`. IAM sees keys and
 * not values, so access to organisations, for example, includes their prices.
 */

interface OperatorProfile {
  /** The description of the role and of its policy in IAM. */
  readonly purpose: string;
  readonly tables: readonly TableRight[];
  readonly secrets: readonly SecretName[];
}

export const OPERATOR_PROFILES: Readonly<Record<OperatorRole, OperatorProfile>> = {
  operator: {
    purpose: 'Manages organisations, members, services, prices, API keys and providers',
    tables: [
      ...READ_ORGANISATIONS,
      ...READ_KEYS,
      READ_PROVIDERS,
      READ_BALANCE,
      READ_STATEMENT,
      READ_RECORDS,
      READ_MEMBERS,
      READ_APPROVALS,
    ],
    secrets: [],
  },
  finance: {
    purpose: 'Books payments, credits and corrections, closes months and reconciles',
    tables: [...READ_FINANCE, ...RECONCILE, READ_CREDITS],
    secrets: [],
  },
  'finance-read-only': {
    purpose: 'Reads organisations, wallets, payments and the audit trail, for accountants and auditors',
    tables: READ_FINANCE,
    secrets: [],
  },
  privacy: {
    purpose: 'Handles requests from individuals under data protection law',
    tables: [...READ_ORGANISATIONS, ...READ_KEYS, READ_MEMBERS, READ_APPROVALS],
    secrets: [],
  },
  engineer: {
    purpose: 'Operates the service: tests and switches providers, and reconciles',
    tables: [...READ_ORGANISATIONS, READ_PROVIDERS, READ_BALANCE, ...RECONCILE, READ_TRAIL],
    // The preflight checks their format.
    secrets: [...PROVIDER_SECRETS, 'TEST_KEY'],
  },
  'read-only': {
    purpose:
      'Reads organisations, keys, wallets, the audit trail and the health of providers, and reconciles',
    tables: [
      ...READ_ORGANISATIONS,
      ...READ_KEYS,
      READ_PROVIDERS,
      READ_BALANCE,
      ...RECONCILE,
      READ_RECORDS,
      READ_APPROVALS,
    ],
    secrets: [],
  },
};
