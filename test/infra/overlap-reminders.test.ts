import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildApp } from '../../infra/app.ts';
import type { StageConfig } from '../../infra/config.ts';
import { FUNCTION_NAMES } from '../../infra/routes.ts';
import { overlapReminders } from '../../infra/stages/overlap-reminders.ts';
import { prod } from '../../infra/stages/prod.ts';
import { pinFor } from '../support/pin-stages.ts';
import { context } from './synthesis.ts';

/** The reminders of docs/operations.md, "Domains". */

const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up';
const operations = {
  accountConcurrency: 1_000,
  domain: { name: 'api.example.ng', certificateArn },
  generatedUrl: { openUntil: '2027-01-31' },
  previousDomains: [{ name: 'api.example.com', certificateArn, openUntil: '2027-03-31' }],
} as const satisfies StageConfig['operations'];
const config = { ...prod, operations };

test('an address is not mentioned until its last day has passed', () => {
  expect(overlapReminders(config, '2027-01-31')).toEqual([]);
  expect(overlapReminders(config, '2027-02-01')).toEqual([
    expect.stringMatching(/^The URL that API Gateway generates .* 2027-01-31\. .* infra\/stages\/prod\.ts/),
  ]);
  expect(overlapReminders(config, '2027-04-01')).toEqual([
    expect.stringContaining('2027-01-31'),
    expect.stringMatching(/^The domain api\.example\.com .* 2027-03-31\. .* previousDomains/),
  ]);
});

test('a stage without a replaced address has no reminder', () => {
  expect(overlapReminders(prod, '2099-01-01')).toEqual([]);
  const closed = {
    ...prod,
    operations: { ...operations, generatedUrl: 'closed', previousDomains: [] },
  } as const;
  expect(overlapReminders(closed, '2099-01-01')).toEqual([]);
});

/** The reminders that the synthesis prints, and the template of the API stack. */
function synthesizeAt(now: string) {
  const directory = mkdtempSync(join(tmpdir(), 'overlap-'));
  try {
    const bundle = join(directory, 'bundle');
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'index.cjs'), '');
    const app = buildApp({
      outdir: join(directory, 'out'),
      context: context({ stage: 'prod' }),
      changes: { ...pinFor('prod'), operations },
      bundles: new Map(FUNCTION_NAMES.map((name) => [name, bundle])),
      builtinCloudFormationValidation: false,
      now: new Date(now),
    });
    const api = app.synth().getStackByName('identity-prod-api');
    const warnings = api.messages.filter(({ level }) => level === 'warning').map(({ entry }) => entry.data);
    return {
      reminders: warnings.filter((text) => String(text).includes('stay open')),
      template: api.template,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('the synthesis prints the reminders, and the date does not change the templates', () => {
  const before = synthesizeAt('2027-01-31T23:59:59Z');
  const after = synthesizeAt('2027-04-01T00:00:00Z');

  expect(before.reminders).toEqual([]);
  expect(after.reminders).toEqual(overlapReminders(config, '2027-04-01'));
  expect(after.template).toEqual(before.template);
});
