import type { Environment } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import type { Outcome } from '../../../shared/core/outcome.ts';
import type { RegistryStatusView } from '../../../shared/registries/console/views.ts';

/** The words that several files show. All others are where they are shown. */
export const sharedTexts = {
  product: 'Account console',
  loading: 'Loading…',
  retry: 'Retry',
  cancel: 'Cancel',
  close: 'Close',
  never: 'Never',
  line: (number: number) => `Line ${number}`,
  nothingSent: 'Nothing was sent in the last 30 days.',
  theTable: ' the table',
  timesInLagos: 'Times are in Nigerian time (Africa/Lagos, UTC+1).',
};

/** The titles are also the labels in the navigation. */
export const pageTitles = {
  home: 'Home',
  keys: 'API keys',
  services: 'Services',
  playground: 'Playground',
  wallet: 'Wallet',
  requests: 'Requests',
  usage: 'Usage',
  webhooks: 'Webhooks',
  alerts: 'Alerts',
  team: 'Team',
  organisation: 'Organisation',
  audit: 'Audit trail',
  status: 'Status',
};

export const idTypeNames: Readonly<Record<IdType, string>> = {
  NIN: 'National Identification Number (NIN)',
  BVN: 'Bank Verification Number (BVN)',
  CAC: 'Companies (CAC)',
  TIN: 'Tax numbers (TIN)',
  NUBAN: 'Bank accounts (NUBAN)',
};

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Administrator',
  developer: 'Developer',
  finance: 'Finance',
  viewer: 'Viewer',
};

export const environmentNames: Readonly<Record<Environment, string>> = { live: 'Live', test: 'Test' };

export const registryStates: Readonly<Record<RegistryStatusView['status'], string>> = {
  up: 'Working',
  degraded: 'Degraded',
  down: 'Down',
  off: 'Not offered',
};

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  FOUND: 'Found',
  NOT_FOUND: 'Not found',
  FAILED: 'Registry error',
  UNREACHABLE: 'Registry unavailable',
  TIMEOUT: 'Registry timeout',
  REFUSED: 'Rejected',
  ERROR: 'Internal error',
  ABANDONED: 'Not completed',
};
