import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { STAGES, type StageConfig } from '../../infra/config.ts';
import { checkConfig } from '../../infra/stages/check-config.ts';
import { readConfig } from '../../infra/stages/read-config.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { synthesize } from './synthesis.ts';

function read(context: Record<string, unknown>): StageConfig {
  const root = new RootConstruct();
  for (const [key, value] of Object.entries(context)) root.node.setContext(key, value);
  return readConfig(root.node);
}

describe('the stages', () => {
  test.each(STAGES.filter((stage) => stage !== 'local'))(
    '%s cannot be synthesized with the sandbox as a live provider',
    (stage) => {
      const changes = { registries: { NIN: ['prembly'], BVN: ['dojah', 'sandbox'] } } as const;
      expect(() => synthesize(stage, changes)).toThrow(
        `infra/stages/${stage}.ts uses the sandbox, which returns invented records, for live BVN look-ups.`,
      );
    },
  );

  test('cannot be synthesized if every provider of an ID type requires names, which callers cannot send', () => {
    const routed = {
      NIN: ['qoreid'],
      BVN: ['qoreid', 'dojah'],
      CAC: ['qoreid'],
      TIN: ['qoreid'],
      NUBAN: [],
    } as const;
    expect(() => synthesize('staging', { registries: routed })).toThrow(
      "infra/stages/staging.ts routes live NIN look-ups only to providers that require the holder's names",
    );
    const usable = { ...routed, NIN: ['qoreid', 'prembly'] } as const;
    expect(() => checkConfig({ ...read({ stage: 'staging' }), registries: usable })).not.toThrow();
  });

  test('nubanResolve needs a provider with free name enquiries', () => {
    const routedTo = (...providers: ('dojah' | 'paystack')[]) => ({
      ...read({ stage: 'prod' }),
      nubanResolve: true,
      registries: { NUBAN: providers },
    });
    expect(() => checkConfig(routedTo('dojah'))).toThrow(
      'infra/stages/prod.ts sets nubanResolve, which needs a provider with free name enquiries. ' +
        'Add such a provider (paystack) to registries.NUBAN, or set nubanResolve to false.',
    );
    expect(() => checkConfig(routedTo('dojah', 'paystack'))).not.toThrow();
  });

  test('only local uses the sandbox for live keys', () => {
    for (const stage of STAGES) {
      const routed = Object.values(read({ stage }).registries).flat();
      expect(routed.includes('sandbox')).toBe(stage === 'local');
    }
  });

  test('local uses the sandbox for every ID type', () => {
    expect(read({ stage: 'local' }).registries).toEqual(
      Object.fromEntries(ID_TYPES.map((idType) => [idType, ['sandbox']])),
    );
  });

  test('dev is the default, and an unknown stage is rejected by name', () => {
    expect(read({}).stage).toBe('dev');
    expect(() => read({ stage: 'production' })).toThrow(
      'The stage "production" is unknown. Use one of: dev, staging, prod, local.',
    );
  });

  test('publicBaseUrl is an https URL without trailing slash', () => {
    expect(read({ publicBaseUrl: 'https://api.example.com' }).publicBaseUrl).toBe('https://api.example.com');
    for (const url of ['http://api.example.com', 'https://api.example.com/', 'api.example.com']) {
      expect(() => read({ publicBaseUrl: url })).toThrow(
        `The context value publicBaseUrl is "${url}". Use an https URL`,
      );
    }
  });
});

describe('invalid settings', () => {
  const accountConcurrency = 1_000;
  const domain = {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up',
  };
  const unknown = 'This setting is unknown. Correct its spelling or remove it.';

  test.each([
    [
      'a misspelt provider',
      { registries: { NIN: ['premblly'] } },
      'registries.NIN.0: "premblly" is not allowed. Use one of: prembly, dojah, qoreid, paystack, youverify, sandbox.',
    ],
    [
      'a misspelt ID type',
      { registries: { NINN: ['prembly'] } },
      'registries.NINN: "NINN" is not allowed. Use one of: NIN, BVN, CAC, TIN, NUBAN.',
    ],
    ['a switch that is a text', { nubanResolve: 'on' }, 'nubanResolve: Use true or false.'],
    ['a misspelt setting', { loglevel: 'INFO' }, `loglevel: ${unknown}`],
    [
      'a negative rate',
      { throttling: { rateLimit: -1, burstLimit: 0 } },
      'throttling.rateLimit: Use a number of at least 0.',
    ],
    [
      'a retention that CloudWatch does not support',
      { logRetentionDays: 31 },
      'logRetentionDays: 31 is not allowed. Use one of: 7, 30, 90, 365.',
    ],
    [
      'a memory size that Lambda does not support',
      { functionMemoryMb: 64 },
      'functionMemoryMb: Use a whole number from 128 to 10240.',
    ],
    [
      'an unknown rollout',
      { operations: { accountConcurrency, rollout: 'blue' } },
      'operations.rollout: "blue" is not allowed. Use one of: canary, linear.',
    ],
    [
      'a missing setting',
      { operations: {} },
      'operations.accountConcurrency: This setting is required. Add it.',
    ],
    ['a wrong type', { operations: 'none' }, 'operations: Use an object.'],
    ['registries that are not an object', { registries: 'prembly' }, 'registries: Use an object.'],
    [
      'a domain without a certificate',
      { operations: { accountConcurrency, domain: { name: 'api.example.com' } } },
      'operations.domain.certificateArn: This setting is required. Add it.',
    ],
    [
      'a domain with a scheme',
      { operations: { accountConcurrency, domain: { ...domain, name: 'https://api.example.com' } } },
      'operations.domain.name: Use a domain name without a scheme or path, for example api.example.com.',
    ],
    [
      'a firewall limit below the minimum of WAF',
      { operations: { accountConcurrency, firewall: { requestsPerAddress: 9 } } },
      'operations.firewall.requestsPerAddress: Use a whole number of at least 10.',
    ],
    [
      'reserved concurrency of an unknown function',
      { operations: { accountConcurrency, reservedConcurrency: { ninbasic: 5 } } },
      'operations.reservedConcurrency.ninbasic: "ninbasic" is not allowed. Use one of: nin-basic, ',
    ],
    [
      'reserved concurrency that leaves too little for the other functions',
      { operations: { accountConcurrency, reservedConcurrency: { health: 901 } } },
      'operations: Lower reservedConcurrency: the sum of its values must be at least 100 below accountConcurrency.',
    ],
    [
      'a restore of only one table',
      { restoredTables: { Wallets: 'back' } },
      'restoredTables.ApiKeys: This setting is required. Add it.',
    ],
  ])('%s is rejected with file, setting and advice', (_, changes, message) => {
    const config = { ...read({ stage: 'prod' }), ...changes } as unknown as StageConfig;
    expect(() => checkConfig(config)).toThrow(`infra/stages/prod.ts has invalid settings:\n- ${message}`);
  });

  test('all invalid settings are reported at once', () => {
    const config = {
      ...read({ stage: 'prod' }),
      logLevel: 'LOUD',
      registryTimeoutMs: 0,
    } as unknown as StageConfig;
    expect(() => checkConfig(config)).toThrow(/\n- registryTimeoutMs: .*\n- logLevel: /s);
  });

  test('the settings of all stages are valid, and so is a rate limit of 0 during a restore', () => {
    for (const stage of STAGES) expect(() => checkConfig(read({ stage }))).not.toThrow();
    const throttling = { rateLimit: 0, burstLimit: 0 };
    const operations = { accountConcurrency, domain, reservedConcurrency: { health: 900 } };
    expect(() => checkConfig({ ...read({ stage: 'prod' }), throttling, operations })).not.toThrow();
  });

  test('invalid settings stop the synthesis', () => {
    const changes = { registries: { NIN: ['premblly'] } } as unknown as Partial<StageConfig>;
    expect(() => synthesize('prod', changes)).toThrow('registries.NIN.0');
  });
});
