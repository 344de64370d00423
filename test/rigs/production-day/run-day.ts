import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../ledger/simulation/random.ts';
import { Client } from './client.ts';
import { makeCustomers } from './customers.ts';
import type { DayService } from './day-service.ts';
import { hotWallet } from './hot-wallet.ts';
import { eventsOf, type Journal, PHASES, type Phase } from './journal.ts';
import { startKiller } from './killer.ts';
import { type Day, deploy, morning, night, outage, primaryHealth, rotation } from './phases.ts';
import { type DayRecord, recordOf } from './record.ts';
import { DAYTIME, Traffic } from './traffic.ts';

/** Of five minutes, in seconds. */
const LENGTHS: Readonly<Record<Phase, number>> = {
  ...{ night: 20, morning: 40, outage: 80, rotation: 40 },
  ...{ 'hot wallet': 30, deploy: 50, evening: 40 },
};
const WHOLE = Object.values(LENGTHS).reduce((total, seconds) => total + seconds);
/** The breaker's own times do not shrink with the day. */
const SHORTEST_OUTAGE_MS = 60_000;

const COURSE: Readonly<Record<Phase, (day: Day) => Promise<void>>> = {
  ...{ night, morning, outage, rotation, 'hot wallet': hotWallet, deploy, evening },
};

export interface DayOrder {
  readonly minutes: number;
  readonly seed: number;
  /** Told when a phase begins. */
  readonly onPhase: (phase: Phase) => void;
}

/** Runs a day on a service that has just started; returns what it is judged by. */
export async function runDay(service: DayService, journal: Journal, order: DayOrder): Promise<DayRecord> {
  const { minutes, seed, onPhase } = order;
  const customers = await makeCustomers(service, journal);
  const client = new Client(service.baseUrl, journal, seededRandom(seed + 1));
  const traffic = new Traffic(client, customers, seededRandom(seed), seed);
  const scaled = (phase: Phase) => (LENGTHS[phase] * minutes * 60_000) / WHOLE;
  const lengthMs = Object.fromEntries(PHASES.map((phase) => [phase, scaled(phase)])) as Day['lengthMs'];
  const day: Day = {
    ...{ service, customers, client, traffic, journal },
    lengthMs: { ...lengthMs, outage: Math.max(lengthMs.outage, SHORTEST_OUTAGE_MS) },
  };
  const watch = watchHealth(day);
  const killer = startKiller(service, journal, seededRandom(seed + 2));
  try {
    for (const phase of PHASES) {
      journal.phase = phase;
      onPhase(phase);
      if (phase === 'evening') await killer.stop();
      await COURSE[phase](day);
    }
  } finally {
    await killer.stop();
    await watch.stop();
  }
  return recordOf(service, Object.values(customers), journal.lines);
}

/** After so long a hold that nobody ends may be decided by the sweeper (docs/ledger.md). */
const UNDECIDED_MS = 41_000;
const LAST_ANSWERS_MS = 180_000;

/** Traffic ebbs, the last answers come, and the sweeper settles what killed requests left. */
async function evening({ service, traffic, client, journal, lengthMs }: Day): Promise<void> {
  await traffic.during({ ...DAYTIME, perSecond: 3 }, () => sleep(lengthMs.evening));
  const untilMs = Date.now() + LAST_ANSWERS_MS;
  while (client.open > 0 && Date.now() < untilMs) await sleep(100);
  const lastKillMs = eventsOf(journal.lines, 'kill').at(-1)?.atMs ?? 0;
  await sleep(Math.max(0, lastKillMs + UNDECIDED_MS - Date.now()));
  await service.control.runSchedule('sweep-holds');
}

const LOOK_MS = 1_000;

/** Notes each change of what GET /v1/health says of the primary provider. */
function watchHealth({ service, journal }: Day): { stop(): Promise<void> } {
  const over = new AbortController();
  const { signal } = over;
  let last = '';
  const watching = (async () => {
    while (!signal.aborted) {
      const status = await primaryHealth(service);
      if (status !== last) journal.note({ name: 'health', status });
      last = status;
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      over.abort();
      await watching;
    },
  };
}
