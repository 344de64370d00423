import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../ledger/simulation/random.ts';
import { Client } from './client.ts';
import { createCustomers } from './customers.ts';
import { explainCharges } from './explain-charges.ts';
import { hotWallet } from './hot-wallet.ts';
import { type Journal, PHASES, type Phase } from './journal.ts';
import { type KillPause, startKiller } from './killer.ts';
import { lending } from './lending.ts';
import {
  deploy,
  evening,
  morning,
  night,
  outage,
  primaryHealth,
  rotation,
  type Simulation,
} from './phases.ts';
import { readLenderView } from './read-lender-view.ts';
import { readRecord, type SimulationRecord } from './record.ts';
import type { SimulatedService } from './service.ts';
import { Traffic } from './traffic.ts';

/** Seconds of each phase in a simulation of five minutes. */
const DURATIONS: Readonly<Record<Phase, number>> = {
  night: 20,
  morning: 40,
  outage: 80,
  rotation: 40,
  'hot wallet': 30,
  // Takes as long as its work.
  lending: 0,
  deploy: 50,
  evening: 40,
};
const TOTAL_SECONDS = Object.values(DURATIONS).reduce((total, seconds) => total + seconds);
/** The circuit breaker needs this time, however short the simulation is. */
const MIN_OUTAGE_MS = 60_000;

const RARE: KillPause = { minMs: 3_000, maxMs: 7_000, responses: 5 };

const PHASE_ACTIONS: Readonly<Record<Phase, (simulation: Simulation) => Promise<void>>> = {
  night,
  morning,
  outage,
  rotation,
  'hot wallet': hotWallet,
  lending,
  deploy,
  evening,
};

export interface SimulationOptions {
  /** How long a simulation of all phases takes. If some are left out, the others keep their duration. */
  readonly minutes: number;
  readonly seed: number;
  /** @default all phases */
  readonly phases?: readonly Phase[];
  /** @default 3 to 7 s */
  readonly killPause?: KillPause;
  /** The minimum number of kills before the morning ends. @default 0 */
  readonly minKills?: number;
  /** The number of people whom the lender checks. @default 0 */
  readonly applicants?: number;
  /** Called when a phase begins. */
  readonly onPhase?: (phase: Phase) => void;
}

export async function runSimulation(
  service: SimulatedService,
  journal: Journal,
  options: SimulationOptions,
): Promise<SimulationRecord> {
  const { minutes, seed, phases = PHASES, killPause = RARE, minKills = 0, applicants = 0, onPhase } = options;
  const customers = await createCustomers(service, journal);
  const client = new Client(service.baseUrl, journal, seededRandom(seed + 1));
  const traffic = new Traffic(client, customers, seededRandom(seed), seed);
  const durationOf = (phase: Phase) => (DURATIONS[phase] * minutes * 60_000) / TOTAL_SECONDS;
  const durationsMs = Object.fromEntries(PHASES.map((phase) => [phase, durationOf(phase)]));
  const simulation: Simulation = {
    service,
    customers,
    client,
    traffic,
    journal,
    minKills,
    applicants,
    random: seededRandom(seed + 3),
    lender: { sent: [], erased: new Set(), unfinished: 0 },
    durationsMs: {
      ...(durationsMs as Simulation['durationsMs']),
      outage: Math.max(durationOf('outage'), MIN_OUTAGE_MS),
    },
  };
  const health = recordHealth(simulation);
  const killer = startKiller(service, journal, seededRandom(seed + 2), killPause);
  try {
    for (const phase of phases) {
      journal.phase = phase;
      onPhase?.(phase);
      if (phase === 'evening') await killer.stop();
      await PHASE_ACTIONS[phase](simulation);
    }
  } finally {
    await killer.stop();
    await health.stop();
  }
  const { lender } = simulation;
  const explanation =
    applicants > 0
      ? explainCharges(lender, await readLenderView(service.baseUrl, customers.lender, lender))
      : undefined;
  return { ...(await readRecord(service, Object.values(customers), journal.lines)), explanation };
}

const HEALTH_INTERVAL_MS = 1_000;

/** Records each change of the primary provider's status in GET /v1/health. */
function recordHealth({ service, journal }: Simulation): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const { signal } = stopped;
  let last = '';
  const recording = (async () => {
    while (!signal.aborted) {
      const status = await primaryHealth(service);
      if (status !== last) journal.event({ name: 'health', status });
      last = status;
      await sleep(HEALTH_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await recording;
    },
  };
}
