import type { Mutant, Patch } from '../ledger/mutation/mutant.ts';

/** Broken variants of the webhook code. The histories must detect each. */

const patch = (file: string, find: string, replace: string): Patch => ({
  file: `shared/webhooks/${file}`,
  find,
  replace,
});

const mutant = (name: string, first: Patch, ...others: Patch[]): Mutant => ({
  name,
  patches: [first, ...others],
});

export const WEBHOOK_MUTANTS: readonly Mutant[] = [
  mutant(
    'a lease is taken without a condition',
    // Joined, because the texts to find contain template placeholders.
    patch('lease-table.ts', ['attribute_not_exists($', '{lease})'].join(''), 'attribute_not_exists(nothing)'),
    patch('endpoint.ts', '(row[name]?.untilMs ?? 0) < nowMs', 'nowMs > 0'),
  ),
  mutant(
    'a returned lease takes the other one with it',
    patch(
      'lease-table.ts',
      'removal([name]), isHeld',
      "removal(['leaseA', 'leaseB']), where`attribute_exists(pk)`",
    ),
  ),
  mutant(
    'an attempt is not claimed',
    patch(
      'attempt-table.ts',
      ['where`$', '{isSame(row)} AND ($', '{isFree})`'].join(''),
      ['where`attribute_exists(pk) OR $', '{isSame(row)} OR $', '{isFree}`'].join(''),
    ),
    patch('deliver.ts', 'if (busyUntilMs >= now) return', 'if (busyUntilMs < 0) return'),
  ),
  mutant(
    'a wrong secret signs',
    patch(
      'signature.ts',
      "['webhook', env, organisationId, id, version]",
      "['webhook', env, organisationId, version]",
    ),
    patch(
      'deliver.ts',
      'endpointSecret(endpoint, one, known)',
      "endpointSecret({ ...endpoint, organisationId: 'other' }, one, known)",
    ),
  ),
  mutant(
    'the old secret stops at once',
    patch('endpoint.ts', 'previousSecret && nowMs < previousSecret.untilMs', 'previousSecret && nowMs < 0'),
  ),
  mutant(
    'the old secret signs alone for 24 hours',
    patch('endpoint.ts', '? [secret, previousSecret] : [secret]', '? [previousSecret] : [secret]'),
  ),
  mutant(
    'a lost response rotates twice',
    patch(
      'manage-endpoints.ts',
      'before.secret.version > secret.version',
      'before.secret.version < secret.version',
    ),
  ),
  mutant(
    'an old time is signed',
    patch('deliver.ts', 'timestamp: Math.floor(now / 1000)', 'timestamp: Math.floor(now / 1000) - 300'),
  ),
  mutant(
    'live events go to test endpoints',
    patch(
      'start-deliveries.ts',
      'await deps.endpoints.listEndpoints(event)',
      "await deps.endpoints.listEndpoints({ ...event, env: 'test' })",
    ),
    patch(
      'start-deliveries.ts',
      'const row = newDelivery(event, to, deps.nowMs());',
      'const row = newDelivery({ ...event, env: to.env }, to, deps.nowMs());',
    ),
  ),
  mutant(
    'test events are published as live ones',
    patch('start-webhooks.ts', 'return env;', "return 'live';"),
  ),
  mutant(
    'events go to another organisation',
    patch(
      'start-deliveries.ts',
      'await deps.endpoints.listEndpoints(event)',
      "await deps.endpoints.listEndpoints({ ...event, organisationId: 'ORG-0' })",
    ),
    patch(
      'start-deliveries.ts',
      'const row = newDelivery(event, to, deps.nowMs());',
      'const row = newDelivery({ ...event, organisationId: to.organisationId }, to, deps.nowMs());',
    ),
  ),
  mutant(
    'all events go to each endpoint',
    patch(
      'endpoint.ts',
      "state === 'ENABLED' && eventTypes.includes(type)",
      "state === 'ENABLED' && type !== undefined && eventTypes.length > 0",
    ),
  ),
  mutant(
    'waits of the schedule are skipped',
    patch(
      'schedule.ts',
      'RETRY_WAITS_MS[attempts - 1]',
      'RETRY_WAITS_MS[attempts > 2 ? RETRY_WAITS_MS.length : 0]',
    ),
  ),
  mutant(
    'retries come early',
    patch('schedule.ts', 'nowMs + Math.round(waitMs * (', 'nowMs + Math.round((waitMs / 2) * ('),
  ),
  mutant(
    'retries come late',
    patch('schedule.ts', 'nowMs + Math.round(waitMs * (', 'nowMs + Math.round(waitMs * (1 / 2 + '),
  ),
  mutant(
    'a message is tried before it is due',
    patch('deliver.ts', 'if (delivery.dueMs > now) return', 'if (delivery.dueMs < 0) return'),
    patch(
      'deliver.ts',
      "return { kind: 'hide', seconds: hiddenSeconds(result.dueMs ?? now, nowMs()) };",
      "return { kind: 'hide', seconds: 1 };",
    ),
  ),
  mutant('a message is hidden for longer than SQS permits', patch('schedule.ts', '11 * 3600', '48 * 3600')),
  mutant(
    'an event that is published twice is delivered twice',
    patch(
      'delivery-table.ts',
      'put(tableName, item, ABSENT)',
      'put(tableName, item, where`attribute_not_exists(pk) OR attribute_exists(pk)`)',
    ),
  ),
  mutant(
    'a run that continues an interrupted one sends no message',
    patch('start-deliveries.ts', 'if (hasNoAttempts) await', 'if (hasNoAttempts && isNew) await'),
  ),
  mutant(
    '410 is a failure like any other',
    patch(
      'deliver.ts',
      "if (posted.kind === 'failed' && posted.reason === 'GONE') await",
      "if (posted.kind === 'failed' && posted.reason === 'TLS_FAILED') await",
    ),
  ),
  mutant(
    'a disabled endpoint receives waiting deliveries',
    patch(
      'deliver.ts',
      "if (endpoint.state === 'DISABLED') return",
      "if (endpoint.state === 'DELETED') return",
    ),
    patch(
      'lease-table.ts',
      ['where`state = $', "{'ENABLED'} AND ("].join(''),
      ['where`state <> $', "{'DELETED'} AND ("].join(''),
    ),
  ),
  mutant(
    'a failed attempt is recorded as delivered',
    patch(
      'deliver.ts',
      "if (posted.kind === 'delivered') return",
      "if (posted.kind === 'delivered' || status === 500) return",
    ),
  ),
  mutant(
    'a result is recorded without the round',
    patch(
      'attempt-table.ts',
      ['round = $', '{round} AND attemptInRound = $', '{attemptInRound}'].join(''),
      ['(round >= $', '{round} OR attemptInRound = $', '{attemptInRound})'].join(''),
    ),
  ),
  mutant(
    'a resend sends no message',
    patch(
      'resend-deliveries.ts',
      'await queue.sendMessages([messageOf(after)]);',
      'if (queue === undefined) return undefined;',
    ),
  ),
  mutant(
    'a resend whose response was lost sends no message',
    patch(
      'resend-deliveries.ts',
      'if (!isRestarted && !(await isStored(after, deliveries)))',
      'if (!isRestarted && (await isStored(after, deliveries)))',
    ),
  ),
  mutant(
    'a message that waits is deleted',
    patch(
      'handle-messages.ts',
      "return fate.kind === 'done';",
      "return fate.kind === 'done' || fate.seconds > 7_000;",
    ),
  ),
  mutant(
    'an interrupted last attempt never ends',
    patch('delivery.ts', 'return attemptInRound >= MAX_ATTEMPTS;', 'return attemptInRound > MAX_ATTEMPTS;'),
  ),
  mutant(
    'all fields of an event are sent',
    patch(
      'event-type.ts',
      'data: v.parse(EVENT_DATA[type], data) }',
      'data: v.parse(EVENT_DATA[type], data) && data }',
    ),
  ),
  mutant(
    'the address is logged',
    patch(
      'handle-messages.ts',
      'http_status: status,',
      "http_status: status, url: 'https://hooks.example/' + endpointId,",
    ),
  ),
];
