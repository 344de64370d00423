import { ID_TYPES, type IdType } from '../core/id-types.ts';
import { addLatencies, percentileMs } from './latency.ts';
import type { RegistryCounts, RegistryDayRow, WalletRegistriesRow } from './rows.ts';

/** Of a UTC day. */
export interface RegistryDay {
  readonly idType: IdType;
  readonly day: string;
  readonly requests: number;
  /** Null below 20 requests: a public page must not show those of a single customer. */
  readonly p95Ms: number | null;
}

const FEWEST_REQUESTS = 20;

export function registryDayOf(idType: IdType, { day, requests, latency }: RegistryDayRow): RegistryDay {
  return { idType, day, requests, p95Ms: requests < FEWEST_REQUESTS ? null : percentileMs(latency, 95) };
}

/** The public part of a day's figures. */
export function sumOfShares(shares: readonly WalletRegistriesRow[]): Map<IdType, RegistryCounts> {
  const sums = new Map<IdType, RegistryCounts>();
  for (const idType of ID_TYPES) {
    const own = shares.flatMap(({ types }) => types[idType] ?? []);
    if (own.length === 0) continue;
    sums.set(idType, {
      requests: own.reduce((sum, { requests }) => sum + requests, 0),
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
      latency: addLatencies(own.map(({ latency }) => latency)),
    });
  }
  return sums;
}
