import { expect, test } from '@jest/globals';
import { functionsOf, synthesize, warningsOf } from './synthesis.ts';

/** The setting `supportContact`: the contact that the OpenAPI document of a stage names. */

const supportContact = 'help@example.com';

test.each(['staging', 'prod'] as const)('%s has a reminder until it sets a contact', (stage) => {
  const reminder = expect.stringMatching(
    new RegExp(`^infra/stages/${stage}\\.ts does not set supportContact\\.`),
  );
  expect(warningsOf(stage, {})).toContainEqual(reminder);
  expect(warningsOf(stage, { changes: { supportContact } })).not.toContainEqual(reminder);
});

test('dev and local need no contact', () => {
  for (const stage of ['dev', 'local'] as const)
    expect(warningsOf(stage, {}).join()).not.toContain('supportContact');
});

test('only the function that serves the document gets the contact', () => {
  const { functions, api } = synthesize('prod', { supportContact });
  const given = functionsOf(functions, api).filter(({ environment }) => 'SUPPORT_CONTACT' in environment);
  expect(given.map(({ name, environment }) => [name, environment['SUPPORT_CONTACT']])).toEqual([
    ['openapi', supportContact],
  ]);
});
