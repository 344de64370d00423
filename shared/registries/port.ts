import type { IdType } from '../core/id-types.ts';
import type { SpecialNumber } from '../core/numbers.ts';
import type { PictureProblem } from './mapping/formats.ts';
import type { QueriedBank } from './mapping/nuban.ts';
import type { BvnRecord } from './mapping/records/bvn.ts';
import type { CacRecord } from './mapping/records/cac.ts';
import type { NinRecord } from './mapping/records/nin.ts';
import type { NubanRecord } from './mapping/records/nuban.ts';
import type { TinRecord } from './mapping/records/tin.ts';

/**
 * The interface between the service and the providers: queries and all possible results. A provider throws only because
 * of a bug in our own code. The sandbox also throws if it is throttled, or to simulate a bug.
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
  /** Well-formed (see numberFormat). Never logged. */
  readonly number: string;
  /** The holder's names, which some providers require to look up people. Never logged. */
  readonly names?: { readonly firstname: string; readonly lastname: string };
  /**
   * The caller's consent reference and reason, for providers that require them. Neither contains a number of 10 or more
   * digits.
   */
  readonly consent?: string;
  readonly reason?: string;
  readonly requestId?: string;
  /** Whose look-up it is. Never sent to a provider. */
  readonly organisationId?: string | undefined;
  /** Anyone can submit a profile, so failures of its look-ups do not count towards the provider's health. */
  readonly isOfProfile?: boolean;
  /** The deadline for the result, in epoch milliseconds. */
  readonly deadlineMs: number;
}

/**
 * - `found`: a complete record with the documented field names and the query's number. Views shorten it later.
 * - `not-found`: the registry has no such number.
 * - `failed`: the provider returned an error, or something that is not a valid record of this number (contract D7), or
 *   the request lacks something that the provider requires.
 * - `unreachable`: no connection, a missing or rejected account, or a provider or source that is down or too busy.
 * - `timeout`: no complete response before the deadline, or the provider reported a timeout.
 */
export type RegistryResult =
  | {
      readonly kind: 'found';
      readonly record: RegistryRecord;
      /** A sentence for the response's message, such as the warning about a wrong NUBAN check digit. */
      readonly warning?: string;
      /** Why a picture is missing, although the provider sent one. */
      readonly pictureProblem?: PictureProblem;
    }
  | {
      readonly kind: 'not-found' | 'failed' | 'unreachable' | 'timeout';
      /** The reason, for the log: a provider's code or our classification. Never contains identity data. */
      readonly detail: string;
      /** Whether the provider may have received and therefore billed the look-up, even though it returned no result. */
      readonly maybeBilled?: boolean;
      /**
       * Whether the result says nothing about the provider's health, because the request lacks something that this
       * provider requires and nothing was sent, because too little time was left, or
       * because a magic number made the sandbox simulate an outage.
       */
      readonly excludedFromHealth?: true;
    };

export type ServedIdTypes = Partial<Readonly<Record<IdType, readonly RegistryQuery['level'][]>>>;

export interface RegistryProvider {
  /** In lower case, as in configuration, tables and metrics. */
  readonly name: string;
  /** As shown to callers in `summary.provider` (contract C3). */
  readonly displayName: string;
  /** The router asks the provider only for these. */
  readonly idTypes: ServedIdTypes;
  /** The numbers of special kinds that the provider looks up. @default none */
  readonly specialNumbers?: readonly SpecialNumber[];
  readonly findsBankOfAccount?: true;
  /** Whether name enquiries are free, so that one request may ask many banks about an account. */
  readonly hasFreeNameEnquiry?: true;
  lookUp(query: RegistryQuery): Promise<RegistryResult>;
}
