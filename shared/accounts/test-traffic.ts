import { DAY_SECONDS } from '../core/clock.ts';
import type { Row, RowUpdate } from '../core/database.ts';
import { attribute, change, joined, PRESENT, removal, rowUpdate, where } from '../core/expressions.ts';

/**
 * The budget for look-ups with test keys (docs/design/decisions/0010-test-traffic.md). Test keys work before an organisation
 * is approved, so anyone can get some, and a number that ends in 0504 occupies two function executions for 20 s. The
 * whole budget is in one row, so that one conditional update decides, however many requests arrive at once.
 */

interface TrafficLimit {
  readonly requestsPerSecond: number;
  /** Look-ups in progress. Each occupies two executions: that of its route and that of the sandbox registry. */
  readonly concurrentRequests: number;
}

/** The budget for all test keys of the stage together, and for those of each organisation. */
export interface TestTrafficLimits extends TrafficLimit {
  readonly perOrganisation: TrafficLimit;
}

/** One person may own five organisations, which together must not use up the share of those that are not approved. */
const UNAPPROVED_SHARE = 1 / 12;

/**
 * Returns the limits of an organisation that is not approved. Anyone can create some, so all of them together get half
 * of the stage's budget.
 */
export function limitsOfUnapproved({ perOrganisation, ...stage }: TestTrafficLimits): TestTrafficLimits {
  const partOf = (limit: TrafficLimit, part: number): TrafficLimit => ({
    requestsPerSecond: Math.max(1, Math.floor(limit.requestsPerSecond * part)),
    concurrentRequests: Math.max(1, Math.floor(limit.concurrentRequests * part)),
  });
  const share = partOf(stage, UNAPPROVED_SHARE);
  return {
    ...partOf(stage, 1 / 2),
    perOrganisation: {
      requestsPerSecond: Math.min(share.requestsPerSecond, perOrganisation.requestsPerSecond),
      concurrentRequests: Math.min(share.concurrentRequests, perOrganisation.concurrentRequests),
    },
  };
}

/** A look-up in progress: its entry in the row until it ends. */
export interface TestLease {
  readonly organisationId: string;
  /** `<epoch seconds at which it expires>.<a part of the operation ID>` */
  readonly id: string;
}

export interface TestTrafficRejection {
  readonly kind: 'rejected';
  readonly limit: 'test-traffic-organisation' | 'test-traffic-stage';
  readonly retryAfterSeconds: number;
}

/** A function runs for at most 28 s, so a lease that reaches this age belongs to an instance that was killed. */
const LEASE_SECONDS = 30;
/** The row expires a day after the last look-up with a test key. */
const ROW_SECONDS = DAY_SECONDS;
/** Look-ups in the sandbox end within milliseconds, except for numbers that make it slow. */
const BUSY_WAIT_SECONDS = 2;
const WINDOW_WAIT_SECONDS = 1;

/** Returns the name of the attribute with the leases of all organisations, or of one. */
const leasesAttribute = (organisationId?: string) => `p${ofOrganisation(organisationId)}`;
/** Returns the name of the attribute that counts this second's look-ups, for all organisations or for one. */
const countAttribute = (nowMs: number, organisationId?: string) =>
  `r${secondOf(nowMs)}${ofOrganisation(organisationId)}`;

const ofOrganisation = (organisationId?: string) =>
  organisationId === undefined ? '' : `#${organisationId}`;
const secondOf = (timeMs: number) => Math.floor(timeMs / 1000);

export function newLease(organisationId: string, operationId: string, nowMs: number): TestLease {
  return { organisationId, id: `${secondOf(nowMs) + LEASE_SECONDS}.${operationId.slice(-8)}` };
}

interface Level {
  readonly limit: TestTrafficRejection['limit'];
  readonly leases: string;
  readonly count: string;
  readonly most: TrafficLimit;
}

/** Returns the organisation's limit first, so that it is the one that is logged if both are reached. */
function levelsOf(limits: TestTrafficLimits, organisationId: string, nowMs: number): readonly [Level, Level] {
  const level = (limit: Level['limit'], most: TrafficLimit, organisation?: string): Level => ({
    limit,
    most,
    leases: leasesAttribute(organisation),
    count: countAttribute(nowMs, organisation),
  });
  return [
    level('test-traffic-organisation', limits.perOrganisation, organisationId),
    level('test-traffic-stage', limits),
  ];
}

/** Returns the rejection if the row does not allow another look-up, and otherwise undefined. */
export function rejection(
  limits: TestTrafficLimits,
  row: Row,
  organisationId: string,
  nowMs: number,
): TestTrafficRejection | undefined {
  for (const { limit, leases, count, most } of levelsOf(limits, organisationId, nowMs)) {
    const live = idsIn(row, leases).filter((id) => !isExpired(id, nowMs)).length;
    if (live >= most.concurrentRequests)
      return { kind: 'rejected', limit, retryAfterSeconds: BUSY_WAIT_SECONDS };
    if (Number(row[count] ?? 0) >= most.requestsPerSecond)
      return { kind: 'rejected', limit, retryAfterSeconds: WINDOW_WAIT_SECONDS };
  }
  return undefined;
}

/**
 * Returns the next update of a row that allows another look-up. The update takes the lease. If expired leases fill the
 * set, it removes them instead, because DynamoDB cannot leave them out of a count, or remove from a set and add to it
 * in the same update.
 */
export function nextUpdate(
  limits: TestTrafficLimits,
  row: Row,
  lease: TestLease,
  nowMs: number,
): RowUpdate & { readonly takes: boolean } {
  const levels = levelsOf(limits, lease.organisationId, nowMs);
  const isBlocked = levels.some(({ leases, most }) => idsIn(row, leases).length >= most.concurrentRequests);
  return isBlocked
    ? { takes: false, ...removalOfExpired(row, nowMs) }
    : { takes: true, ...takingUpdate(levels, row, lease, nowMs) };
}

function takingUpdate(levels: readonly [Level, Level], row: Row, lease: TestLease, nowMs: number): RowUpdate {
  const ids = new Set([lease.id]);
  const conditions = levels.map(({ leases, count, most }) => {
    const [set, total] = [attribute(leases), attribute(count)];
    return where`(attribute_not_exists(${set}) OR size(${set}) < ${most.concurrentRequests}) AND (attribute_not_exists(${total}) OR ${total} < ${most.requestsPerSecond})`;
  });
  const added = levels.map(
    ({ leases, count }) => change`${attribute(leases)} ${ids}, ${attribute(count)} ${1}`,
  );
  return rowUpdate(
    change`SET expiresAt = ${secondOf(nowMs) + ROW_SECONDS} ADD ${joined(added)} ${removal(staleCounts(row, nowMs))}`,
    joined(conditions, ' AND '),
  );
}

/** Returns the update that removes all expired leases. There must be at least one. */
function removalOfExpired(row: Row, nowMs: number): RowUpdate {
  const removed = Object.keys(row).flatMap((name) => {
    if (!/^p(?:#|$)/.test(name)) return [];
    const expired = idsIn(row, name).filter((id) => isExpired(id, nowMs));
    return expired.length > 0 ? change`${attribute(name)} ${new Set(expired)}` : [];
  });
  return rowUpdate(change`DELETE ${joined(removed)}`, PRESENT);
}

export function releaseUpdate({ organisationId, id }: TestLease): RowUpdate {
  const [all, own] = [attribute(leasesAttribute()), attribute(leasesAttribute(organisationId))];
  const ids = new Set([id]);
  return rowUpdate(change`DELETE ${all} ${ids}, ${own} ${ids}`, where`contains(${all}, ${id})`);
}

export function hasLease(row: Row, { id }: TestLease): boolean {
  return idsIn(row, leasesAttribute()).includes(id);
}

function idsIn(row: Row, attribute: string): string[] {
  const ids = row[attribute];
  return ids instanceof Set ? [...ids].map(String) : [];
}

function isExpired(id: string, nowMs: number): boolean {
  return Number.parseInt(id, 10) * 1000 <= nowMs;
}

/** Returns the attributes that count past seconds, except the previous second: the clocks of instances differ. */
function staleCounts(row: Row, nowMs: number): string[] {
  const current = secondOf(nowMs);
  return Object.keys(row).filter(
    (name) => /^r\d/.test(name) && Number.parseInt(name.slice(1), 10) < current - 1,
  );
}
