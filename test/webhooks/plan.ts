import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { type FaultRates, NO_FAULTS } from '../ledger/simulation/network.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { plannedRates } from '../support/histories/planned-rates.ts';

/**
 * What happens to webhooks in one history: events, changes to endpoints, and receivers that fail. Plain data. All times
 * are milliseconds after the start. All events and changes happen on the first day, which leaves deliveries time to
 * end.
 */
export interface WebhookPlan {
  readonly seed: number;
  readonly rates: FaultRates;
  readonly duplicates: number;
  /** The probability that a function is killed while its request is on its way. */
  readonly killedRequests: number;
  /** Endpoints of organisations 0 and 1, in both environments. */
  readonly endpoints: readonly PlannedEndpoint[];
  readonly events: readonly PlannedEvent[];
  readonly changes: readonly PlannedChange[];
}

export interface Owner {
  readonly organisation: number;
  readonly isLive: boolean;
}

export interface PlannedEndpoint extends Owner {
  /** Whether it receives all events, or all but `balance.low`. */
  readonly isAll: boolean;
  readonly receiver: readonly ReceiverSpan[];
}

export interface ReceiverSpan {
  readonly fromMs: number;
  readonly behaviour: Behaviour;
}

export const BEHAVIOURS = ['ok', 'slow', 'hang', 'reset', 'error', 'gone', 'redirect'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export interface PlannedEvent extends Owner {
  readonly atMs: number;
  readonly kind: 'balance' | 'key' | 'top-up' | 'registry' | 'approval';
  /** When it is published again with the same ID, in milliseconds after its first publication. */
  readonly again: readonly number[];
}

export interface PlannedChange {
  readonly atMs: number;
  readonly endpoint: number;
  readonly act: 'rotate' | 'move' | 'disable' | 'enable' | 'delete' | 'test' | 'resend' | 'replay';
}

/** The time after which no event or change is planned. */
export const ACTIVE_MS = DAY_MS;

export function planOf(seed: number): WebhookPlan {
  const random = seededRandom(seed * 2654435761);
  const isCalm = random.chance(0.3);
  const list = <T>(least: number, most: number, make: () => T): T[] =>
    Array.from({ length: random.between(least, most) }, make);
  const endpoints = list(2, 5, () => plannedEndpoint(random));
  return {
    seed,
    rates: isCalm ? NO_FAULTS : plannedRates(random),
    duplicates: random.pick([0, 0, 0.05, 0.3]),
    killedRequests: isCalm ? 0 : random.pick([0, 0.02, 0.1, 0.3]),
    endpoints,
    events: random.chance(0.1)
      ? burst(random, random.pick([ownerOf(random), ...endpoints]))
      : list(3, 9, () => plannedEvent(random)),
    changes: list(0, 6, () => ({
      atMs: timeOf(random),
      endpoint: random.between(0, endpoints.length - 1),
      act: random.pick([
        'rotate',
        'move',
        'disable',
        'enable',
        'delete',
        'test',
        'resend',
        'resend',
        'replay',
      ]),
    })),
  };
}

/** Returns a time. More than half of the times are in the first minutes, so that much happens at once. */
function timeOf(random: Random): number {
  if (random.chance(0.5)) return random.between(5, 8) * MINUTE_MS + random.between(0, 2_000);
  return random.between(5 * MINUTE_MS, random.pick([HOUR_MS, ACTIVE_MS]));
}

function ownerOf(random: Random): Owner {
  return { organisation: random.between(0, 1), isLive: random.chance(0.7) };
}

function plannedEndpoint(random: Random): PlannedEndpoint {
  const isGood = random.chance(0.4);
  const first = isGood ? 'ok' : random.pick(BEHAVIOURS);
  const later = Array.from({ length: random.between(0, isGood ? 0 : 2) }, () => ({
    fromMs: random.pick([timeOf(random), random.between(HOUR_MS, 70 * HOUR_MS)]),
    behaviour: random.pick(BEHAVIOURS),
  }));
  const receiver = [{ fromMs: 0, behaviour: first }, ...later.sort((a, b) => a.fromMs - b.fromMs)];
  return { ...ownerOf(random), isAll: random.chance(0.7), receiver };
}

/** Returns more events of an owner within a minute than an endpoint has leases for. */
function burst(random: Random, { organisation, isLive }: Owner): PlannedEvent[] {
  const fromMs = timeOf(random);
  return Array.from({ length: 9 }, () => ({
    ...plannedEvent(random),
    organisation,
    isLive,
    atMs: fromMs + random.between(0, MINUTE_MS),
  }));
}

function plannedEvent(random: Random): PlannedEvent {
  const atMs = timeOf(random);
  return {
    ...ownerOf(random),
    atMs,
    kind: random.pick(['balance', 'key', 'top-up', 'registry', 'approval']),
    again: random.chance(0.3) ? [random.pick([0, 1_000, 70_000, HOUR_MS])] : [],
  };
}
