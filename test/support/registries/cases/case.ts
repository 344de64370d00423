import type { IdType } from '../../../../shared/core/id-types.ts';
import type { RegistryQuery, RegistryRecord, RegistryResult } from '../../../../shared/registries/port.ts';

/** The expected result of looking up each fixture's number, and the fields that we deliberately drop. */

export type FixtureQuery = Omit<RegistryQuery, 'deadlineMs'>;

export interface RequestDifference {
  /** The part of the documented path that the secret's `baseUrl` can contain, such as `/identitypass`. */
  readonly basePath?: string;
  /** The path that the adapter calls instead, without the base path. */
  readonly path?: string;
  /** Documented parameters that the adapter does not send, or sends with a different value. */
  readonly omits?: readonly string[];
  readonly reason: string;
}

export type FixtureCase =
  /** The sample is a response with a record, which the adapter returns as `record`. */
  | {
      readonly kind: 'found';
      readonly query: FixtureQuery;
      readonly record: RegistryRecord;
      readonly warning?: string;
      readonly request?: RequestDifference;
    }
  /** The sample is a failure with this result, whichever product returns it. */
  | {
      readonly kind: 'failure';
      readonly queries: readonly FixtureQuery[];
      readonly result: RegistryResult;
      readonly request?: RequestDifference;
    }
  /** The adapter does not use this product. `query` looks up its number and must not call it. */
  | { readonly kind: 'unused'; readonly reason: string; readonly query?: FixtureQuery };

export type FixtureCases = Readonly<Record<string, FixtureCase>>;

/** Fields that do not influence the result, with the reason. Without `products`, in all products of the provider. */
export interface DroppedFields {
  readonly products?: readonly string[];
  readonly reason: string;
  readonly fields: readonly string[];
}

export interface ProviderCases {
  readonly secret: Readonly<Record<string, string>>;
  /** By the fixture's name without the provider, such as `nin-basic.found`. */
  readonly cases: FixtureCases;
  readonly dropped: readonly DroppedFields[];
  /** Responses that the adapter needs besides the fixture, by method and path. */
  readonly besides?: Readonly<Record<string, unknown>>;
}

/** Returns a query for each ID type, for responses that a provider documents for all of its products. */
export function queriesOf(numbers: Partial<Readonly<Record<IdType, string>>>): readonly FixtureQuery[] {
  return (Object.entries(numbers) as [IdType, string][]).map(([idType, number]) => ({
    idType,
    number,
    level: 'basic',
    ...(idType === 'NUBAN' && { bankCode: '058' }),
  }));
}
