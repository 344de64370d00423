import * as v from 'valibot';
import { randomBase62 } from '../core/base62.ts';
import type { Environment } from '../core/environment.ts';

/** The row of an organisation and its rules: status, services and their prices, limits. */

const organisationStatus = v.picklist(['PENDING', 'APPROVED', 'SUSPENDED']);

/** An enabled service. It contains no price, because the console may enable services, but not set prices. */
const enabledService = v.object({});

const rateLimit = v.object({
  /** Sustained requests per second. */
  perSecond: v.number(),
  /** Requests that may arrive at once. */
  burst: v.number(),
});
export type RateLimit = v.InferOutput<typeof rateLimit>;

/** Per key (contract F1). */
export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 10, burst: 20 };

export const MAX_WALLET_SHARDS = 100;

export const organisation = v.object({
  id: v.string(),
  name: v.string(),
  /** Attributes with a default are optional, because the console cannot set them when it creates an organisation. */
  status: v.optional(organisationStatus, 'PENDING'),
  /** The services that are enabled for live keys. */
  services: v.optional(v.record(v.string(), enabledService), () => ({})),
  /**
   * Prices of services, in whole credits. They override the prices of the catalogue (contract E1). A price is kept
   * while its service is disabled.
   */
  prices: v.optional(v.record(v.string(), v.number())),
  rateLimit: v.optional(rateLimit, () => DEFAULT_RATE_LIMIT),
  /** The number of shards of each wallet (docs/design/ledger.md). */
  walletShards: v.optional(v.number(), 1),
  /** A balance below this number of credits is low. @default the stage's threshold */
  lowBalanceCredits: v.optional(v.number()),
  /** The licence of the Central Bank, or its exception, that permits the organisation to use BVN data. */
  bvnBasis: v.optional(v.string()),
  /** Why the organisation is suspended, for its members. */
  suspendedBecause: v.optional(v.string()),
  createdAt: v.string(),
  /** Incremented by every change. A change applies only if the version is still the one that was read. */
  version: v.number(),
});
export type Organisation = v.InferOutput<typeof organisation>;

/** Returns a new organisation: pending, nothing enabled, one wallet shard. */
export function newOrganisation(name: string, now: Date): Organisation {
  return {
    // Only ten characters, because the ID is part of API keys and of many row keys (contract B2).
    id: randomBase62(10),
    name,
    status: 'PENDING',
    services: {},
    rateLimit: DEFAULT_RATE_LIMIT,
    walletShards: 1,
    createdAt: now.toISOString(),
    version: 1,
  };
}

/** Returns the organisation's own price of a service in whole credits. Undefined if the catalogue's price applies. */
export function servicePrice({ prices }: Pick<Organisation, 'prices'>, service: string): number | undefined {
  return prices?.[service];
}

/**
 * Whether this organisation may use this environment. Test keys work before approval; nothing works while the
 * organisation is suspended (contract B3).
 */
export function isAdmitted(status: Organisation['status'], env: Environment): boolean {
  return status === 'APPROVED' || (status === 'PENDING' && env === 'test');
}

/** Whether the service is enabled. In the test environment, every service is (contract B3). */
export function isSubscribed(services: Organisation['services'], service: string, env: Environment): boolean {
  return env === 'test' || Object.hasOwn(services, service);
}

/**
 * Whether the operator has not yet recorded why the organisation may use BVN data. Since 1 May 2026, the Central Bank
 * permits it only to institutions with its licence or its exception.
 */
export function lacksBvnBasis(
  { bvnBasis }: Pick<Organisation, 'bvnBasis'>,
  services: readonly string[],
): boolean {
  return bvnBasis === undefined && services.some((service) => service.startsWith('bvn-'));
}
