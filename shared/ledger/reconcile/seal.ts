import * as v from 'valibot';
import { dayPlus } from '../../core/accounting-month.ts';
import { canonicalSha256 } from '../../core/canonical-json.ts';
import { DAY_SECONDS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { RECONCILIATION_KEY, sealHeadKey, sealKey } from '../../core/keys.ts';
import { type MonthTally, NO_LINES } from './closed-months.ts';
import { spans } from './day-spans.ts';
import { walletOf } from './rows.ts';
import { emptyTally, tally, tallyText, xorOf } from './tally.ts';

/**
 * The rows of a past day no longer change, so the daily reconciliation reads them once and stores their sums in a seal.
 * Later runs continue from the last seal and read the rows of some sealed days again.
 */

const monthTally = v.object({
  toppedUp: v.number(),
  corrected: v.number(),
  charged: v.number(),
  lines: v.number(),
  /** Absent in seals of earlier versions. */
  linesXor: v.optional(v.string()),
});

const daySums = v.object({
  /** By the day of the decision. */
  charges: tally,
  /** By the day of the booking. */
  credits: tally,
  /** By the day of the request. */
  logs: tally,
  /** A UTC day may fall into two months. */
  months: v.record(v.string(), monthTally),
  /** By the day of the request (Africa/Lagos). */
  requested: v.record(v.string(), v.number()),
  /** The same by service and key (`usageSum`). Absent in seals of earlier versions. */
  usageSums: v.optional(v.record(v.string(), v.string())),
  /** Absent in seals of earlier versions, and if there are too many. */
  spans: v.optional(spans),
  /** Epoch seconds. */
  logsExpireAt: v.optional(v.number()),
});
export type DaySums = v.InferOutput<typeof daySums>;

export const sealTotal = v.object({
  days: v.number(),
  /** Number of rows. */
  charges: v.number(),
  credits: v.number(),
  logs: v.number(),
  charged: v.number(),
  /** The sum of all credit rows. */
  paid: v.number(),
});
type SealTotal = v.InferOutput<typeof sealTotal>;

export const seal = v.object({
  /** `yyyy-mm-dd`, UTC. */
  day: v.string(),
  ...daySums.entries,
  /** `paid` - `charged` is the balance at the end of the day. */
  total: sealTotal,
  differences: v.number(),
  sealedAt: v.string(),
});
export type Seal = v.InferOutput<typeof seal>;

export const sealHead = v.object({
  /** If no day is sealed yet, the day before the first day to be sealed. */
  sealedUntil: v.string(),
  total: sealTotal,
  lastRows: v.number(),
  /** The next run continues after it. */
  verifiedUntil: v.string(),
  /** What is left if an invocation ran out of time. */
  pending: v.optional(v.object({ run: v.string(), rows: v.number(), days: v.number() })),
  /** Days that each run reads again. */
  differing: v.array(v.string()),
  recomputed: v.optional(v.string()),
  /** The last run that checked the wallet. */
  run: v.string(),
  version: v.number(),
});
export type SealHead = v.InferOutput<typeof sealHead>;

const scanPosition = v.object({ next: v.number(), segments: v.number(), rows: v.number() });
export type ScanPosition = v.InferOutput<typeof scanPosition>;

/** The progress of the daily reconciliation. */
export const reconciliationRun = v.object({
  /** ISO time; it also identifies the run. */
  startedAt: v.string(),
  /** Of the run before. */
  previousAt: v.optional(v.string()),
  completedAt: v.optional(v.string()),
  differences: v.number(),
  wallets: v.number(),
  rows: v.number(),
  walletsScan: scanPosition,
  logsScan: scanPosition,
  version: v.number(),
});
export type ReconciliationRun = v.InferOutput<typeof reconciliationRun>;

/** In place of one that cannot be read. No time is a valid one. */
export function unreadableRun(version: number): ReconciliationRun {
  const scan = { next: 0, segments: 1, rows: 0 };
  const counts = { differences: 0, wallets: 0, rows: 0 };
  return { startedAt: '', ...counts, walletsScan: scan, logsScan: scan, version };
}

/** The sums of a day without rows. */
export function emptySums(): DaySums {
  return {
    charges: emptyTally(),
    credits: emptyTally(),
    logs: emptyTally(),
    months: {},
    requested: {},
    spans: [],
  };
}

/** Absent amounts count as 0, and absent `lines` as 1. */
export function addMonth(
  to: Record<string, MonthTally>,
  month: string,
  { toppedUp = 0, corrected = 0, charged = 0, lines = 1, linesXor }: Partial<MonthTally>,
): void {
  const old = to[month] ?? NO_LINES;
  to[month] = {
    toppedUp: old.toppedUp + toppedUp,
    corrected: old.corrected + corrected,
    charged: old.charged + charged,
    lines: old.lines + lines,
    linesXor: xorOf(old.linesXor, linesXor),
  };
}

export const NO_SEALS: SealTotal = { days: 0, charges: 0, credits: 0, logs: 0, charged: 0, paid: 0 };

/** Absent amounts count as 0, and absent `lines` as 1. */
export function newHead(dayBefore: string): SealHead {
  return {
    sealedUntil: dayBefore,
    total: NO_SEALS,
    lastRows: 0,
    verifiedUntil: '',
    differing: [],
    run: '',
    version: 0,
  };
}

/** `dayBefore` is the day before the wallet's first day. */
export function totalAfter(before: SealTotal, { charges, credits, logs }: DaySums): SealTotal {
  return {
    days: before.days + 1,
    charges: before.charges + charges.count,
    credits: before.credits + credits.count,
    logs: before.logs + logs.count,
    charged: before.charged + charges.credits,
    paid: before.paid + credits.credits,
  };
}

/** Every day from it to `sealedUntil` has a seal. */
export function firstSealed({ sealedUntil, total }: SealHead): string {
  return dayPlus(sealedUntil, 1 - total.days);
}

export function rowsOf({ charges, credits, logs }: DaySums): number {
  return charges.count + credits.count + logs.count;
}

/** Rows are written later than that only after a fault. */
export const SEALED_AFTER_DAYS = 2;

const MAX_DIFFERING = 31;

/** Returns the newest 31 of these days, in order. */
export function differingDays(days: readonly string[]): string[] {
  return [...new Set(days)].sort().slice(-MAX_DIFFERING);
}

/**
 * Returns a summary of both if the rows of a sealed day differ from its seal. Log rows are compared until the first may
 * have expired.
 */
export function compareWithSeal(
  stored: Seal,
  found: DaySums,
  nowMs: number,
): { readonly expected: string; readonly found: string } | undefined {
  // The comparison ends a day early, because log rows could expire while they are read.
  const hasLogs = nowMs < ((stored.logsExpireAt ?? Number.POSITIVE_INFINITY) - DAY_SECONDS) * 1000;
  const hasEnd = stored.logsExpireAt !== undefined && tallyText(stored.logs) === tallyText(found.logs);
  const textOf = (sums: DaySums) =>
    sumsText({ ...sums, months: withXor(sums.months, stored.months) }, hasLogs) +
    (hasEnd ? `, logs until ${sums.logsExpireAt}` : '') +
    (stored.usageSums ? `, usage ${canonicalSha256(sums.usageSums ?? {}).slice(0, 12)}` : '') +
    (stored.spans ? `, spans ${canonicalSha256(sums.spans ?? []).slice(0, 12)}` : '');
  const [before, now] = [textOf(stored), textOf(found)];
  return before === now ? undefined : { expected: before, found: now };
}

/** Without the hashes that the seal does not have. */
function withXor(months: DaySums['months'], stored: DaySums['months']): DaySums['months'] {
  return Object.fromEntries(
    Object.entries(months).map(([month, { linesXor, ...tally }]) => [
      month,
      stored[month]?.linesXor === undefined ? tally : { ...tally, linesXor },
    ]),
  );
}

function sumsText({ charges, credits, logs, months, requested }: DaySums, hasLogs: boolean): string {
  const ofMonths = canonicalSha256({ months, requested }).slice(0, 12);
  const parts = [`charges ${tallyText(charges)}`, `credits ${tallyText(credits)}`, `months ${ofMonths}`];
  return (hasLogs ? [...parts, `logs ${tallyText(logs)}`] : parts).join(', ');
}

const storedRow = v.union([seal, sealHead, reconciliationRun]);

/** Whether an item of Wallets is a seal, which is not a money row. */
export function isSealRow(item: Row): boolean {
  const wallet = walletOf(item);
  const { pk, sk, day } = item;
  if (!wallet || !v.safeParse(storedRow, item).success) return false;
  const keys = [sealHeadKey(wallet), RECONCILIATION_KEY, sealKey(wallet, String(day))];
  return keys.some((key) => key.pk === pk && key.sk === sk);
}
