import type { IdType } from '../core/id-types.ts';
import type { BvnRecord } from './mapping/records/bvn.ts';
import type { CacRecord } from './mapping/records/cac.ts';
import type { NinRecord } from './mapping/records/nin.ts';
import type { NubanRecord } from './mapping/records/nuban.ts';
import type { TinRecord } from './mapping/records/tin.ts';

/**
 * The registry port: what the service asks, and the closed list of what can come back.
 * An outcome is data. A provider throws only on a broken promise of our own code.
 */

export interface RegistryRecords {
  readonly NIN: NinRecord;
  readonly BVN: BvnRecord;
  readonly CAC: CacRecord;
  readonly TIN: TinRecord;
  readonly NUBAN: NubanRecord;
}
export type RegistryRecord = RegistryRecords[IdType];

export interface RegistryQuery {
  readonly idType: IdType;
  readonly level: 'basic' | 'premium';
  /** Well-formed (see numberFormat); never logged. */
  readonly number: string;
  /** NUBAN only: the bank's code, if the caller gave one. */
  readonly bankCode?: string;
  /** References that a provider may demand; passed on, never identity data. */
  readonly consent?: string;
  readonly reason?: string;
  /** Our label of the request, for a provider that takes one into its own log. */
  readonly requestId?: string;
  /** Epoch milliseconds after which nobody waits for the answer. */
  readonly deadlineMs: number;
}

/**
 * - `found`: a whole record in the documented names, carrying the number that was asked for; views cut it later.
 * - `not-found`: the registry answered that it has no such number.
 * - `failed`: it answered with an error, or with something that is no valid record of this number (decision D7).
 * - `unreachable`: no connection, refused, or it says itself that it or its source is down or too busy.
 * - `timeout`: no whole answer before the deadline.
 */
export type RegistryResult =
  | {
      readonly kind: 'found';
      readonly record: RegistryRecord;
      /** A sentence for the answer's message, such as a failed NUBAN check digit. */
      readonly warning?: string;
    }
  | {
      readonly kind: 'not-found' | 'failed' | 'unreachable' | 'timeout';
      /** Why, for the log: a provider's code or our classification; never identity data. */
      readonly detail: string;
      /** Could the provider have seen, and so billed, the look-up? Absent where it answered, or refused by itself. */
      readonly maybeBilled?: boolean;
      /**
       * Of our making: nothing was sent because this provider would need more than the request has, or the sandbox
       * was asked to fail. It tells nothing of the provider's health.
       */
      readonly excludedFromHealth?: true;
    };

/** The ID types that a provider serves, each with its levels. */
export type ServedIdTypes = Partial<Readonly<Record<IdType, readonly RegistryQuery['level'][]>>>;

export interface RegistryProvider {
  /** Lower case, as in configuration, tables and metrics. */
  readonly name: string;
  /** As in `summary.provider` (decision C3). */
  readonly displayName: string;
  /** What it serves; the router asks it for nothing else. */
  readonly idTypes: ServedIdTypes;
  lookUp(query: RegistryQuery): Promise<RegistryResult>;
}
