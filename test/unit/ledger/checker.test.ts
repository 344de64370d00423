import { expect, test } from '@jest/globals';
import { checkVersions } from '../../ledger/checker/check-commit.ts';
import type { Commit, JsonRow, RowVersion } from '../../ledger/checker/evidence.ts';
import { LedgerState } from '../../ledger/checker/ledger-state.ts';

/** Tests the independent checker of the ledger in cases that the random histories rarely reach. */

const WALLET = 'live#ORG';
const OPERATION = 'OP000001';
const RULE = 'an operation is logged only after it is decided';

const commit = (versions: readonly RowVersion[], isExpiry = false): Commit => ({
  atMs: Date.UTC(2026, 10, 26),
  versions,
  isExpiry,
  isUnconditional: false,
});

function charge(row: JsonRow | null): RowVersion {
  return { table: 'Wallets', pk: `${WALLET}#${OPERATION}`, sk: 'CHARGE', row };
}

function log(tag: string): RowVersion {
  const pk = `${WALLET}#${tag}`;
  const row = { pk, sk: OPERATION, operationId: OPERATION, outcome: 'NOT_FOUND', creditsCharged: 0 };
  return { table: 'VerificationLogs', pk, sk: OPERATION, row };
}

/** Returns the rules that the last of these commits violates. */
function violated(commits: readonly Commit[]): string[] {
  const state = new LedgerState([WALLET]);
  let rules: string[] = [];
  for (const one of commits) {
    rules = [];
    checkVersions(state, one, new Map(), (rule) => rules.push(rule));
    state.apply(one);
  }
  return rules;
}

const VOID = { outcome: 'NOT_FOUND', state: 'VOID', cost: 1 };

test('an operation must be decided before it is logged', () => {
  expect(violated([commit([log('tag')])])).toEqual([RULE]);
  expect(violated([commit([charge(VOID)]), commit([log('tag')])])).toEqual([]);
});

test('an erasure may move a log row after the charge row of its operation has expired', () => {
  const logged = [commit([charge(VOID)]), commit([log('tag')]), commit([charge(null)], true)];
  expect(violated([...logged, commit([log(`erased.${OPERATION}`)])])).toEqual([]);
});
