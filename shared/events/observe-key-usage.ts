import type { ApiKey } from '../accounts/api-key.ts';
import type { KeyUsage } from '../accounts/key-usage.ts';
import { activitySubject } from '../core/keys.ts';
import type { Observation } from './event.ts';

/** Unusual use may mean a stolen key or guessed numbers. */

/** At least so many, and HIGH_MISS_SHARE of the day's look-ups. */
const MANY_MISSES = 50;
const HIGH_MISS_SHARE = 0.2;
/** At least so many, and HIGH_GROWTH times the busiest earlier day. */
const MANY_LOOK_UPS = 100;
const HIGH_GROWTH = 2;
/** Otherwise, normal use is unknown. */
const MIN_EARLIER_DAYS = 3;
/** Within 10 to 20 minutes. */
const MANY_REJECTIONS = 50;

interface UsedKey {
  readonly key: Pick<ApiKey, 'organisationId' | 'hash' | 'label' | 'lastFour'>;
  readonly usage: KeyUsage;
}

type DailyUse = Pick<KeyUsage, 'lookUpsToday' | 'missesToday' | 'earlierLookUps'>;
type Origin = Readonly<Record<'organisation' | 'label' | 'last_four', string>>;

/** One live key: its misses and look-ups today, and whether its network is new. */
export function observeKeyUsage({ key, usage }: UsedKey): (Observation | undefined)[] {
  const { organisationId: organisation, label, lastFour: last_four } = key;
  const origin = { organisation, label, last_four };
  const { network, newNetwork, newNetworkAtMs } = usage;
  return [
    ...observeDailyUse(usage, origin, key.hash),
    newNetwork === undefined || newNetworkAtMs === undefined
      ? undefined
      : {
          subject: activitySubject(key.hash, 'NETWORK'),
          state: 'new-network',
          sinceMs: newNetworkAtMs,
          detail: { ...origin, network: newNetwork, last_network: network ?? newNetwork },
        },
  ];
}

/** A key that was created by a rotation has no earlier days, but its organisation does. */
export function observeOrganisationUsage(
  organisation: string,
  used: readonly KeyUsage[],
  rejections: number,
): Observation[] {
  const origin = { organisation, label: '', last_four: '' };
  const sum = (numberOf: (usage: KeyUsage) => number) =>
    used.reduce((total, usage) => total + numberOf(usage), 0);
  const earlierLookUps = new Map<string, number>();
  for (const usage of used)
    for (const [day, count] of usage.earlierLookUps)
      earlierLookUps.set(day, (earlierLookUps.get(day) ?? 0) + count);
  const use = {
    lookUpsToday: sum(({ lookUpsToday }) => lookUpsToday),
    missesToday: sum(({ missesToday }) => missesToday),
    earlierLookUps,
  };
  return [
    // A single key has its own events.
    ...(used.length > 1 ? observeDailyUse(use, origin, organisation) : []),
    {
      subject: activitySubject(organisation, 'REJECTED'),
      state: rejections >= MANY_REJECTIONS ? 'many-rejections' : 'normal',
      detail: { organisation, rejections },
    },
  ];
}

function observeDailyUse(use: DailyUse, origin: Origin, name: string): Observation[] {
  const { lookUpsToday: look_ups, missesToday: misses, earlierLookUps } = use;
  const busiest_day = Math.max(0, ...earlierLookUps.values());
  const hasMisses = misses >= MANY_MISSES && misses >= HIGH_MISS_SHARE * look_ups;
  const isUsual = earlierLookUps.size < MIN_EARLIER_DAYS || look_ups <= HIGH_GROWTH * busiest_day;
  return [
    {
      subject: activitySubject(name, 'MISSES'),
      state: hasMisses ? 'many-misses' : 'normal',
      detail: { ...origin, look_ups, misses },
    },
    {
      subject: activitySubject(name, 'LOOKUPS'),
      state: look_ups >= MANY_LOOK_UPS && !isUsual ? 'many-look-ups' : 'normal',
      detail: { ...origin, look_ups, busiest_day },
    },
  ];
}
