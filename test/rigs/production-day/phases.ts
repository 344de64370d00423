import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import type { Client } from './client.ts';
import { type Customer, type Customers, FIRST_KEY } from './customers.ts';
import { eventsOf, type Journal, killEffects, type Phase } from './journal.ts';
import type { LenderFiles } from './lending.ts';
import type { Behaviour } from './primary-registry.ts';
import type { SimulatedService } from './service.ts';
import { DAYTIME, type Traffic } from './traffic.ts';

/** A running simulation, as its phases use it. */
export interface Simulation {
  readonly service: SimulatedService;
  readonly customers: Customers;
  readonly client: Client;
  readonly traffic: Traffic;
  readonly journal: Journal;
  /** The duration of each phase. Some take longer, until what they wait for has happened. */
  readonly durationsMs: Readonly<Record<Phase, number>>;
  /**
   * The morning lasts until at least this many processes have been killed, at least one before a charge and one after a
   * charge.
   */
  readonly minKills: number;
  readonly random: Random;
  /** The number of people whom the lender checks. */
  readonly applicants: number;
  readonly lender: LenderFiles;
}

export async function night({ traffic, durationsMs }: Simulation): Promise<void> {
  await traffic.during({ ...DAYTIME, perSecond: 3 }, () => sleep(durationsMs.night));
}

/** Traffic rises, and the ordinary customer exceeds its rate limit. */
export async function morning({ traffic, durationsMs, journal, minKills }: Simulation): Promise<void> {
  for (const perSecond of [5, 9, 14, 18])
    await traffic.during({ ...DAYTIME, perSecond, ordinaryShare: 0.8 }, () => sleep(durationsMs.morning / 4));
  await traffic.during(DAYTIME, async () => {
    const isEnough = () => {
      const { kills, beforeCharge, afterCharge } = killEffects(journal.lines);
      return kills >= minKills && (minKills === 0 || (beforeCharge > 0 && afterCharge > 0));
    };
    while (!isEnough()) await sleep(200);
  });
}

const RECOVERY_MS = 60_000;

/** The primary provider hangs, then responds with 500, then refuses connections, then recovers. */
export async function outage(simulation: Simulation): Promise<void> {
  const { service, traffic, durationsMs } = simulation;
  await traffic.during(DAYTIME, async () => {
    for (const [behaviour, share] of [
      ['hanging', 0.35],
      ['failing', 0.2],
      ['refusing', 0.2],
      ['healthy', 0.25],
    ] as const) {
      await setRegistry(simulation, behaviour);
      await sleep(durationsMs.outage * share);
    }
    const untilMs = Date.now() + RECOVERY_MS;
    while ((await primaryHealth(service)) !== 'up' && Date.now() < untilMs) await sleep(500);
  });
}

export async function setRegistry({ service, journal }: Simulation, behaviour: Behaviour): Promise<void> {
  await service.registry.become(behaviour);
  journal.event({ name: 'registry', behaviour });
}

/** Returns the status of the primary provider in GET /v1/health. */
export async function primaryHealth({ baseUrl }: SimulatedService): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/health`);
  const { data } = (await response.json()) as {
    readonly data: {
      readonly registries: readonly { readonly provider: string; readonly status: string }[];
    } | null;
  };
  return data?.registries.find(({ provider }) => provider === 'Dojah')?.status ?? 'unknown';
}

/** A new API key is created, most servers switch to it, and the old one is revoked. The others switch after a 401. */
export async function rotation(simulation: Simulation): Promise<void> {
  const { customers, traffic, durationsMs } = simulation;
  const oldKey = { keyLabel: FIRST_KEY, share: 0.3 };
  await traffic.during({ ...DAYTIME, ordinaryShare: 0.3, oldKey }, async () => {
    await sleep(durationsMs.rotation * 0.2);
    await rotateKey(simulation, customers.careful, () => sleep(durationsMs.rotation * 0.3));
    await sleep(durationsMs.rotation * 0.5);
  });
}

/** Creates a second API key for a customer, and revokes the first one after `between`. */
export async function rotateKey(
  { service, journal }: Simulation,
  customer: Customer,
  between: () => Promise<void>,
): Promise<void> {
  const { id, wallet, keys } = customer;
  const keyLabel = 'backend-2';
  const created = await service.admin('--json', 'key', 'create', id, '--env', 'live', '--label', keyLabel);
  keys.set(keyLabel, (JSON.parse(created) as { readonly apiKey: string }).apiKey);
  customer.keyLabel = keyLabel;
  await between();
  journal.event({ name: 'revoking', wallet, keyLabel: FIRST_KEY });
  await service.admin('key', 'revoke', id, FIRST_KEY);
  journal.event({ name: 'revoked', wallet, keyLabel: FIRST_KEY });
}

/** A release is deployed under traffic, then rolled back. */
export async function deploy({ service, traffic, journal, durationsMs }: Simulation): Promise<void> {
  const load = { ...DAYTIME, routes: ['tin-basic', 'tin-basic', 'nin-basic', 'nuban-basic'] } as const;
  await traffic.during(load, async () => {
    for (const release of ['2', '1']) {
      await sleep(durationsMs.deploy * 0.15);
      journal.event({ name: 'deploying', release });
      await service.deploy(release);
      journal.event({ name: 'deployed', release });
      await sleep(durationsMs.deploy * 0.35);
    }
  });
}

/** The age at which the sweeper may settle a hold (docs/design/ledger.md). */
const UNSETTLED_MS = 41_000;

/** Traffic ends, the last responses arrive, and the sweeper settles what killed requests left. */
export async function evening({ service, traffic, client, journal, durationsMs }: Simulation): Promise<void> {
  await traffic.during({ ...DAYTIME, perSecond: 3 }, () => sleep(durationsMs.evening));
  // This loop ends, because clients give up after a number of attempts.
  while (client.pending > 0) await sleep(100);
  const lastKillMs = eventsOf(journal.lines, 'kill').at(-1)?.atMs ?? 0;
  await sleep(Math.max(0, lastKillMs + UNSETTLED_MS - Date.now()));
  await service.control.runSchedule('sweep-holds');
}

export async function topUp(
  { service, journal }: Simulation,
  { id, wallet }: Customer,
  credits: number,
  reference: string,
): Promise<void> {
  await service.admin('wallet', 'top-up', '--promotional', id, String(credits), '--reference', reference);
  journal.event({ name: 'topped up', wallet, credits });
}
