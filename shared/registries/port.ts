import type { IdType } from '../core/id-types.ts';
import type { QueriedBank } from './mapping/nuban.ts';
import type { BvnRecord } from './mapping/records/bvn.ts';
import type { CacRecord } from './mapping/records/cac.ts';
import type { NinRecord } from './mapping/records/nin.ts';
import type { NubanRecord } from './mapping/records/nuban.ts';
import type { TinRecord } from './mapping/records/tin.ts';

/**
 * The interface between the service and the providers: queries and all possible results. A failed look-up is a
 * result; a provider throws only because of a bug in our own code.
 */

export interface RegistryRecords {
  readonly NIN: NinRecord;
  readonly BVN: BvnRecord;
  readonly CAC: CacRecord;
  readonly TIN: TinRecord;
  readonly NUBAN: NubanRecord;
}
export type RegistryRecord = RegistryRecords[IdType];

export interface RegistryQuery extends QueriedBank {
  readonly idType: IdType;
  readonly level: 'basic' | 'premium';
  /** Well-formed (see numberFormat); never logged. */
  readonly number: string;
  /** The holder's names, for providers that look up people only with them; never logged. */
  readonly names?: { readonly firstname: string; readonly lastname: string };
  /** References that a provider may require. They are passed on and contain no identity data. */
  readonly consent?: string;
  readonly reason?: string;
  /** The ID of our request, for a provider that writes one to its own log. */
  readonly requestId?: string;
  /** The deadline for the result, in epoch milliseconds. */
  readonly deadlineMs: number;
}

/**
 * - `found`: a complete record with the documented field names and the number of the query. Views shorten it later.
 * - `not-found`: the registry has no such number.
 * - `failed`: the provider returned an error, or something that is not a valid record of this number (decision D7).
 * - `unreachable`: no connection, our account was rejected, or the provider or its source is down or too busy.
 * - `timeout`: no complete response before the deadline.
 */
export type RegistryResult =
  | {
      readonly kind: 'found';
      readonly record: RegistryRecord;
      /** A sentence for the response's message, such as a wrong NUBAN check digit. */
      readonly warning?: string;
    }
  | {
      readonly kind: 'not-found' | 'failed' | 'unreachable' | 'timeout';
      /** The reason, for the log: a provider's code or our classification. Never contains identity data. */
      readonly detail: string;
      /** Whether the provider may have received, and thus billed, the look-up even though it returned no result. */
      readonly maybeBilled?: boolean;
      /**
       * The result says nothing about the provider's health: nothing was sent because the request lacks something
       * that this provider requires, or a magic number made the sandbox fail.
       */
      readonly excludedFromHealth?: true;
    };

/** The ID types that a provider serves, with the levels of each. */
export type ServedIdTypes = Partial<Readonly<Record<IdType, readonly RegistryQuery['level'][]>>>;

export interface RegistryProvider {
  /** In lower case, as in configuration, tables and metrics. */
  readonly name: string;
  /** As shown to callers in `summary.provider` (decision C3). */
  readonly displayName: string;
  /** The router asks the provider for these only. */
  readonly idTypes: ServedIdTypes;
  /** Finds an account by its number, without a bank code. */
  readonly findsBankOfAccount?: true;
  /** Name enquiries are free, so that one request may ask for an account at many banks. */
  readonly hasFreeNameEnquiry?: true;
  lookUp(query: RegistryQuery): Promise<RegistryResult>;
}
