import * as v from 'valibot';
import { OUTCOMES } from '../core/outcome.ts';

/**
 * The rows of usage in the Console table. All are computed from log rows and statements, and can be computed again.
 * They contain no personal data: requests are only counted, by service, outcome, latency and label of the API key.
 */

const latency = v.record(v.string(), v.number());
const outcomes = v.record(v.picklist(OUTCOMES), v.object({ requests: v.number(), credits: v.number() }));

/** The requests of a day (Africa/Lagos) for one service and one API key. A request counts on the day it was made. */
export const usageRow = v.object({
  day: v.string(),
  service: v.string(),
  keyLabel: v.string(),
  /** Includes free replays. */
  requests: v.number(),
  /** Whole credits that were charged. */
  credits: v.number(),
  replays: v.number(),
  /** Adds up to `requests` and `credits`. */
  outcomes,
  /** Requests that queried a registry, by latency bucket (`latency.ts`). */
  latency,
  /** ISO time at which the count began. An older count never replaces a newer one. */
  countedAt: v.string(),
});
export type UsageRow = v.InferOutput<typeof usageRow>;

/**
 * The balance of a wallet at the end of a day (Africa/Lagos), and the charges of the day in its statement. Whole
 * credits.
 */
export const dayBalanceRow = v.object({
  day: v.string(),
  balance: v.number(),
  used: v.number(),
  countedAt: v.string(),
});
export type DayBalanceRow = v.InferOutput<typeof dayBalanceRow>;
export type DayBalance = Pick<DayBalanceRow, 'day' | 'balance' | 'used'>;

/** The progress of the count of a wallet. */
export const usageState = v.object({
  /** The first day (Africa/Lagos) that was counted. */
  countedFrom: v.string(),
  /** ISO time. Every request before it is counted, unless its log row was written later than usual. */
  countedUntil: v.string(),
  /** The day (Africa/Lagos) on which recent days (`LOOK_BACK_DAYS`) were last counted again. */
  reviewedOn: v.string(),
});
export type UsageState = v.InferOutput<typeof usageState>;

/** The live look-ups in a registry on a day (UTC), for one wallet or for all. */
const registryCounts = v.object({
  requests: v.number(),
  /** Look-ups that returned no result because of the registry. */
  failures: v.number(),
  latency,
});
export type RegistryCounts = v.InferOutput<typeof registryCounts>;

/** The live look-ups of one wallet on a day (UTC), by ID type. */
export const walletRegistriesRow = v.object({
  day: v.string(),
  types: v.record(v.string(), registryCounts),
  countedAt: v.string(),
});
export type WalletRegistriesRow = v.InferOutput<typeof walletRegistriesRow>;

/** The live look-ups of all wallets on a day (UTC), of one ID type. It names no organisation. */
export const registryDayRow = v.object({
  day: v.string(),
  ...registryCounts.entries,
  countedAt: v.string(),
});
export type RegistryDayRow = v.InferOutput<typeof registryDayRow>;
