import { createHmac } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import type { Violation } from '../../ledger/checker/check.ts';
import { CANARIES, type Json, type SeenEndpoint, type SeenPost, type WebhookEvidence } from './evidence.ts';

/** Checks what the webhook documentation promises. Shares no code with the service. */

const SECOND_MS = 1_000;
/** docs/guides/webhooks.md, "Retries". */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR_MS),
];
const mostAttempts = (row: Readonly<Record<string, unknown>>) =>
  String(row['eventId']).startsWith('test_') ? 1 : 10;
const OLD_SECRET_MS = DAY_MS;
/**
 * How late an attempt may be. 15 minutes is enough, because a wait for a lease takes at most a minute and there are
 * few deliveries.
 */
const SLACK_MS = 15 * MINUTE_MS;

export function checkDeliveries(evidence: WebhookEvidence): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  for (const check of [everyEvent, owners, signatures, leases, schedule, ends, gone, tests, hygiene])
    check(evidence, report);
  return violations;
}

type Report = (rule: string, detail: string) => void;
const bodyOf = (post: SeenPost): Json => JSON.parse(post.body) as Json;
const endpointOf = ({ endpoints }: WebhookEvidence, url: string) =>
  endpoints.find(({ urls }) => urls.includes(url));
const deliveriesOf = ({ rows }: WebhookEvidence) =>
  rows.filter(({ sk }) => String(sk).startsWith('DELIVERY#'));
const postsOf = (evidence: WebhookEvidence, row: Json) =>
  evidence.posts
    .filter(({ headers }) => headers['webhook-id'] === row['eventId'])
    .filter(({ url }) => endpointOf(evidence, url)?.id === row['endpointId'])
    .sort((a, b) => a.atMs - b.atMs);

/**
 * Checks that every published event has one delivery to each endpoint that chose it, and that every delivery ends
 * visibly.
 */
function everyEvent(evidence: WebhookEvidence, report: Report): void {
  const deliveries = deliveriesOf(evidence);
  for (const event of evidence.events) {
    const { completedAtMs } = event;
    if (completedAtMs === undefined) {
      report('every event is started', event.id);
      continue;
    }
    for (const endpoint of evidence.endpoints) {
      const found = deliveries.filter(
        (row) => row['endpointId'] === endpoint.id && row['eventId'] === event.id,
      );
      if (found.length > 1) report('an event has one delivery for each endpoint', event.id);
      const isChosen = event.owners.includes(endpoint.owner) && endpoint.types.includes(event.type);
      if (!isChosen && found.length > 0)
        report('only chosen events are delivered', `${event.id} ${endpoint.id}`);
      // An endpoint need not receive events after a change other than a rotation, or if it ever responded with 410.
      const isStable =
        endpoint.createdAtMs < event.startedAtMs &&
        !endpoint.changes.some(({ atMs, act }) => act !== 'rotate' && atMs <= completedAtMs) &&
        !evidence.posts.some((post) => post.result === 'gone' && endpoint.urls.includes(post.url));
      if (isChosen && isStable && found.length === 0)
        report('every event has a delivery', `${event.id} ${endpoint.id}`);
    }
  }
  for (const row of deliveries) visibleEnd(evidence, row, report);
}

function visibleEnd(evidence: WebhookEvidence, row: Json, report: Report): void {
  const name = `${row['id']} (${row['state']}, round ${row['round']})`;
  const received = postsOf(evidence, row).filter(({ result }) => result === 'ok');
  if (row['state'] === 'DELIVERED' && received.length === 0)
    report('a DELIVERED delivery was received', name);
  if (row['state'] === 'PENDING' && !isShownAsFailed(evidence, row)) report('every delivery ends', name);
}

/**
 * The console shows a delivery as FAILED if its next attempt is more than a day overdue. Only an interrupted run or
 * action may leave such a delivery.
 */
function isShownAsFailed(evidence: WebhookEvidence, row: Json): boolean {
  const isOverdue = evidence.endMs - Number(row['dueMs']) > DAY_MS;
  const event = evidence.events.find(({ id }) => id === row['eventId']);
  const isInterrupted = [row['id'], row['endpointId']].some((id) => evidence.interrupted.has(String(id)));
  return isOverdue && (isInterrupted || (row['attempts'] === 0 && (event?.openRuns ?? 0) > 0));
}

/** Checks that no request leaves its organisation and environment. */
function owners(evidence: WebhookEvidence, report: Report): void {
  for (const post of evidence.posts) {
    const endpoint = endpointOf(evidence, post.url);
    const { id, environment, type } = bodyOf(post);
    if (!endpoint) {
      report('requests go to addresses of endpoints', post.url);
      continue;
    }
    if (id !== post.headers['webhook-id']) report('the body contains the ID in the header', String(id));
    const event = evidence.events.find((one) => one.id === id);
    if (event && !event.owners.includes(endpoint.owner))
      report('events are sent only to their owners', `${id}`);
    if (!event && type !== 'test') report('only published events are sent', `${id}`);
    if (!endpoint.owner.startsWith(`${environment}#`)) report('environments do not mix', `${id}`);
  }
}

/**
 * Checks that each request is signed with the endpoint's current secret and, for 24 hours after a rotation, also with
 * the previous one.
 */
function signatures(evidence: WebhookEvidence, report: Report): void {
  for (const post of evidence.posts) {
    const endpoint = endpointOf(evidence, post.url);
    const timestamp = Number(post.headers['webhook-timestamp']);
    if (Math.abs(timestamp * SECOND_MS - post.atMs) > 2 * SECOND_MS)
      report('the timestamp is the time of the attempt', post.url);
    if (!endpoint || endpoint.hasUnknownSecret || endpoint.secrets.length === 0) continue;
    const given = String(post.headers['webhook-signature']).split(' ');
    const expected = expectedSecrets(endpoint, post.atMs).map((secret) => signed(post, secret));
    if (!expected.some((alternative) => alternative.every((one) => given.includes(one))))
      report('the signature is valid', `${post.headers['webhook-id']} ${endpoint.id}`);
    if (given.length > 2 || given.length > endpoint.secrets.length)
      report('only valid secrets are used for signatures', endpoint.id);
  }
}

function signed(post: SeenPost, secrets: readonly string[]): string[] {
  const content = `${post.headers['webhook-id']}.${post.headers['webhook-timestamp']}.${post.body}`;
  return secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
}

/**
 * Returns the alternative lists of secrets that must sign. A request sent shortly after a rotation began may still use
 * the earlier secrets, so there is one list for each number of recent rotations that it may have missed.
 */
function expectedSecrets({ secrets }: SeenEndpoint, atMs: number): string[][] {
  const known = secrets.filter(({ fromMs }) => fromMs <= atMs);
  const recent = known.slice(1).filter(({ fromMs }) => atMs < fromMs + 10 * MINUTE_MS).length;
  return Array.from({ length: recent + 1 }, (_, unknown) => {
    const [last, before] = known.slice(0, known.length - unknown).reverse();
    const isOld = before && last && atMs < last.fromMs + OLD_SECRET_MS - MINUTE_MS;
    return [...(last ? [last.text] : []), ...(isOld ? [before.text] : [])];
  });
}

/** Checks that an endpoint receives at most two requests at once. */
function leases(evidence: WebhookEvidence, report: Report): void {
  for (const { id, urls } of evidence.endpoints) {
    const own = evidence.posts.filter(({ url }) => urls.includes(url));
    for (const { atMs } of own) {
      const current = own.filter((other) => other.atMs <= atMs && atMs < other.endMs);
      if (current.length > 2) report('an endpoint receives at most two requests at once', id);
    }
  }
}

/**
 * Checks that no attempt is early and, in a calm history, that none is late and nothing is sent again after it was
 * received. Skips deliveries that were resent.
 */
function schedule(evidence: WebhookEvidence, report: Report): void {
  for (const row of deliveriesOf(evidence)) {
    // A resend begins the schedule again, at any time.
    if (row['round'] !== 1) continue;
    const posts = postsOf(evidence, row);
    if (posts.length > mostAttempts(row)) report('a delivery has at most ten attempts', String(row['id']));
    for (const [index, post] of posts.slice(1).entries()) {
      const before = posts[index];
      const wait = WAITS_MS[index] ?? 0;
      const gap = post.atMs - (before?.atMs ?? 0);
      if (gap < 0.9 * wait - SECOND_MS)
        report('no attempt is early', `${row['id']} attempt ${index + 2} after ${gap} ms`);
      if (evidence.isCalm && gap > 1.1 * wait + SLACK_MS)
        report('no attempt is late', `${row['id']} attempt ${index + 2}`);
      if (evidence.isCalm && before?.result === 'ok')
        report('a delivery that was received is not sent again', String(row['id']));
    }
    const first = posts[0];
    const createdAtMs = Date.parse(String(row['createdAt']));
    if (evidence.isCalm && first && first.atMs - createdAtMs > SLACK_MS)
      report('no attempt is late', String(row['id']));
  }
}

/**
 * Checks that a delivery fails only after its last attempt or a 410, and is cancelled only if its endpoint was disabled
 * or deleted.
 */
function ends(evidence: WebhookEvidence, report: Report): void {
  for (const row of deliveriesOf(evidence)) {
    const { id, state, attemptInRound, reason } = row;
    const posts = postsOf(evidence, row);
    if (state === 'FAILED' && reason !== 'GONE' && attemptInRound !== mostAttempts(row))
      report('a FAILED delivery has ten attempts', String(id));
    if (state === 'FAILED' && reason === 'GONE' && !posts.some(({ result }) => result === 'gone'))
      report('a delivery with the reason GONE received a 410', String(id));
    if (evidence.isCalm && row['round'] === 1 && posts.length !== row['attempts'])
      report('every attempt is counted', String(id));
    const endpoint = evidence.endpoints.find((one) => one.id === row['endpointId']);
    const isAffected =
      endpoint?.changes.some(({ act }) => act === 'disable' || act === 'delete') ||
      evidence.posts.some(({ result, url }) => result === 'gone' && endpoint?.urls.includes(url));
    if (state === 'CANCELLED' && !isAffected) report('a delivery is CANCELLED only for a reason', String(id));
  }
}

/** In a calm history, checks that after a 410 response an endpoint receives nothing until a member changes it. */
function gone(evidence: WebhookEvidence, report: Report): void {
  if (!evidence.isCalm) return;
  for (const { id, urls, changes } of evidence.endpoints) {
    const own = evidence.posts.filter(({ url }) => urls.includes(url));
    for (const post of own.filter(({ result }) => result === 'gone')) {
      const next = own.find((other) => other.atMs > post.endMs + SECOND_MS);
      if (!next) continue;
      // If the endpoint changed while the request was on its way, the 410 may concern its earlier state.
      const isChanged = changes.some(({ atMs }) => atMs > post.atMs - MINUTE_MS && atMs <= next.atMs);
      if (!isChanged) report('a 410 disables the endpoint', id);
    }
  }
}

/** Checks that each test that the console accepted has one delivery. */
function tests(evidence: WebhookEvidence, report: Report): void {
  for (const { id, endpoint } of evidence.tests) {
    const found = deliveriesOf(evidence).filter(
      (row) => row['eventId'] === id && row['endpointId'] === endpoint,
    );
    if (found.length !== 1) report('every test has a delivery', id);
  }
}

/**
 * Checks that no body, row or log contains identity data, that no row or log contains a secret, and that no log
 * contains an address. Also checks that every write has a condition, that no message becomes a dead letter and, in a
 * calm history, that every message is handled.
 */
function hygiene(evidence: WebhookEvidence, report: Report): void {
  const bodies = evidence.posts.map(({ body }) => body);
  const rows = evidence.rows.map((row) => JSON.stringify({ ...row, url: '' }));
  const logs = [...evidence.logs];
  const secrets = evidence.endpoints.flatMap((one) => one.secrets.map(({ text }) => text.slice(6)));
  for (const text of [...bodies, ...rows, ...logs])
    for (const canary of CANARIES)
      if (text.includes(canary)) report('no identity data is stored, sent or logged', canary);
  for (const text of [...rows, ...logs])
    if (secrets.some((secret) => text.includes(secret)))
      report('no secret is stored or logged', text.slice(0, 80));
  // A resend is a transaction, so an attempt may conflict with it even without faults. The message is then received
  // again.
  const unhandled = logs.filter((line) => line.includes('was not handled') && !line.includes('Conflict'));
  if (evidence.isCalm && unhandled.length > 0) report('every message is handled', String(unhandled[0]));
  if (logs.some((line) => line.includes('.example/'))) report('no address is logged', '');
  if (evidence.unconditionalWrites > 0) report('every write has a condition', '');
  if (evidence.deadLetters > 0) report('no message becomes a dead letter', String(evidence.deadLetters));
}
