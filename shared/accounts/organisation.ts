import * as v from 'valibot';
import { randomBase62 } from '../core/base62.ts';
import type { Environment } from '../core/environment.ts';

/** Organisations: who they are, what they may use and at which price. Pure rules and the row's schema. */

export const organisationStatus = v.picklist(['PENDING', 'APPROVED', 'SUSPENDED']);

/** An enabled service; `price` in whole credits overrides the catalogue's (decision E1). */
const enabledService = v.object({ price: v.optional(v.number()) });

export const rateLimit = v.object({
  /** Sustained requests per second. */
  perSecond: v.number(),
  /** Requests that may come at once. */
  burst: v.number(),
});
export type RateLimit = v.InferOutput<typeof rateLimit>;

/** Decision F1: 10 requests per second and key, 20 at once. */
export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 10, burst: 20 };

export const MAX_WALLET_SHARDS = 100;

export const organisation = v.object({
  id: v.string(),
  name: v.string(),
  status: organisationStatus,
  services: v.record(v.string(), enabledService),
  rateLimit,
  /** How many items one wallet is spread over (ledger design, "Scale"). */
  walletShards: v.number(),
  /** Its balance is low below so many credits. @default the stage's */
  lowBalanceCredits: v.optional(v.number()),
  createdAt: v.string(),
  /** Raised by every change, which is made on the condition that it is still the one that was read. */
  version: v.number(),
});
export type Organisation = v.InferOutput<typeof organisation>;

/** A new organisation: pending, nothing enabled, one wallet shard. */
export function newOrganisation(name: string, now: Date): Organisation {
  return {
    // Ten characters: they stand in the organisation's keys and in every row (decision B2).
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

/**
 * May this organisation be served in this environment? Test keys work before the approval, nothing works while it
 * is suspended (decision B3).
 */
export function isAdmitted(status: Organisation['status'], env: Environment): boolean {
  return status === 'APPROVED' || (status === 'PENDING' && env === 'test');
}

/** Is the service enabled? The test environment needs no subscriptions (decision B3). */
export function isSubscribed(services: Organisation['services'], service: string, env: Environment): boolean {
  return env === 'test' || Object.hasOwn(services, service);
}
