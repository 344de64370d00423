import type { Row } from '../../core/database.ts';
import type { Secret } from '../../core/secrets.ts';
import { requestValue } from '../../http/context.ts';
import type { Operation } from '../../ledger/operation.ts';
import type { Attempt } from '../../registries/ask-provider.ts';
import type { RegistryStates } from '../../registries/health/state-copies.ts';
import type { Command } from '../requests.ts';
import type { AccountBanks } from '../verify-identity.ts';

/** What the checks of a look-up find, and later checks and the look-up itself use. */

export interface RowsOfLookUp {
  /** The row of the test traffic budget. Empty if the request does not need the row, or if there is none. */
  readonly testTraffic: Row;
  readonly registryStates: RegistryStates;
}
export const rowsOfLookUp = requestValue<RowsOfLookUp>('rows of the look-up');

export const command = requestValue<Command>('command');

export const accountBanks = requestValue<AccountBanks>('banks of the account');

export interface LookUpOperation {
  readonly operation: Operation;
  readonly numberTags: readonly string[];
  /** The pepper of the number tags. The request's fingerprint must use the same pepper. */
  readonly pepper: Secret;
}
export const lookUpOperation = requestValue<LookUpOperation>('operation');

export const attempts = requestValue<Attempt[]>('attempts');
