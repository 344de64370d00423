import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from '../ledger/simulation/random.ts';

/** Makes a seed determine the IDs that the service generates. */
export function seedIds(random: Random): void {
  Object.assign(crypto, {
    randomInt: (below: number) => random.between(0, below - 1),
    randomBytes: (size: number) => Buffer.from(Array.from({ length: size }, () => random.between(0, 255))),
  });
  syncBuiltinESMExports();
}
