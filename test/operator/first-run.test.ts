import { expect, test } from '@jest/globals';
import { FIRST_RUN_CHECKS, type FirstRunCheck } from '../../clients/operator/first-run/checks.ts';
import { formatReport, runCheck } from '../../clients/operator/first-run/run-checks.ts';
import { BASE_ENVIRONMENT } from '../support/programs.ts';

/** `npm run first-real-run`. `npm run deploy:emulator` runs all checks that an emulator can show. */

const check = (more: Partial<FirstRunCheck>): FirstRunCheck => ({
  name: 'made up',
  shows: 'Nothing.',
  ...more,
});
const runOf = (variables: NodeJS.ProcessEnv = {}, seen = '', isEmulated = false) => ({
  variables: { ...BASE_ENVIRONMENT, ...variables },
  isEmulated,
  ask: async () => seen,
});

test('a check passes if its command succeeds and prints what is expected', async () => {
  const passes = /^ready$/;
  const rows = [
    await runCheck(check({ command: 'echo ready', passes }), runOf()),
    await runCheck(check({ command: 'echo not ready', passes }), runOf()),
    await runCheck(check({ command: 'echo ready && exit 3', passes }), runOf()),
    await runCheck(check({ command: 'true' }), runOf()),
  ];

  expect(rows.map(({ state }) => state)).toEqual(['passed', 'failed', 'failed', 'passed']);
  expect(rows.map(({ evidence }) => evidence)).toContain('exit code 3\nready');
});

test('a value that a check saves is a variable of later ones, which are not run without it', async () => {
  const run = runOf();
  const later = check({ command: 'test "$ORG" = abc', needs: ['ORG'] });
  const before = await runCheck(later, run);
  await runCheck(check({ command: 'echo "id: abc"', saves: { ORG: /id: (\w+)/ } }), run);
  const after = await runCheck(later, run);

  expect([before.state, before.evidence, after.state]).toEqual(['not checked', 'It needs ORG.', 'passed']);
  const lost = await runCheck(check({ command: 'true', saves: { KEY: /(key)/ } }), run);
  expect(lost.state).toBe('failed');
});

test('a person says what they saw, and a check without an answer is not checked', async () => {
  const asked = check({ ask: 'What arrived?' });

  expect(await runCheck(asked, runOf({}, 'one email'))).toMatchObject({
    ...{ state: 'passed', evidence: 'What arrived? one email' },
  });
  expect((await runCheck(asked, runOf())).state).toBe('not checked');
});

test('the report contains every check with its command and evidence, but no key and no identity number', async () => {
  const run = runOf({ KEY: 'idv_test_a1B2c3', NUMBER: '12345678901' });
  const rows = [
    await runCheck(check({ command: 'echo "key $KEY of $NUMBER"' }), run),
    await runCheck(check({ onlyOnAws: 'IAM' }), runOf({}, '', true)),
  ];
  const report = formatReport('A run', rows);

  expect(report).toContain('1 passed, 0 failed, 0 not checked, 1 not checkable here');
  expect(report).toContain('key idv_test_... of <number>');
  expect(report).toContain('It needs IAM.');
  expect(report).not.toMatch(/a1B2c3|12345678901/);
});

test('every check has a unique name, and does something or asks someone', () => {
  const names = FIRST_RUN_CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, command, ask } of FIRST_RUN_CHECKS)
    expect([name, command ?? ask]).toEqual([name, expect.any(String)]);
});
