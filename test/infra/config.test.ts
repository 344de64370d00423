import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { STAGES, type StageConfig } from '../../infra/config.ts';
import { keylessTotal } from '../../infra/constructs/console/console-limits.ts';
import { INVOKED_BY_API } from '../../infra/routes.ts';
import { checkConfig } from '../../infra/stages/check-config.ts';
import { stackEnvironment } from '../../infra/stages/pin.ts';
import { readConfig } from '../../infra/stages/read-config.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { PIN, pinFor } from '../support/pin-stages.ts';
import { CONSOLE } from './console.ts';
import { MONEY_SETTINGS } from './money.ts';
import { synthesize } from './synthesis.ts';

function read(context: Record<string, unknown>): StageConfig {
  const root = new RootConstruct();
  for (const [key, value] of Object.entries(context)) root.node.setContext(key, value);
  return readConfig(root.node);
}

describe('the stages:', () => {
  test.each(STAGES.filter((stage) => stage !== 'local'))(
    '%s cannot be synthesised with the sandbox as a live provider',
    (stage) => {
      const changes = { registries: { NIN: ['prembly'], BVN: ['dojah', 'sandbox'] } } as const;
      expect(() => synthesize(stage, changes)).toThrow(
        `infra/stages/${stage}.ts uses the sandbox, which returns invented records, for live BVN look-ups.`,
      );
    },
  );

  test('a stage is rejected if every provider of an ID type requires names, which requests may lack', () => {
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
    expect(() => checkConfig({ ...read({ stage: 'staging' }), ...PIN, registries: usable })).not.toThrow();
  });

  test('rollout needs enough concurrent executions for the checks of all new versions', () => {
    const rollout = (accountConcurrency: number): StageConfig => ({
      ...read({ stage: 'prod' }),
      ...PIN,
      operations: { accountConcurrency, rollout: 'canary' },
    });
    const least = 2 * INVOKED_BY_API.length;
    expect(least).toBeGreaterThan(50);
    expect(() => checkConfig(rollout(least))).not.toThrow();
    expect(() => checkConfig(rollout(least - 1))).toThrow(
      `infra/stages/prod.ts sets operations.rollout, whose checks of new versions need ${least} concurrent executions at once. ` +
        `With operations.accountConcurrency ${least - 1}, remove rollout until AWS has raised the quota.`,
    );
  });

  test.each([
    ['without a console', {}],
    ['with a console', CONSOLE],
  ])('the limits in docs/operate/regions.md fit within the quota of af-south-1 %s', (_, more) => {
    const page = readFileSync(new URL('../../docs/operate/regions.md', import.meta.url), 'utf8');
    const [, limits = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const config = { ...read({ stage: 'prod' }), ...PIN, region: 'af-south-1', ...more };
    expect(() => checkConfig(config)).toThrow("use up the account's API Gateway quota");
    expect(() => checkConfig({ ...config, ...JSON.parse(limits) })).not.toThrow();
  });

  test('nubanResolve needs a provider with free name enquiries', () => {
    const routedTo = (...providers: ('dojah' | 'paystack')[]) => ({
      ...read({ stage: 'prod' }),
      ...PIN,
      nubanResolve: true,
      registries: { NUBAN: providers },
    });
    expect(() => checkConfig(routedTo('dojah'))).toThrow(
      'infra/stages/prod.ts sets nubanResolve, which needs a provider with free name enquiries. ' +
        'Add such a provider (paystack) to registries.NUBAN, or set nubanResolve to false.',
    );
    expect(() => checkConfig(routedTo('dojah', 'paystack'))).not.toThrow();
  });

  test('a budget is rejected in regions where CloudFormation does not support it', () => {
    const monthlyBudget = { usd: 300, scope: 'account' } as const;
    const operations = { accountConcurrency: 1_000, alarmEmail: 'on-call@example.com', monthlyBudget };

    expect(() => synthesize('prod', { operations, region: 'af-south-1' })).toThrow(
      'infra/stages/prod.ts sets operations.monthlyBudget, which CloudFormation does not support in af-south-1.',
    );
    expect(() => synthesize('prod', { operations, region: 'eu-west-1' })).not.toThrow();
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

  test('publicBaseUrl is an https URL without a trailing slash', () => {
    expect(read({ publicBaseUrl: 'https://api.example.com' }).publicBaseUrl).toBe('https://api.example.com');
    for (const url of ['http://api.example.com', 'https://api.example.com/', 'api.example.com']) {
      expect(() => read({ publicBaseUrl: url })).toThrow(
        `The context value publicBaseUrl is "${url}". Use an https URL`,
      );
    }
  });
});

describe('the account and region of a stage', () => {
  test.each([
    ['staging', {}, 'account or region', "account: '123456789012', region: 'eu-west-1'"],
    ['prod', {}, 'account or region', "account: '123456789012', region: 'eu-west-1'"],
    ['prod', { region: 'af-south-1' }, 'account', "account: '123456789012'"],
    ['prod', { account: '210987654321' }, 'region', "region: 'eu-west-1'"],
  ])(
    'are both required: the error for %s with only %j names the file and what is missing, with an example',
    (stage, pin, missing, example) => {
      const nothing = { account: undefined, region: undefined };
      expect(() => synthesize(stage, { ...nothing, ...pin })).toThrow(
        `infra/stages/${stage}.ts does not set ${missing}. Add the AWS ${missing.replace(' or ', ' and ')} of the stage, for example ${example} (`,
      );
    },
  );

  test.each(['dev', 'local'])('are not required in %s', (stage) => {
    expect(() => checkConfig(read({ stage }))).not.toThrow();
  });

  test('apply to the stacks, whatever the AWS profile', () => {
    const variables = { CDK_DEFAULT_REGION: 'us-east-1' };
    expect(stackEnvironment({ stage: 'prod', ...PIN }, variables)).toEqual(PIN);
    expect(stackEnvironment({ stage: 'dev', ...PIN }, variables)).toEqual(PIN);
    expect(JSON.stringify(synthesize('prod').access)).toContain(
      `:cloudformation:${PIN.region}:${PIN.account}:stack/identity-prod-data/*`,
    );
  });

  test('come from the AWS profile if the stage sets none, and are unspecified without a profile', () => {
    const variables = { CDK_DEFAULT_ACCOUNT: '210987654321', CDK_DEFAULT_REGION: 'us-east-1' };
    expect(stackEnvironment({ stage: 'dev' }, variables)).toEqual({
      account: '210987654321',
      region: 'us-east-1',
    });
    expect(stackEnvironment({ stage: 'dev', region: 'af-south-1' }, variables).region).toBe('af-south-1');
    expect(stackEnvironment({ stage: 'dev' }, {})).toEqual({});
  });

  test('stop the synthesis if the credentials belong to another account', () => {
    expect(() =>
      stackEnvironment({ stage: 'prod', ...PIN }, { CDK_DEFAULT_ACCOUNT: '210987654321' }),
    ).toThrow(
      'The prod stage is in the AWS account 123456789012 (infra/stages/prod.ts), but your credentials belong to the ' +
        'account 210987654321. Select a profile for the account 123456789012: AWS_PROFILE=<profile>.',
    );
    // The CDK CLI passes the account of the credentials in this variable.
    process.env['CDK_DEFAULT_ACCOUNT'] = '210987654321';
    try {
      expect(() => synthesize('prod')).toThrow('your credentials belong to the account 210987654321');
    } finally {
      delete process.env['CDK_DEFAULT_ACCOUNT'];
    }
  });

  test('cannot be set by the context value region, which earlier versions accepted', () => {
    expect(() => read({ region: 'af-south-1' })).toThrow(
      'The context value region has no effect. Set region in infra/stages/dev.ts instead.',
    );
  });
});

describe('the validation of settings:', () => {
  const accountConcurrency = 1_000;
  const domain = {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up',
  };
  const someTraffic = {
    requestsPerSecond: 10,
    concurrentRequests: 5,
    perOrganisation: { requestsPerSecond: 5, concurrentRequests: 2 },
  };
  const money = MONEY_SETTINGS;
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
    ['a switch that is a string', { nubanResolve: 'on' }, 'nubanResolve: Use true or false.'],
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
    [
      'an account that is a number',
      { account: 123456789012 },
      "account: Use the 12 digits of an AWS account in quotation marks, for example '123456789012'.",
    ],
    [
      'an account with 11 digits',
      { account: '12345678901' },
      "account: Use the 12 digits of an AWS account in quotation marks, for example '123456789012'.",
    ],
    [
      'an availability zone as region',
      { region: 'eu-west-1a' },
      "region: Use the name of an AWS region, for example 'eu-west-1'.",
    ],
    ['a wrong type', { operations: 'none' }, 'operations: Use an object.'],
    [
      'traffic hours that end before they begin',
      { operations: { accountConcurrency, trafficHours: { fromHourUtc: 18, toHourUtc: 7 } } },
      'operations.trafficHours: Set toHourUtc to a later hour than fromHourUtc, on the same day in UTC.',
    ],
    [
      'traffic hours of 24:30',
      { operations: { accountConcurrency, trafficHours: { fromHourUtc: 0, toHourUtc: 24.5 } } },
      'operations.trafficHours.toHourUtc: Use a whole number from 1 to 24.',
    ],
    [
      'quiet minutes that do not divide the hour',
      {
        operations: { accountConcurrency, trafficHours: { fromHourUtc: 7, toHourUtc: 18, quietMinutes: 45 } },
      },
      'operations.trafficHours.quietMinutes: 45 is not allowed. Use one of: 15, 30, 60.',
    ],
    [
      'a budget without an address for its emails',
      { operations: { accountConcurrency, monthlyBudget: { usd: 300, scope: 'account' } } },
      'operations.monthlyBudget: Set alarmEmail too: AWS sends the budget notifications to this address.',
    ],
    [
      'a probe without the address that customers use',
      { operations: { accountConcurrency, probeRegion: 'eu-central-1' } },
      'operations.probeRegion: Set domain too: the probe checks the address that customers use.',
    ],
    [
      'a budget of nothing',
      {
        operations: {
          accountConcurrency,
          alarmEmail: 'on-call@example.com',
          monthlyBudget: { usd: 0, scope: 'account' },
        },
      },
      'operations.monthlyBudget.usd: Use a whole number of at least 1.',
    ],
    [
      'a contact that is not an address',
      { supportContact: 'http://example.com' },
      'supportContact: Use an email address or an https URL, for example support@example.com.',
    ],
    [
      'an address of the documentation that is not an https URL',
      { docsUrl: 'docs.example.com' },
      'docsUrl: Use an https URL, for example https://docs.example.com/.',
    ],
    ['registries that are not an object', { registries: 'prembly' }, 'registries: Use an object.'],
    [
      'a domain without a certificate',
      { operations: { accountConcurrency, domain: { name: 'api.example.com' } } },
      'operations.domain: Add certificateArn, or hostedZone to create a certificate.',
    ],
    [
      'a domain outside its hosted zone',
      {
        operations: {
          accountConcurrency,
          domain: { name: 'api.myexample.com', hostedZone: { id: 'Z0MADEUP', name: 'example.com' } },
        },
      },
      'operations.domain: Use the hosted zone of the domain: name must end with hostedZone.name.',
    ],
    [
      'a domain that does not say what happens to the generated URL',
      { operations: { accountConcurrency, domain } },
      'operations.generatedUrl: With a domain, state whether customers can still use the URL that API Gateway generates',
    ],
    [
      'a misspelt state of the generated URL',
      { operations: { accountConcurrency, domain, generatedUrl: 'open' } },
      "operations.generatedUrl: Use 'closed', or an object with openUntil.",
    ],
    [
      'a day that does not exist',
      { operations: { accountConcurrency, domain, generatedUrl: { openUntil: '2027-02-31' } } },
      'operations.generatedUrl.openUntil: Use a date, for example 2027-03-31.',
    ],
    [
      'a closed URL without a domain, which would leave no address',
      { operations: { accountConcurrency, generatedUrl: 'closed' } },
      'operations.generatedUrl: Remove it: without a domain, the URL that API Gateway generates is the address of the API.',
    ],
    [
      'a previous domain without a day',
      { operations: { accountConcurrency, previousDomains: [domain] } },
      'operations.previousDomains.0.openUntil: This setting is required. Add it.',
    ],
    [
      'the same domain twice',
      {
        operations: {
          accountConcurrency,
          domain,
          generatedUrl: 'closed',
          previousDomains: [{ ...domain, openUntil: '2027-03-31' }],
        },
      },
      'operations.previousDomains: Name each domain once, in domain or in previousDomains.',
    ],
    [
      'a domain with a scheme',
      { operations: { accountConcurrency, domain: { ...domain, name: 'https://api.example.com' } } },
      'operations.domain.name: Use a domain name without a scheme or path, for example api.example.com.',
    ],
    [
      'a firewall limit below the minimum of WAF',
      { operations: { accountConcurrency, firewall: { requestsPerAddressPerMinute: 9 } } },
      'operations.firewall.requestsPerAddressPerMinute: Use a whole number of at least 10.',
    ],
    [
      'reserved concurrency of an unknown function',
      { reservedConcurrency: { ninbasic: 5 } },
      'reservedConcurrency.ninbasic: "ninbasic" is not allowed. Use one of: nin-basic, ',
    ],
    [
      'fewer webhooks at once than Lambda accepts',
      { webhookConcurrency: 1 },
      'webhookConcurrency: Use a whole number from 2 to 1000.',
    ],
    [
      'a budget for test traffic without a share for each organisation',
      { testTraffic: { requestsPerSecond: 10, concurrentRequests: 5 } },
      'testTraffic.perOrganisation: This setting is required. Add it.',
    ],
    [
      'a budget for test traffic that allows nothing',
      { testTraffic: { ...someTraffic, requestsPerSecond: 0 } },
      'testTraffic.requestsPerSecond: Use a whole number of at least 1.',
    ],
    [
      'a seller without a tax number, which every invoice needs',
      { money: { ...money, seller: { ...money.seller, taxNumber: undefined } } },
      'money.seller.taxNumber: Use a tax number of 10 or 13 digits, or of 12 digits with a hyphen, for example 12345678-0001.',
    ],
    [
      'a tax number with a letter',
      { money: { ...money, seller: { ...money.seller, taxNumber: '1234567O-0001' } } },
      'money.seller.taxNumber: Use a tax number of 10 or 13 digits, or of 12 digits with a hyphen, for example 12345678-0001.',
    ],
    [
      'a seller without an address',
      { money: { ...money, seller: { ...money.seller, address: [] } } },
      'money.seller.address: Use a list of 1 to 5 lines of text.',
    ],
    [
      'a rate of VAT in percent with a fraction',
      { money: { ...money, vat: [{ from: '2020-02-01', basisPoints: 7.5 }] } },
      'money.vat.0.basisPoints: Use a whole number from 0 to 10000.',
    ],
    [
      'no rate of VAT',
      { money: { ...money, vat: [] } },
      'money.vat: Use a list of rates, for example [{ from: "2020-02-01", basisPoints: 750 }].',
    ],
    [
      'two rates of VAT from the same day',
      { money: { ...money, vat: [...money.vat, ...money.vat] } },
      'money.vat: List the rates by date, oldest first, each date once.',
    ],
    [
      'document numbers that look like those of test wallets',
      { money: { ...money, documentPrefix: 'TESTS' } },
      'money.documentPrefix: Use 2 to 6 capital letters that do not begin with TEST, for example IDV.',
    ],
    [
      'a largest order below the smallest order',
      { money: { ...money, leastCredits: 10, mostCredits: 9 } },
      'money.mostCredits: Set mostCredits to at least leastCredits.',
    ],
    [
      'an archive without a retention',
      { auditArchive: { retentionDays: 0 } },
      'auditArchive.retentionDays: Use a whole number from 1 to 36500.',
    ],
    [
      'an archive in an unreadable account',
      { auditArchive: { retentionDays: 1, bucket: { name: 'example', account: '1' } } },
      'auditArchive.bucket.account: Use the 12 digits',
    ],
    [
      'a bucket that is an ARN',
      { money: { ...money, exportBucket: 'arn:aws:s3:::reports' } },
      'money.exportBucket: Use the name of an S3 bucket, for example example-finance-reports.',
    ],
    [
      'a restore of only one table',
      { restoredTables: { Wallets: 'back' } },
      'restoredTables.ApiKeys: This setting is required. Add it.',
    ],
  ])('%s is rejected with an error that names the setting and gives advice', (_, changes, message) => {
    const config = { ...read({ stage: 'prod' }), ...changes } as unknown as StageConfig;
    expect(() => checkConfig(config)).toThrow(`infra/stages/prod.ts has invalid settings:\n- ${message}`);
  });

  test.each<[string, Partial<StageConfig>, string]>([
    [
      'reserved concurrency that leaves too little for the other functions',
      { reservedConcurrency: { health: 901 } },
      'infra/stages/prod.ts reserves too much concurrency. Lower reservedConcurrency: the sum of its values must be at least 100 below operations.accountConcurrency (1000).',
    ],
    [
      'test traffic that may take more than half of the account',
      { testTraffic: { ...someTraffic, concurrentRequests: 251 } },
      'infra/stages/prod.ts sets testTraffic.concurrentRequests to 251. Use at most 250: each look-up with a test key occupies two executions',
    ],
    [
      'webhooks that may take more than half of the account',
      { webhookConcurrency: 501 },
      'infra/stages/prod.ts sets webhookConcurrency to 501. Use at most 500: webhooks may occupy at most half of operations.accountConcurrency (1000).',
    ],
    [
      'more test traffic than one row can count',
      { testTraffic: { ...someTraffic, requestsPerSecond: 61 } },
      'infra/stages/prod.ts sets testTraffic.requestsPerSecond to 61. Use at most 60.',
    ],
    [
      'an organisation that may take all test traffic',
      { testTraffic: { ...someTraffic, perOrganisation: { requestsPerSecond: 5, concurrentRequests: 5 } } },
      'infra/stages/prod.ts lets one organisation use all the capacity for test traffic. Set testTraffic.perOrganisation.concurrentRequests below testTraffic.concurrentRequests (5).',
    ],
    [
      'a firewall that lets two addresses use half of the rate of the stage',
      { operations: { accountConcurrency, firewall: { requestsPerAddressPerMinute: 15_000 } } },
      'infra/stages/prod.ts sets operations.firewall.requestsPerAddressPerMinute to 15000. Use less than 15000, or raise throttling.rateLimit (1000 requests per second): two addresses together must stay below half of it.',
    ],
    [
      'an address that would receive the Paystack secret keys',
      { money: { ...money, paystackUrl: 'https://api.paystack.example' } },
      'infra/stages/prod.ts sets money.paystackUrl to https://api.paystack.example. Use https://api.paystack.co: the stage sends the Paystack secret keys to this address.',
    ],
  ])('%s is rejected with an error that names the file and a better value', (_, changes, message) => {
    const config = { ...read({ stage: 'prod' }), operations: { accountConcurrency }, ...changes };
    expect(() => checkConfig(config)).toThrow(message);
  });

  test("the firewall of each stage keeps two addresses together below half of the stage's rate limit", () => {
    for (const stage of STAGES) {
      const { throttling, operations } = read({ stage });
      const limit = operations?.firewall?.requestsPerAddressPerMinute ?? 0;
      expect((2 * limit) / 60).toBeLessThan(throttling.rateLimit / 2);
    }
  });

  test('only the local stage can omit operations', () => {
    for (const stage of STAGES.filter((one) => one !== 'local')) {
      const { operations: _, ...config } = { ...read({ stage }), ...pinFor(stage) };
      expect(() => checkConfig(config)).toThrow(`infra/stages/${stage}.ts has no operations. Add`);
    }
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
    for (const stage of STAGES)
      expect(() => checkConfig({ ...read({ stage }), ...pinFor(stage) })).not.toThrow();
    const throttling = { rateLimit: 0, burstLimit: 0 };
    const firewall = { requestsPerAddressPerMinute: 12_000 };
    const operations = { accountConcurrency, domain, generatedUrl: 'closed', firewall } as const;
    const settings = { throttling, operations, reservedConcurrency: { health: 900 } } as const;
    expect(() => checkConfig({ ...read({ stage: 'prod' }), ...PIN, ...settings })).not.toThrow();
  });

  describe('the limits of API Gateway', () => {
    const check = (changes: Partial<StageConfig>) => () =>
      checkConfig({ ...read({ stage: 'prod' }), ...PIN, ...changes });
    const unknown = { rateLimit: 1, burstLimit: 2 };

    test("must leave enough of the account's quota for the limit of a route with a key", () => {
      const keylessThrottling = {
        routes: { rateLimit: 20, burstLimit: 40 },
        unknown: { rateLimit: 30, burstLimit: 2 },
      };
      expect(check({ keylessThrottling })).toThrow(
        /^infra\/stages\/prod\.ts lets requests without an API key use up the account's API Gateway quota\. .*\(keylessThrottling\), a route with a key accepts 1000 requests per second with a burst of 2000 \(throttling\), and the account accepts 10000 requests per second with a burst of 5000\. Lower keylessThrottling or throttling/,
      );
      const routes = { rateLimit: 20, burstLimit: 400 };
      expect(check({ keylessThrottling: { routes, unknown } })).toThrow(
        "use up the account's API Gateway quota",
      );
    });

    test('must be within the lower quota of some regions', () => {
      expect(check({ region: 'af-south-1' })).toThrow(
        'the account accepts 2500 requests per second with a burst of 1250.',
      );
      const { burstLimit } = keylessTotal(read({ stage: 'prod' }));
      const throttling = { rateLimit: 1_000, burstLimit: 1_250 - burstLimit };
      expect(check({ region: 'af-south-1', throttling })).not.toThrow();
    });

    test('must be within the quota that the stage declares', () => {
      const quota = (rateLimit: number) => ({
        operations: { accountConcurrency, accountThrottling: { rateLimit, burstLimit: 5_000 } },
      });
      const { rateLimit } = keylessTotal(read({ stage: 'prod' }));
      expect(check(quota(999 + rateLimit))).toThrow(`the account accepts ${999 + rateLimit} requests`);
      expect(check(quota(1_000 + rateLimit))).not.toThrow();
    });
  });

  test('invalid settings stop the synthesis', () => {
    const changes = { registries: { NIN: ['premblly'] } } as unknown as Partial<StageConfig>;
    expect(() => synthesize('prod', changes)).toThrow('registries.NIN.0');
  });
});
