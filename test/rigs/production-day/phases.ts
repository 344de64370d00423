import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { type Customer, type Customers, FIRST_KEY } from './customers.ts';
import type { DayService } from './day-service.ts';
import type { Journal, Phase } from './journal.ts';
import { DAYTIME, type Traffic } from './traffic.ts';

/** What happens in the course of the day, beside the traffic that never ends. */
export interface Day {
  readonly service: DayService;
  readonly customers: Customers;
  readonly client: Client;
  readonly traffic: Traffic;
  readonly journal: Journal;
  /** Of each phase, in milliseconds; some take longer, until what they wait for has happened. */
  readonly lengthMs: Readonly<Record<Phase, number>>;
}

export async function night({ traffic, lengthMs }: Day): Promise<void> {
  await traffic.during({ ...DAYTIME, perSecond: 3 }, () => sleep(lengthMs.night));
}

/** Traffic rises, and the ordinary customer sends more than was agreed with him. */
export async function morning({ traffic, lengthMs }: Day): Promise<void> {
  for (const perSecond of [5, 9, 14, 18])
    await traffic.during({ ...DAYTIME, perSecond, ordinaryShare: 0.8 }, () => sleep(lengthMs.morning / 4));
}

const RECOVERY_MS = 60_000;

/** The primary provider hangs, then answers 500, then refuses connections; then it is back, and that is noticed. */
export async function outage({ service, traffic, journal, lengthMs }: Day): Promise<void> {
  const { registry } = service;
  await traffic.during(DAYTIME, async () => {
    for (const [mood, share] of [
      ['hanging', 0.35],
      ['broken', 0.2],
      ['refusing', 0.2],
      ['well', 0.25],
    ] as const) {
      await registry.become(mood);
      journal.note({ name: 'registry', mood });
      await sleep(lengthMs.outage * share);
    }
    const untilMs = Date.now() + RECOVERY_MS;
    while ((await primaryHealth(service)) !== 'up' && Date.now() < untilMs) await sleep(500);
  });
}

/** How GET /v1/health sees the primary provider. */
export async function primaryHealth({ baseUrl }: DayService): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/health`);
  const { data } = (await answer.json()) as {
    readonly data: {
      readonly registries: readonly { readonly provider: string; readonly status: string }[];
    } | null;
  };
  return data?.registries.find(({ provider }) => provider === 'Dojah')?.status ?? 'unknown';
}

/** A new key is made, most servers move over, the old key is revoked, and the last of them learn it by a 401. */
export async function rotation({ service, customers, traffic, journal, lengthMs }: Day): Promise<void> {
  const { id, wallet, keys } = customers.careful;
  const forgetful = { keyLabel: FIRST_KEY, share: 0.3 };
  await traffic.during({ ...DAYTIME, ordinaryShare: 0.3, forgetful }, async () => {
    await sleep(lengthMs.rotation * 0.2);
    const keyLabel = 'backend-2';
    const made = await service.admin('--json', 'key', 'create', id, '--env', 'live', '--label', keyLabel);
    keys.set(keyLabel, (JSON.parse(made) as { readonly apiKey: string }).apiKey);
    customers.careful.keyLabel = keyLabel;
    await sleep(lengthMs.rotation * 0.3);
    journal.note({ name: 'revoking', wallet, keyLabel: FIRST_KEY });
    await service.admin('key', 'revoke', id, FIRST_KEY);
    journal.note({ name: 'revoked', wallet, keyLabel: FIRST_KEY });
    await sleep(lengthMs.rotation * 0.5);
  });
}

/** A new version takes over under traffic; then the old one again. */
export async function deploy({ service, traffic, journal, lengthMs }: Day): Promise<void> {
  const load = { ...DAYTIME, routes: ['tin-basic', 'tin-basic', 'nin-basic', 'nuban-basic'] } as const;
  await traffic.during(load, async () => {
    for (const release of ['2', '1']) {
      await sleep(lengthMs.deploy * 0.15);
      journal.note({ name: 'deploying', release });
      await service.deploy(release);
      journal.note({ name: 'deployed', release });
      await sleep(lengthMs.deploy * 0.35);
    }
  });
}

export async function topUp(
  { service, journal }: Day,
  { id, wallet }: Customer,
  credits: number,
  reference: string,
): Promise<void> {
  await service.admin('wallet', 'top-up', id, String(credits), '--reference', reference, '--actor', 'day');
  journal.note({ name: 'bought', wallet, credits });
}
