import type { Plan, PlannedCall, Style } from './plan.ts';
import type { Blackout } from './simulation/network.ts';
import type { Random } from './simulation/random.ts';

/**
 * The maximum number of calls or sweeps that blackouts hit in a history, by style. In other styles, 10% of histories
 * have one blackout.
 */
const MAX_BLACKOUTS: Partial<Record<Style, number>> = { blackouts: 3, deadline: 2, replays: 1, scarce: 1 };

/** Generates times during which a table does not respond. Most begin while a call is served or a sweep runs. */
export function plannedBlackouts(
  random: Random,
  style: Style,
  calls: readonly PlannedCall[],
  sweeps: Plan['sweeps'],
  instances: number,
): Blackout[] {
  const most = MAX_BLACKOUTS[style] ?? (random.chance(0.1) ? 1 : 0);
  return Array.from({ length: random.between(Math.min(1, most), most) }, () => {
    const sweep = random.chance(0.3) && sweeps[random.between(0, sweeps.length - 1)];
    if (sweep) return duringSweep(random, sweep.atMs);
    const call = calls[random.between(0, calls.length - 1)];
    return call ? duringCall(random, style, call, instances) : [];
  }).flat();
}

function duringSweep(random: Random, sweepMs: number): Blackout[] {
  const sinceMs = random.between(random.chance(0.5) ? 0 : -3_000, 80);
  return [{ table: anyTable(random), atMs: Math.max(0, sweepMs + sinceMs), forMs: duration(random) }];
}

function duringCall(random: Random, style: Style, call: PlannedCall, instances: number): Blackout[] {
  const busyMs = busyTimeMs(call);
  // A blackout at the end of a call hides whether the call was charged. One at the start hides whether its cost was
  // reserved.
  const isAtStart = style === 'scarce' && random.chance(0.5);
  const earliestMs = isAtStart ? 10 : random.pick([-5_000, 0, busyMs - 500, busyMs - 100]);
  const atMs = Math.max(0, call.atMs + random.between(earliestMs, isAtStart ? 150 : busyMs + 100));
  const where = random.chance(0.5) ? { instance: random.between(0, instances - 1) } : {};
  const forMs = duration(random);
  if (random.chance(0.8)) return [{ table: anyTable(random), atMs, forMs, ...where }];
  // The tables recover one after the other, so that an operation is decided and then not logged.
  return [
    { table: 'Wallets', atMs, forMs, ...where },
    { table: 'VerificationLogs', atMs, forMs: forMs + duration(random), ...where },
  ];
}

const anyTable = (random: Random) => random.pick(['Wallets', 'VerificationLogs', 'all'] as const);
const duration = (random: Random) => random.between(5_000, 15_000);

function busyTimeMs({ startMs = 0, registry: [first] }: PlannedCall): number {
  return startMs + Math.min(first.latencyMs, 20_000) + (first.stallMs ?? 0) + 50;
}
