import * as v from 'valibot';
import { OUTCOMES } from '../core/outcome.ts';

/** Computed from log rows and statements. No personal data: requests are only counted. */

const latency = v.record(v.string(), v.number());
const outcomes = v.record(v.picklist(OUTCOMES), v.object({ requests: v.number(), credits: v.number() }));

/** Of a day (Africa/Lagos), service and key, by the day the request was made. */
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
  /** Of requests that queried a registry, by bucket (`latency.ts`). */
  latency,
  /** ISO time. An older count never replaces a newer one. */
  countedAt: v.string(),
});
export type UsageRow = v.InferOutput<typeof usageRow>;

/** At the end of a day (Africa/Lagos), with its charges. Whole credits. */
export const dayBalanceRow = v.object({
  day: v.string(),
  balance: v.number(),
  used: v.number(),
  countedAt: v.string(),
});
export type DayBalanceRow = v.InferOutput<typeof dayBalanceRow>;
export type DayBalance = Pick<DayBalanceRow, 'day' | 'balance' | 'used'>;

export const usageState = v.object({
  /** The first day (Africa/Lagos) that was counted. */
  countedFrom: v.string(),
  /** ISO time. Requests before it are counted, unless their log row was late. */
  countedUntil: v.string(),
  /** The day (Africa/Lagos) of the last look-back. */
  reviewedOn: v.string(),
});
export type UsageState = v.InferOutput<typeof usageState>;

/** On a UTC day, live environment. */
const registryCounts = v.object({
  requests: v.number(),
  /** Without a result because of the registry. */
  failures: v.number(),
  latency,
});
export type RegistryCounts = v.InferOutput<typeof registryCounts>;

export const walletRegistriesRow = v.object({
  day: v.string(),
  types: v.record(v.string(), registryCounts),
  countedAt: v.string(),
});
export type WalletRegistriesRow = v.InferOutput<typeof walletRegistriesRow>;

/** It names no organisation. */
export const registryDayRow = v.object({
  day: v.string(),
  ...registryCounts.entries,
  countedAt: v.string(),
});
export type RegistryDayRow = v.InferOutput<typeof registryDayRow>;
