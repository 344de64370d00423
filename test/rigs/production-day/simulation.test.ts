import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sampleSeed } from '../../support/sample.ts';
import { checkAlways } from './check-record.ts';
import { Journal, killEffects } from './journal.ts';
import type { SimulationRecord } from './record.ts';
import { runSimulation } from './run-simulation.ts';
import { startSimulatedService } from './service.ts';
import { summary } from './table.ts';

/**
 * The production simulation with its morning, hot wallet, lending and evening, and many kills. `npm run rig -- production-day`
 * simulates all phases. Only rules that hold whatever the speed of the machine are checked here.
 */
const MIN_KILLS = 30;
const TIMEOUT_MS = 1_800_000;

describe(`a service whose processes are killed under load, seed ${sampleSeed}`, () => {
  let record: SimulationRecord;
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'production-day-'));
    const service = await startSimulatedService(directory);
    try {
      const journal = new Journal(join(directory, 'journal.jsonl'));
      record = await runSimulation(service, journal, {
        minutes: 1,
        seed: sampleSeed,
        phases: ['morning', 'hot wallet', 'lending', 'evening'],
        applicants: 50,
        killPause: { minMs: 0, maxMs: 300, responses: 5 },
        minKills: MIN_KILLS,
      });
    } finally {
      await service.stop();
    }
    rmSync(directory, { recursive: true, force: true });
    process.stdout.write(`${summary(record)}\n`);
  }, TIMEOUT_MS);

  test('loses requests before and after their charge', () => {
    const { kills, beforeCharge, afterCharge } = killEffects(record.lines);
    expect(kills).toBeGreaterThanOrEqual(MIN_KILLS);
    expect(beforeCharge).toBeGreaterThan(0);
    expect(afterCharge).toBeGreaterThan(0);
  });

  test('releases the holds of killed requests, and responds with 402 once a wallet is empty', () => {
    expect(record.log.sweeps).toMatchObject({ failed: 0, oldestHoldMs: 0 });
    expect(record.log.sweeps.released).toBeGreaterThan(0);
    expect(record.lines.filter((line) => 'code' in line && line.code === 'INSUFFICIENT_FUNDS')).not.toEqual(
      [],
    );
  });

  test('charges each verification once, and its statements, balances and rows agree', () => {
    expect(checkAlways(record)).toEqual([]);
  });

  test('explains each charge of a lender from the API alone, also after an erasure', () => {
    expect(record.explanation).toMatchObject({ applicants: 50, unexplained: 0, problems: [] });
    expect(record.explanation?.erasedCharges).toBeGreaterThanOrEqual(3);
  });
});
