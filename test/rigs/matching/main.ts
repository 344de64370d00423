import { parseArgs } from 'node:util';
import { ALGORITHM } from '../../../shared/matching/match.ts';
import { kindTable } from './kind-table.ts';
import {
  errorsOf,
  GOALS,
  HELP,
  mistakes,
  type Rates,
  ratesOf,
  UNSEEN_GOALS,
  wilson,
  yardstickRates,
} from './measure.ts';
import { HALVES, halfOf, inView, PAIRS, type Pair, readPairs, VIEWS } from './pairs.ts';

/**
 * `npm run rig -- matching` prints how often the match is wrong about the labelled pairs, for both halves, and compares
 * it with well-known measures. `--pairs FILE` measures a different set by kind, names alone and with the birth date.
 * `--failures` prints the pairs that it gets wrong, except those of the frozen half. Exits with 1 if a goal is missed.
 */
const { values } = parseArgs({
  options: { pairs: { type: 'string' }, failures: { type: 'boolean', default: false } },
});

const percent = (rate: number) => `${(rate * 100).toFixed(2)}%`.padStart(8);

/** Prints how the match and well-known measures do. */
function printMeasures(title: string, pairs: readonly Pair[], goals: Rates): Rates {
  const same = pairs.filter(({ isSame }) => isSame).length;
  const ours = ratesOf(pairs);
  console.log(`\n${title}: ${same} pairs of one person, ${pairs.length - same} of two people\n`);
  console.log(`| ${'measure'.padEnd(52)} | false matches | false non-matches |\n|${'-'.repeat(54)}|---|---|`);
  const row = (name: string, matches: string, others: string) =>
    console.log(`| ${name.padEnd(52)} | ${matches} | ${others} |`);
  row('goal', `≤ ${percent(goals.falseMatches).trim()}`, `≤ ${percent(goals.falseNonMatches).trim()}`);
  row(ALGORITHM, percent(ours.falseMatches), percent(ours.falseNonMatches));
  for (const help of HELP)
    for (const { name, falseMatches, falseNonMatches } of yardstickRates(pairs, ours, help)) {
      row(`${name}, ${help}`, `at most ours`, percent(falseNonMatches));
      row(`${name}, ${help}`, percent(falseMatches), 'at most ours');
    }
  return ours;
}

function printFailures(pairs: readonly Pair[]): void {
  for (const { pair, match } of mistakes(pairs))
    console.log(
      `${pair.id} is ${pair.isSame ? 'one person' : 'two people'} (${pair.kind || pair.reason}), but the match is ${match.overall}:`,
      `${Object.values(pair.claimed).join(' ')} / ${Object.values(pair.registered).join(' ')}`,
    );
}

/** Returns whether the upper bounds of the intervals meet the goals. */
function measureUnseen(file: string): boolean {
  const pairs = readPairs(file);
  const views = VIEWS.map((view) => ({ view, list: inView(pairs, view), goals: UNSEEN_GOALS[view] }));
  const used = views.filter(({ list }) => list.length > 0);
  for (const { view, list, goals } of used) printMeasures(`${file}, ${view}`, list, goals);
  console.log(`\n${kindTable(pairs)}`);
  if (values.failures) for (const { list } of used) printFailures(list);
  return used.every(
    ({ list, goals }) =>
      wilson(errorsOf(list, false))[1] <= goals.falseMatches &&
      wilson(errorsOf(list, true))[1] <= goals.falseNonMatches,
  );
}

function measureHalves(): boolean {
  const pairs = readPairs(PAIRS);
  const halves = HALVES.map((half) => {
    const list = pairs.filter((pair) => halfOf(pair) === half);
    const ours = printMeasures(`Half ${half}`, list, GOALS);
    if (values.failures && half === 'develop') printFailures(list);
    return ours.falseMatches <= GOALS.falseMatches && ours.falseNonMatches <= GOALS.falseNonMatches;
  });
  return halves.every(Boolean);
}

process.exitCode = (values.pairs ? measureUnseen(values.pairs) : measureHalves()) ? 0 : 1;
