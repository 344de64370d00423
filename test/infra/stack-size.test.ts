import { describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../infra/routes.ts';
import { CONSOLE } from './console.ts';
import { MONEY } from './money.ts';
import { apiBodyOf, synthesize } from './synthesis.ts';

/** CloudFormation and API Gateway limit what a stack and an API can contain. Every route of contract A3 must fit. */

const hostedZone = { id: 'Z0MADEUP', name: 'example.com' };
const templates = synthesize('prod', {
  ...MONEY,
  ...CONSOLE,
  operations: {
    accountConcurrency: 1_000,
    alarmEmail: 'alarms@example.com',
    rollout: 'canary',
    firewall: { requestsPerAddressPerMinute: 1_000 },
    domain: { name: 'api.example.com', hostedZone },
    generatedUrl: 'closed',
    previousDomains: [{ name: 'old.example.com', hostedZone, openUntil: '2027-03-31' }],
  },
  registries: { NIN: ['prembly', 'dojah'], NUBAN: ['paystack'] },
});
/**
 * CloudFormation allows 500, so 200 are left for unplanned resources. Only routes are added to the stack of functions:
 * seven resources each, and a role for each four.
 */
const MOST_RESOURCES = {
  data: 300,
  webhooks: 300,
  functions: 400,
  api: 300,
  console: 300,
  operators: 300,
  operations: 300,
  access: 300,
} as const;
const stacks = Object.keys(MOST_RESOURCES) as (keyof typeof MOST_RESOURCES)[];
const sizeOf = (stack: keyof typeof MOST_RESOURCES) =>
  Object.keys(templates[stack].toJSON()['Resources']).length;

describe('with every route of contract A3,', () => {
  const paths = Object.keys(apiBodyOf(templates.api).paths);

  test('the API has a path for each route', () => {
    for (const { path } of ROUTES)
      expect(paths).toEqual(expect.arrayContaining([`/v1${path}`, `/api/v1${path}`]));
  });

  test.each(Object.entries(MOST_RESOURCES))('the stack %s has at most %i resources', (stack, most) => {
    expect(sizeOf(stack as keyof typeof MOST_RESOURCES)).toBeLessThanOrEqual(most);
  });

  test('twenty more routes would fit into the stack of functions and the API stack', () => {
    expect(sizeOf('functions') + 20 * 7 + 20 / 4).toBeLessThanOrEqual(MOST_RESOURCES.functions);
    expect(sizeOf('api') + 20).toBeLessThanOrEqual(MOST_RESOURCES.api);
  });

  // CloudFormation allows 1 MB.
  test.each(stacks)('the template of the stack %s is smaller than 500 KB', (stack) => {
    expect(JSON.stringify(templates[stack].toJSON()).length).toBeLessThan(500_000);
  });

  // API Gateway allows 300 by default (API Gateway Developer Guide, "Quotas for configuring a REST API").
  test('the API has at most 150 resources', () => {
    expect(paths.length).toBeLessThanOrEqual(150);
  });
});
