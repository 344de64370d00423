import { describe, expect, test } from '@jest/globals';
import { parseExpiry, parseTime } from '../../../clients/operator/arguments.ts';
import { run } from '../../../clients/operator/program.ts';
import { captureOutput } from '../../support/captured-output.ts';

const ORG = 'kBDG57GjU9';

async function rejection(...args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const output = captureOutput();
  const code = await run(args);
  output.restore();
  return { code, stderr: output.stderr };
}

describe('a date that does not exist', () => {
  test.each([
    `key create ${ORG} --env live --label till --expires`,
    `wallet top-up ${ORG} 5 --reference INV-1 --effective-at`,
    `wallet correct ${ORG} 5 --reference T-1 --reason ticket --effective-at`,
    `wallet statement ${ORG} --from`,
    `wallet statement ${ORG} --to`,
    'audit --from',
    'audit --to',
    `privacy impact ${ORG} --env live --key till --from`,
    `privacy impact ${ORG} --env live --key till --from 2026-01-01 --to`,
  ])('is rejected by %s', async (command) => {
    const { code, stderr } = await rejection('--local', ...command.split(' '), '2027-02-30');
    expect(code).toBe(2);
    expect(stderr).toContain('There is no 30 February 2027.');
  });

  test.each([
    ['2027-02-29', 'There is no 29 February 2027.'],
    ['2027-04-31T10:00+01:00', 'There is no 31 April 2027.'],
    ['2027-01-00', 'There is no 0 January 2027.'],
    ['2027-13-01', 'It must be a date'],
    ['2027-01-31T24:00Z', 'It must be a date'],
  ])('%s is rejected with: %s', (text, message) => {
    expect(() => parseTime(text)).toThrow(message);
  });
});

test.each(['audit', `wallet statement ${ORG}`])('%s rejects two output formats', async (command) => {
  const { code, stderr } = await rejection('--local', '--json', ...command.split(' '), '--format', 'csv');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: '`--json` and `--format csv` cannot be used together. Pass only one of them.\n',
  });
});

test('a date that exists is kept, even if its day differs in UTC', () => {
  expect(parseTime('2028-02-29')).toBe('2028-02-29T00:00:00.000Z');
  expect(parseTime('2027-02-28T23:30-05:00')).toBe('2027-03-01T04:30:00.000Z');
  expect(parseExpiry('2028-02-29', 0)).toBe('2028-02-29T00:00:00.000Z');
});
