import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Random } from '../ledger/simulation/random.ts';

/** Replaces the external inputs of Node's modules, so that a seed determines everything in a history. */

/** Makes a seed determine the IDs that the service generates. */
export function seedIds(random: Random): void {
  Object.assign(crypto, {
    randomInt: (below: number) => random.between(0, below - 1),
    randomBytes: (size: number) => Buffer.from(Array.from({ length: size }, () => random.between(0, 255))),
  });
  syncBuiltinESMExports();
}

/** Makes the pauses of table modules follow the simulated clock, as `installTimers` does for timers. */
export function installPauses(): void {
  Object.assign(timers, {
    setTimeout: (ms: number) => new Promise((done) => globalThis.setTimeout(done, ms)),
  });
  syncBuiltinESMExports();
}
