import type { Row } from '../../core/database.ts';
import type { Secret } from '../../core/secrets.ts';
import { requestValue } from '../../http/context.ts';
import type { Operation } from '../../ledger/operation.ts';
import type { Attempt } from '../../registries/ask-provider.ts';
import type { RegistryStates } from '../../registries/router.ts';
import type { Command } from '../requests.ts';
import type { AccountBanks } from '../verify-identity.ts';

/** What the checks of a look-up find, and later checks and the look-up itself use. */

/** The rows of ApiKeys that a look-up needs beside the caller's key. */
export interface RowsOfLookUp {
  /** The row of the test traffic budget. Empty if the request does not need the row, or if there is none. */
  readonly testTraffic: Row;
  /** The state of each registry that this request may call. */
  readonly registryStates: RegistryStates;
}
export const rowsOfLookUp = requestValue<RowsOfLookUp>('rows of the look-up');

/** What the body asks for. */
export const command = requestValue<Command>('command');

export const accountBanks = requestValue<AccountBanks>('banks of the account');

/** The request as the ledger knows it, and as the log names its number. */
export interface LookUpOperation {
  readonly operation: Operation;
  /** The number's pseudonyms. The first one uses the current pepper. */
  readonly numberTags: readonly string[];
  /** The pepper of the number tags. The request's fingerprint must use the same pepper. */
  readonly pepper: Secret;
}
export const lookUpOperation = requestValue<LookUpOperation>('operation');

/** Each attempt to look up the number with a provider, in order. */
export const attempts = requestValue<Attempt[]>('attempts');
