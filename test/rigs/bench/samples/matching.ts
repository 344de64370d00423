import { matchPerson } from '../../../../shared/matching/match.ts';
import { PAIRS, readPairs } from '../../matching/pairs.ts';
import { cpuMs } from '../measure.ts';

/**
 * Measures the mean user processor time of a comparison over all labelled pairs, in microseconds. Argument: the number
 * of rounds.
 */
const ROUNDS = Number(process.argv[2]);
const WARM_UP_ROUNDS = 10;

const pairs = readPairs(PAIRS);
const taken: number[] = [];
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
  const start = process.cpuUsage();
  for (const { claimed, registered } of pairs) matchPerson(claimed, registered);
  if (round >= 0) taken.push((cpuMs(start) * 1000) / pairs.length);
}
process.send?.(taken, () => process.exit(0));
