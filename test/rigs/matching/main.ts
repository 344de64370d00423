import { parseArgs } from 'node:util';
import { ALGORITHM } from '../../../shared/matching/match.ts';
import { GOALS, HELP, mistakes, ratesOf, yardstickRates } from './measure.ts';
import { HALVES, halfOf, PAIRS, type Pair, readPairs } from './pairs.ts';

/**
 * `npm run rig -- matching` prints how often the match is wrong about the labelled pairs, for both halves, and compares
 * it with well-known measures. `--pairs FILE` measures a different set, and `--failures` prints the pairs that it gets
 * wrong, except those of the frozen half. Exits with 1 if a goal is missed.
 */
const { values } = parseArgs({
  options: { pairs: { type: 'string' }, failures: { type: 'boolean', default: false } },
});

const percent = (rate: number) => `${(rate * 100).toFixed(2)}%`.padStart(8);

/** Prints the table of a set. Returns whether the goals are met. */
function report(title: string, pairs: readonly Pair[]): boolean {
  const same = pairs.filter(({ isSame }) => isSame).length;
  const ours = ratesOf(pairs);
  console.log(`\n${title}: ${same} pairs of one person, ${pairs.length - same} of two people\n`);
  console.log(`| ${'measure'.padEnd(52)} | false matches | false non-matches |\n|${'-'.repeat(54)}|---|---|`);
  const row = (name: string, matches: string, others: string) =>
    console.log(`| ${name.padEnd(52)} | ${matches} | ${others} |`);
  row('goal', `≤ ${percent(GOALS.falseMatches).trim()}`, `≤ ${percent(GOALS.falseNonMatches).trim()}`);
  row(ALGORITHM, percent(ours.falseMatches), percent(ours.falseNonMatches));
  for (const help of HELP)
    for (const { name, falseMatches, falseNonMatches } of yardstickRates(pairs, ours, help)) {
      row(`${name}, ${help}`, `at most ours`, percent(falseNonMatches));
      row(`${name}, ${help}`, percent(falseMatches), 'at most ours');
    }
  return ours.falseMatches <= GOALS.falseMatches && ours.falseNonMatches <= GOALS.falseNonMatches;
}

function printFailures(pairs: readonly Pair[]): void {
  for (const { pair, match } of mistakes(pairs))
    console.log(
      `${pair.id} is ${pair.isSame ? 'one person' : 'two people'} (${pair.reason}), but the match is ${match.overall}:`,
      `${Object.values(pair.claimed).join(' ')} / ${Object.values(pair.registered).join(' ')}`,
    );
}

const pairs = readPairs(values.pairs ?? PAIRS);
const sets = values.pairs
  ? [{ title: values.pairs, list: pairs, isOpen: true }]
  : HALVES.map((half) => ({
      title: `Half ${half}`,
      list: pairs.filter((pair) => halfOf(pair) === half),
      isOpen: half === 'develop',
    }));
const areMet = sets.map(({ title, list }) => report(title, list));
if (values.failures) for (const { list, isOpen } of sets) if (isOpen) printFailures(list);
process.exitCode = areMet.every(Boolean) ? 0 : 1;
