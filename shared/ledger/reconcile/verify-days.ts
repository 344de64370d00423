import { dayPlus } from '../../core/accounting-month.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DAY_MS, HOUR_MS } from '../../core/clock.ts';
import { type Difference, dayOf, difference } from './rows.ts';
import {
  compareWithSeal,
  differingDays,
  emptySums,
  firstSealed,
  NO_SEALS,
  newHead,
  rowsOf,
  SEALED_AFTER_DAYS,
  type Seal,
  type SealHead,
  totalAfter,
} from './seal.ts';
import { firstDayOf, type WalletCheck } from './wallet-check.ts';

/** Sealed days that a run verifies in order. More than 1, or new days would never be reached. */
const LEAST_DAYS = 4;
/** Each day also costs this many rows, because its partitions are queried. */
const ROWS_OF_DAY = 10;
const CHUNK_DAYS = 8;
const RUN_WITHIN_MS = 2 * DAY_MS;

export function weightOf({ total }: SealHead): number {
  return total.charges + total.credits + total.logs + total.days * ROWS_OF_DAY;
}

/**
 * Compares sealed days with their rows: those with differences, a random day, and then each day after the last one
 * verified, until a share of all rows has been read. Returns false if time is up.
 */
export async function verifyDays(check: WalletCheck): Promise<boolean> {
  const { head, clock } = check;
  if (head.total.days === 0) return true;
  for (const day of head.differing.filter((name) => name.length === 'yyyy-mm-dd'.length)) {
    if (check.isOverTime) return false;
    await verifyAgain(check, day);
  }
  await verifyAgain(check, dayPlus(firstSealed(head), Math.floor(clock.random() * head.total.days)));
  const pending = await verifyInOrder(check);
  check.head = { ...check.head, pending };
  if (pending) await check.store(check.head);
  return pending === undefined;
}

async function verifyAgain(check: WalletCheck, day: string): Promise<void> {
  const { source, scope } = check;
  const [before, stored] = await Promise.all(
    [dayPlus(day, -1), day].map((one) => source.seals.getSeal(scope.wallet, one)),
  );
  await verify(check, day, stored, before);
}

async function verifyInOrder(check: WalletCheck): Promise<SealHead['pending']> {
  const { run } = check.settings;
  const { pending, total } = check.head;
  const whole = { run, rows: Math.ceil(check.settings.share * weightOf(check.head)), days: 0 };
  let { rows: left, days } = pending?.run === run ? pending : whole;
  const first = firstSealed(check.head);
  let day = check.head.verifiedUntil;
  let chunk = new Map<string, Seal>();
  for (; days < total.days && (left > 0 || days < LEAST_DAYS); days += 1) {
    if (check.isOverTime) return { run, rows: left, days };
    day = day < first || day >= check.head.sealedUntil ? first : dayPlus(day, 1);
    if (!chunk.has(day)) chunk = await readChunk(check, day);
    const rows = await verify(check, day, chunk.get(day), chunk.get(dayPlus(day, -1)));
    left -= rows + ROWS_OF_DAY;
    check.head = { ...check.head, verifiedUntil: day };
  }
  return undefined;
}

/** Reads the rows of each day that differs again. */
export async function compareSeals(check: WalletCheck, computed: ReadonlyMap<string, Seal>): Promise<void> {
  let previous: Seal | undefined;
  for await (const stored of check.source.seals.seals(check.scope.wallet, '0', '9')) {
    const { day } = stored;
    const before = previous?.day === dayPlus(day, -1) ? previous : undefined;
    const changed = compareWithSeal(stored, computed.get(day) ?? emptySums(), check.clock.nowMs());
    if (changed || totalDifferences(check, day, stored, before).length > 0)
      await verify(check, day, stored, before);
    previous = stored;
  }
}

async function readChunk({ source, scope }: WalletCheck, day: string): Promise<Map<string, Seal>> {
  const chunk = new Map<string, Seal>();
  const [from, to] = [dayPlus(day, -1), dayPlus(day, CHUNK_DAYS - 2)];
  for await (const seal of source.seals.seals(scope.wallet, from, to)) chunk.set(seal.day, seal);
  return chunk;
}

/** Returns how many rows it has. */
async function verify(
  check: WalletCheck,
  day: string,
  stored: Seal | undefined,
  before: Seal | undefined,
): Promise<number> {
  const isKnown = check.head.differing.includes(day) || (stored?.differences ?? 0) > 0;
  const { rows, differences } = await check.lookTwice(async (isSecond) => {
    const checked = await check.checkDay(day, undefined, isKnown || isSecond);
    const nowMs = check.clock.nowMs();
    const changed = stored && compareWithSeal(stored, checked.sums, nowMs);
    const ofSeal = changed ? [sealDifference(check, day, changed.expected, changed.found)] : [];
    const differences = [...checked.differences, ...ofSeal, ...totalDifferences(check, day, stored, before)];
    return { rows: checked.rows, differences };
  });
  // A day may be verified twice, but its differences are reported once.
  const known = new Set(check.found.map((one) => JSON.stringify(one)));
  check.found.push(...differences.filter((one) => !known.has(JSON.stringify(one))));
  const others = check.head.differing.filter((name) => name !== day);
  const differing = differences.length > 0 ? differingDays([...others, day]) : others;
  check.head = { ...check.head, differing };
  return rows;
}

function totalDifferences(
  check: WalletCheck,
  day: string,
  stored: Seal | undefined,
  before: Seal | undefined,
): Difference[] {
  if (!stored) return [sealDifference(check, day, 'a seal', 'none')];
  const [earliest = ''] = [before?.sealedAt ?? '', dayPlus(day, SEALED_AFTER_DAYS)].sort().reverse();
  const isEarly = stored.sealedAt < earliest;
  const ofTime = isEarly ? [sealDifference(check, day, `sealed after ${earliest}`, stored.sealedAt)] : [];
  const isFirst = day === firstSealed(check.head);
  const previous = before?.total ?? (isFirst ? NO_SEALS : undefined);
  const [expected, found] = [previous && totalAfter(previous, stored), stored.total].map((total) =>
    JSON.stringify(total && Object.entries(total).sort()),
  );
  if (expected === found) return ofTime;
  return [...ofTime, sealDifference(check, day, expected ?? 'a seal of the day before', found ?? '')];
}

/**
 * The head repeats the last seal. If it does not, or cannot be read, the run continues from that seal, because no day is
 * sealed twice. Returns false if another invocation checks the wallet.
 */
export async function checkHead(check: WalletCheck): Promise<boolean> {
  const { source, scope, head } = check;
  const { wallet } = scope;
  const isNew = head.version === 0;
  const lastFrom = async (first: string) => {
    let last: Seal | undefined;
    for await (const one of source.seals.seals(wallet, first, '9')) last = one;
    return last;
  };
  const last = (await lastFrom(isNew ? '0' : head.sealedUntil)) ?? (isNew ? undefined : await lastFrom('0'));
  if (!last && isNew) {
    if (await hadHead(check))
      check.found.push(sealDifference(check, dayOf(check.clock.nowMs()), 'a head', 'none'));
    return true;
  }
  const { sealedUntil, total, lastRows } = last
    ? { sealedUntil: last.day, total: last.total, lastRows: rowsOf(last) }
    : newHead(dayPlus(firstDayOf(scope), -1));
  const verifiedUntil = head.verifiedUntil > sealedUntil ? '' : head.verifiedUntil;
  const repaired = { ...head, sealedUntil, total, lastRows, verifiedUntil };
  const [expected, found] = [repaired, head].map((one) =>
    canonicalJson({
      until: one.sealedUntil,
      total: one.total,
      rows: one.lastRows,
      verified: one.verifiedUntil,
    }),
  );
  if (expected === found) return true;
  const [now] = await source.seals.getHeads([wallet]);
  if ((now?.version ?? 0) !== head.version) return false;
  check.found.push(sealDifference(check, sealedUntil, expected ?? '', isNew ? 'no head' : (found ?? '')));
  check.head = repaired;
  return true;
}

/** Each run stores one for each wallet. */
async function hadHead({ source, scope, settings, clock }: WalletCheck): Promise<boolean> {
  const { wallet, createdAt } = scope;
  if (Date.parse(createdAt) + HOUR_MS < Date.parse(settings.previousRun ?? '')) return true;
  const closed = (await source.closedMonths?.listClosedMonths(wallet)) ?? [];
  return closed.some(({ startedAt }) => Date.parse(startedAt) + RUN_WITHIN_MS < clock.nowMs());
}

function sealDifference({ scope }: WalletCheck, day: string, expected: string, found: string): Difference {
  return difference('sealed-day', scope.wallet, { day }, expected, found);
}
