import { describe, expect, test } from '@jest/globals';
import { parseSource } from '../../house/project.ts';
import { branchesOf } from './find-branches.ts';
import { branchTable, coverageProblems } from './ledger-branches.ts';

const SOURCE = `
async function settle(row) {
  if (row.isOld) return 'old';
  for (const hold of row.holds) await clear(hold).catch(() => undefined);
  try {
    switch (row.kind) {
      case 'held':
        return row.isFull ? 'full' : 'open';
    }
  } catch {
    return row.cost ?? 0;
  }
  if (row.isOpen && (await isLogged(row))) {
    await release(row);
  } else await log(row);
}`;
const EXPECTED = [
  'if (row.isOld)',
  'if not (row.isOld)',
  'loop',
  'clear(hold).catch(() => undefined)',
  "case 'held'",
  "row.isFull ? 'full'",
  "row.isFull : 'open'",
  'catch',
  'if (row.isOpen && (await isLogged(row)))',
  'if not (row.isOpen && (await isLogged(row)))',
  'row.isOpen && await isLogged(row)',
];

describe('branches of the ledger', () => {
  test('every branch of a source is found, but not default values', () => {
    const branches = branchesOf(parseSource('shared/ledger/example.ts', SOURCE), SOURCE);
    expect(branches.map(({ name }) => name).sort()).toEqual(
      EXPECTED.map((label) => `ledger/example.ts settle: ${label}`).sort(),
    );
  });

  test('a branch that is reached too rarely is reported', () => {
    const counts = { 'ledger/sweep.ts sweepHold: often': 25, 'ledger/sweep.ts sweepHold: seldom': 24 };
    const problems = coverageProblems(counts, 50_000).filter((problem) => problem.startsWith('Reached'));
    expect(problems).toEqual(['Reached 24 times instead of at least 25: ledger/sweep.ts sweepHold: seldom']);
  });

  test('a branch that counts as unreachable is reported if it no longer exists, or if it is reached', () => {
    const name = 'ledger/end-operation.ts logAndRelease: if (consumes(stored, hold))';
    expect(coverageProblems({}, 1)).toContain(`The ledger has no such branch any more: ${name}`);
    expect(coverageProblems({ [name]: 1 }, 1)).toContain(
      `A branch that counts as unreachable was reached: ${name}`,
    );
    expect(branchTable({ [name]: 0 })).toMatch(/ 0 {2}ledger\/end-operation\.ts .*unreachable: /);
  });
});
