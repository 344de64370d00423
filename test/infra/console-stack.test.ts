import { describe, expect, test } from '@jest/globals';
import { STAGES, type StageConfig } from '../../infra/config.ts';
import {
  CONSOLE_ALERTS,
  CONSOLE_FUNCTIONS,
  CONSOLE_SCHEDULES,
  CONSOLE_SITE,
  DELIVER_WEBHOOK,
  START_WEBHOOKS,
} from '../../infra/console-routes.ts';
import { apiLimits } from '../../infra/constructs/api/api-limits.ts';
import { consoleLimits, keylessTotal } from '../../infra/constructs/console/console-limits.ts';
import { ROUTES } from '../../infra/routes.ts';
import { checkConfig } from '../../infra/stages/check-config.ts';
import { prod } from '../../infra/stages/prod.ts';
import { CONSOLE_ROUTES } from '../../shared/http/console/routes.ts';
import { SECURITY_HEADERS } from '../../shared/http/console/security-headers.ts';
import { WEBHOOK_EVENTS } from '../../shared/webhooks/start-webhooks.ts';
import { PIN } from '../support/pin-stages.ts';
import { CONSOLE, CONSOLE_SETTINGS } from './console.ts';
import {
  apiBodyOf,
  type DeployedFunction,
  functionsOf,
  listOf,
  operationsOf,
  type Properties,
  resourcesOf,
  synthesize,
} from './synthesis.ts';

const templates = synthesize('prod', CONSOLE);
const { console: stack, data, webhooks } = templates;
const functions = functionsOf(stack);

function only(type: string, template = stack): Properties {
  const [resource, ...others] = resourcesOf(template, type).values();
  if (!resource || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
  return resource.Properties;
}

function named(name: string): DeployedFunction {
  const found = functions.find((one) => one.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

describe('the routes of the console', () => {
  const served = operationsOf(stack);

  /** Returns the function in the URI of an operation. */
  function functionAt(operation: string): string | undefined {
    const uri = JSON.stringify(served.get(operation)?.['x-amazon-apigateway-integration'].uri);
    return functions.find(({ logicalId }) => uri?.includes(`"${logicalId}"`))?.name;
  }

  test('match their functions one to one, by name', () => {
    expect(CONSOLE_FUNCTIONS.map(({ route }) => route).sort()).toEqual(Object.keys(CONSOLE_ROUTES).sort());
    for (const { name, route } of CONSOLE_FUNCTIONS) expect(name).toBe(`console-${route}`);
    expect(functions.map(({ name }) => name).sort()).toEqual(
      [
        ...CONSOLE_FUNCTIONS,
        ...CONSOLE_SCHEDULES,
        CONSOLE_SITE,
        CONSOLE_ALERTS,
        START_WEBHOOKS,
        DELIVER_WEBHOOK,
      ]
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each(Object.entries(CONSOLE_ROUTES))('serve %s at its method and path', (name, { method, path }) => {
    expect(functionAt(`${method} /console/api${path}`)).toBe(`console-${name}`);
  });

  test('leave all other methods and paths to the pages', () => {
    const paths = Object.keys(apiBodyOf(stack).paths);
    expect(paths).toEqual(expect.arrayContaining(['/', '/{proxy+}', '/console/api']));
    for (const path of paths) expect(functionAt(`ANY ${path}`)).toBe('console-site');
    for (const method of ['GET', 'HEAD']) {
      expect(functionAt(`${method} /`)).toBe('console-site');
      expect(functionAt(`${method} /{proxy+}`)).toBe('console-site');
    }
  });

  test('have one address, at the domain of the console', () => {
    expect(only('AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: 'console.example.com',
      SecurityPolicy: 'TLS_1_2',
    });
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
      Name: 'identity-prod-console',
      DisableExecuteApiEndpoint: true,
    });
    stack.hasOutput('ConsoleUrl', { Value: 'https://console.example.com/' });
    // The role for API Gateway's logs belongs to the account, and the API stack sets it.
    stack.resourceCountIs('AWS::ApiGateway::Account', 0);
  });
});

describe('the limits of the console', () => {
  const [stage] = resourcesOf(stack, 'AWS::ApiGateway::Stage').values();
  const settings = stage?.Properties['MethodSettings'] as {
    readonly ResourcePath: string;
    readonly HttpMethod: string;
    readonly ThrottlingRateLimit: number;
    readonly ThrottlingBurstLimit: number;
  }[];
  const limits = new Map(
    settings.map((one) => [
      `${one.HttpMethod} ${one.ResourcePath.replace('/~1', '~1').replaceAll('~1', '/')}`,
      [one.ThrottlingRateLimit, one.ThrottlingBurstLimit] as const,
    ]),
  );

  test.each([
    ['GET /console/api/session/start', 20, 10],
    ['GET /console/api/session/callback', 20, 10],
    ['POST /console/api/sign-up', 20, 10],
    ['GET /console/api/home', 80, 15],
    ['POST /console/api/keys', 80, 15],
    ['GET /', 80, 50],
    ['GET /{proxy+}', 80, 50],
    ['* /*', 1, 1],
  ])('allow %s %d requests per second with a burst of %d', (method, rate, burst) => {
    expect(limits.get(method)).toEqual([rate, burst]);
  });

  test('name only methods that exist', () => {
    const known = operationsOf(stack);
    for (const method of limits.keys()) if (method !== '* /*') expect(known.has(method)).toBe(true);
  });

  test('are 0 if those of the stage are, so that a restore can reject all requests', () => {
    const closed = synthesize('prod', { ...CONSOLE, throttling: { rateLimit: 0, burstLimit: 0 } }).console;
    const text = JSON.stringify(only('AWS::ApiGateway::Stage', closed)['MethodSettings']);
    expect(new Set(text.match(/(?<=Throttling\w+Limit":)\d+/g))).toEqual(new Set(['0']));
  });

  test("count towards the account's quota as if each HTTP method of a path had its own limit", () => {
    const paths = Object.keys(apiBodyOf(stack).paths);
    const methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE'];
    const all = paths.flatMap((path) =>
      methods.map((method) => limits.get(`${method} ${path}`) ?? limits.get('* /*') ?? [0, 0]),
    );
    const api = keylessTotal(prod);
    const both = keylessTotal({ ...prod, ...CONSOLE });
    const sum = (index: 0 | 1) => all.reduce((total, limit) => total + limit[index], 0);
    expect([both.rateLimit - api.rateLimit, both.burstLimit - api.burstLimit]).toEqual([sum(0), sum(1)]);
  });

  test('for one address are lower than those of the API', () => {
    const limitOf = (template: typeof stack) =>
      Number(/"Limit":(\d+)/.exec(JSON.stringify(only('AWS::WAFv2::WebACL', template)))?.[1]);
    expect(limitOf(stack)).toBe(240);
    expect(limitOf(templates.api)).toBe(12_000);
    expect(only('AWS::WAFv2::WebACL')).toMatchObject({
      VisibilityConfig: { MetricName: 'identity-prod-console', SampledRequestsEnabled: false },
    });
    const operations = { accountConcurrency: 1_000, firewall: { requestsPerAddressPerMinute: 100 } };
    expect(limitOf(synthesize('prod', { ...CONSOLE, operations }).console)).toBe(100);
  });
});

describe('the firewalls', () => {
  interface Rule {
    readonly Statement: {
      readonly RateBasedStatement: {
        readonly Limit: number;
        readonly ScopeDownStatement?: { readonly RegexMatchStatement: { readonly RegexString: string } };
      };
    };
  }
  /** Returns the number of requests that a firewall accepts from one address in a minute. */
  function acceptedFrom(path: string, template: typeof stack): number {
    const rules = only('AWS::WAFv2::WebACL', template)['Rules'] as readonly Rule[];
    const limits = rules.map(({ Statement: { RateBasedStatement: rate } }) => {
      const { RegexString } = rate.ScopeDownStatement?.RegexMatchStatement ?? {};
      return RegexString === undefined || new RegExp(RegexString).test(path) ? rate.Limit : Infinity;
    });
    return Math.min(...limits);
  }
  const open = [
    ...ROUTES.filter(({ isKeyless }) => isKeyless).map(
      ({ method, path }) => [`/v1${path}`, method, apiLimits(prod), templates.api] as const,
    ),
    ...(['start-sign-in', 'finish-sign-in', 'sign-up'] as const).map((name) => {
      const { method, path } = CONSOLE_ROUTES[name];
      return [`/console/api${path}`, method, consoleLimits(prod), stack] as const;
    }),
  ];

  test.each(open)(
    'let one address use at most a fifth of what all can send to %s %s',
    (path, method, limits, template) => {
      const { rateLimit = 0 } = limits.routes[`${path}/${method}`] ?? {};
      for (const spelling of [path, `/prod${path}`, `${path}/`, `/api${path}`])
        expect(acceptedFrom(spelling.replace('{token}', 'AbC-_1'), template) / 60).toBeLessThanOrEqual(
          rateLimit / 5,
        );
    },
  );

  test('let no 19 addresses fill a route of the console', () => {
    const { routes } = consoleLimits(prod);
    for (const [route, { rateLimit }] of Object.entries(routes)) {
      const path = route.slice(0, route.lastIndexOf('/'));
      expect([path, (19 * acceptedFrom(path, stack)) / 60 < rateLimit]).toEqual([path, true]);
    }
  });

  test('have a lower limit only for paths that anyone may call', () => {
    for (const { path } of ROUTES.filter(({ isKeyless }) => !isKeyless))
      expect(acceptedFrom(`/v1${path}`, templates.api)).toBe(12_000);
    for (const path of ['/', '/console/api/session', '/console/api/home', '/console/api/status'])
      expect(acceptedFrom(path, stack)).toBe(240);
  });
});

describe('the responses that API Gateway generates for the console', () => {
  const responses = apiBodyOf(stack)['x-amazon-apigateway-gateway-responses'];
  const ofApi = apiBodyOf(templates.api)['x-amazon-apigateway-gateway-responses'];

  test('have the same types as those of the API, in the envelope of the console', () => {
    expect(Object.keys(responses).sort()).toEqual(Object.keys(ofApi).sort());
    for (const [type, { statusCode, responseTemplates }] of Object.entries(responses)) {
      const body = JSON.parse(responseTemplates['application/json']);
      expect(statusCode).toBe(ofApi[type]?.statusCode);
      expect(body).toMatchObject({
        success: false,
        data: null,
        meta: { request_id: '$context.requestId', timestamp: '' },
      });
      expect(Object.keys(body)).not.toContain('summary');
      expect(body.message).not.toMatch(/charged/);
    }
  });

  test('have the security headers except the CSP, whose quotation marks API Gateway cannot send', () => {
    for (const { responseParameters } of Object.values(responses))
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        const sent = responseParameters[`gatewayresponse.header.${name}`];
        expect([name, sent]).toEqual([name, name === 'Content-Security-Policy' ? undefined : `'${value}'`]);
      }
  });
});

describe('the user pool', () => {
  const [pool] = resourcesOf(data, 'AWS::Cognito::UserPool').values();

  test('survives the deletion of its stack', () => {
    expect(pool).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { DeletionProtection: 'ACTIVE' },
    });
  });

  test('requires a second factor: an authenticator app', () => {
    expect(pool?.Properties).toMatchObject({
      UserPoolTier: 'ESSENTIALS',
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      Policies: {
        SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] },
        PasswordPolicy: { MinimumLength: 12 },
      },
    });
  });

  test('lets nobody sign up there, recovers accounts by email, and sends no SMS', () => {
    expect(pool?.Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      AutoVerifiedAttributes: ['email'],
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    });
    expect(pool?.Properties).not.toHaveProperty('SmsConfiguration');
    data.resourceCountIs('AWS::IAM::Role', 0);
  });

  test("sends emails from the console's address, or from Cognito's if there is no console", () => {
    const email = pool?.Properties['EmailConfiguration'] as Properties;
    expect(email).toMatchObject({ EmailSendingAccount: 'DEVELOPER', From: 'console@example.com' });
    expect(JSON.stringify(email['SourceArn'])).toMatch(/:ses:.*:identity\/example\.com/);
    const [plain] = resourcesOf(synthesize('prod').data, 'AWS::Cognito::UserPool').values();
    expect(plain?.Properties).not.toHaveProperty('EmailConfiguration');
  });

  test('is the same with and without a console, except for its emails', () => {
    const [[id, plain] = ['', undefined]] = [
      ...resourcesOf(synthesize('prod').data, 'AWS::Cognito::UserPool'),
    ];
    expect([...resourcesOf(data, 'AWS::Cognito::UserPool').keys()]).toEqual([id]);
    const { EmailConfiguration: _, ...others } = pool?.Properties ?? {};
    expect(plain?.Properties).toEqual(others);
  });
});

describe('the sign-in', () => {
  test('uses a confidential client with the code flow, which returns only to the console', () => {
    expect(only('AWS::Cognito::UserPoolClient')).toMatchObject({
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      CallbackURLs: ['https://console.example.com/console/api/session/callback'],
      LogoutURLs: ['https://console.example.com/sign-in'],
      SupportedIdentityProviders: ['COGNITO'],
      PreventUserExistenceErrors: 'ENABLED',
      EnableTokenRevocation: true,
      ExplicitAuthFlows: ['ALLOW_USER_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
      WriteAttributes: ['email', 'name'],
      AccessTokenValidity: 5,
      IdTokenValidity: 5,
      RefreshTokenValidity: 60,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
    });
  });

  test("uses Cognito's managed pages at the prefix that the stage sets", () => {
    expect(only('AWS::Cognito::UserPoolDomain')).toMatchObject({
      Domain: 'example-identity',
      ManagedLoginVersion: 2,
    });
    expect(only('AWS::Cognito::ManagedLoginBranding')).toMatchObject({ UseCognitoProvidedValues: true });
  });
});

describe('permissions of the console:', () => {
  const actionsOf = ({ statements }: DeployedFunction) => statements.flatMap(({ Action }) => listOf(Action));
  const namesWith = (action: string) =>
    functions.filter((one) => actionsOf(one).includes(action)).map(({ name }) => name);

  test('no statement has a wildcard action, and only the one for emails has wildcard resources', () => {
    for (const { statements } of functions)
      for (const { Effect, Action, Resource } of statements) {
        expect(Effect).toBe('Allow');
        const actions = listOf(Action);
        for (const action of actions)
          expect(action).toMatch(/^(dynamodb|kms|secretsmanager|logs|sqs|cognito-idp|ses|lambda):[A-Za-z]+$/);
        if (!actions.includes('ses:SendEmail')) expect(JSON.stringify(Resource)).not.toContain('*');
      }
  });

  test('only sign-in and sign-out functions read the client secret, which is in no template', () => {
    expect(namesWith('cognito-idp:DescribeUserPoolClient').sort()).toEqual([
      'console-end-session',
      'console-finish-sign-in',
      'console-start-sign-in',
    ]);
    for (const { environment, name } of functions)
      expect([name, 'SIGN_IN_CLIENT_ID' in environment]).toEqual([
        name,
        namesWith('cognito-idp:DescribeUserPoolClient').includes(name),
      ]);
    expect(JSON.stringify(stack.toJSON())).not.toMatch(/ClientSecret/);
  });

  test('only the functions that begin sessions and create accounts read people, and only the latter creates them', () => {
    expect(namesWith('cognito-idp:AdminGetUser').sort()).toEqual([
      'console-finish-sign-in',
      'console-sign-up',
    ]);
    expect(namesWith('cognito-idp:AdminCreateUser')).toEqual(['console-sign-up']);
  });

  test('only the function for sign-ups invokes a function, which is itself', () => {
    expect(namesWith('lambda:InvokeFunction')).toEqual(['console-sign-up']);
    const { name, statements } = named('console-sign-up');
    const [own] = statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
    expect(JSON.stringify(own?.Resource)).toContain(`:function:identity-prod-${name}"`);
  });

  test('emails are sent only by the functions for invitations, sign-ups, submissions, alerts and changes that owners are told about, and from one address', () => {
    const senders = [
      'accept-invitation',
      'change-alerts',
      'change-automatic-top-up',
      'change-member',
      'create-key',
      'invite-member',
      'remove-member',
      'revoke-key',
      'rotate-key',
      'send-alerts',
      'sign-up',
      'submit-organisation',
      'update-key',
    ].map((name) => `console-${name}`);
    expect(namesWith('ses:SendEmail').sort()).toEqual(senders);
    for (const name of senders) {
      const [statement, ...others] = named(name).statements.filter(
        ({ Action }) => Action === 'ses:SendEmail',
      );
      expect(others).toEqual([]);
      expect(statement?.Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'console@example.com' } });
      const resources = [statement?.Resource ?? []].flat().map((one) => JSON.stringify(one));
      expect(resources.map((one) => /:[a-z-]+\/\*/.exec(one)?.[0])).toEqual([
        ':configuration-set/*',
        ':identity/*',
      ]);
      expect(named(name).environment['MAIL_FROM']).toBe('console@example.com');
    }
  });

  test('only the function that delivers webhooks handles their messages, and only two others read their key', () => {
    const [queueArn, queueUrl] = ['Arn', 'Ref'].map((part) => expect.stringContaining(part));
    for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'])
      expect(namesWith(`sqs:${action}`)).toEqual(['deliver-webhook']);
    const { environment, statements } = named('deliver-webhook');
    const [statement, ...others] = statements.filter(({ Action }) =>
      listOf(Action).some((action) => action.startsWith('sqs:')),
    );
    expect(statement?.Resource).toEqual({ 'Fn::ImportValue': queueArn });
    expect(environment['WEBHOOK_QUEUE_URL']).toEqual({ 'Fn::ImportValue': queueUrl });
    // It sets messages aside.
    const failed = { 'Fn::ImportValue': expect.stringContaining('FailedWebhooks') };
    expect(others).toEqual([expect.objectContaining({ Action: 'sqs:SendMessage', Resource: failed })]);
    expect(environment['FAILED_WEBHOOKS_URL']).toEqual(failed);
    expect(functions.filter((one) => 'FAILED_WEBHOOKS_URL' in one.environment)).toHaveLength(1);
    const withKey = functions.filter((one) => 'WEBHOOKS_SECRET' in one.environment);
    expect(withKey.map(({ name }) => name).sort()).toEqual([
      'console-add-webhook',
      'console-rotate-webhook-secret',
      'deliver-webhook',
    ]);
    const withCards = functions.filter((one) => 'CARDS_SECRET' in one.environment);
    expect(withCards.map(({ name }) => name)).toEqual(['console-change-automatic-top-up']);
  });

  test('the function that serves the pages can only write logs', () => {
    expect(actionsOf(named('console-site'))).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });

  test('no function may call the sandbox, and only those that look up numbers read the pepper', () => {
    for (const { name, environment, statements } of functions) {
      expect([name, 'SANDBOX_URL' in environment]).toEqual([name, false]);
      expect(JSON.stringify(statements)).not.toMatch(/SandboxKey|lambda:InvokeFunctionUrl/);
      // The rows of these look-ups have the same pseudonyms as the log rows of requests with API keys.
      const readsPepper = JSON.stringify(statements).includes('Pepper');
      const looksUp = name === 'console-send-test-request' || name === 'console-submit-organisation';
      expect([name, readsPepper]).toEqual([name, looksUp]);
    }
  });

  test('only the functions that open orders and save cards may read the secret of the payment provider', () => {
    const names = ['console-change-automatic-top-up', 'console-start-top-up'];
    const readers = functions.filter(({ statements }) => /PaymentsKey/.test(JSON.stringify(statements)));
    expect(readers.map(({ name }) => name)).toEqual(names);
    for (const { name, environment } of functions)
      expect([name, 'PAYMENTS_SECRET' in environment]).toEqual([name, names.includes(name)]);
  });

  test('a function is given the name of the Console table if and only if it may access it', () => {
    const ofApi = functionsOf(templates.functions, templates.api);
    for (const item of [...functions, ...ofApi]) {
      const accesses = item.statements.some(({ Resource }) => JSON.stringify(Resource).includes('Console'));
      expect([item.name, 'CONSOLE_TABLE' in item.environment]).toEqual([item.name, accesses]);
    }
    // The reconciliation compares usage with charges.
    const readers = ofApi.filter(({ environment }) => 'CONSOLE_TABLE' in environment);
    expect(readers.map(({ name }) => name)).toEqual(['reconcile-wallets']);
  });

  test('logs and metrics are separate from those of the API', () => {
    for (const { environment } of functions)
      expect(environment['POWERTOOLS_SERVICE_NAME']).toBe('identity-prod-console');
    for (const { environment } of functionsOf(templates.functions, templates.api))
      expect(environment['POWERTOOLS_SERVICE_NAME']).toBe('identity-prod');
  });
});

describe('without the setting `console`,', () => {
  test.each(STAGES.filter((stage) => stage !== 'local'))(
    'the stage %s has no console but keeps the table and the pool',
    (stage) => {
      const plain = synthesize(stage);
      expect(plain.console.toJSON()).not.toHaveProperty('Resources');
      expect(resourcesOf(plain.data, 'AWS::Cognito::UserPool').size).toBe(1);
      plain.data.hasOutput('ConsoleTable', {});
    },
  );
});

describe('the validation of console settings:', () => {
  const check = (changes: object, more: Partial<StageConfig> = {}) => {
    const console = { ...CONSOLE_SETTINGS, ...changes };
    const config = { ...prod, ...PIN, ...CONSOLE, ...more, console };
    return () => checkConfig(config as StageConfig);
  };

  test.each([
    ['a prefix with capitals', { signInPrefix: 'Example' }, 'console.signInPrefix: Use 1 to 63'],
    ['a prefix that Cognito rejects', { signInPrefix: 'my-cognito' }, 'console.signInPrefix: Use 1 to 63'],
    ['a sender without a domain', { mailFrom: 'console' }, 'console.mailFrom: Use an email address'],
    [
      'terms at an http URL',
      { terms: { version: '1', url: 'http://example.com' } },
      'console.terms.url: Use an https',
    ],
    ['no test credits', { testCredits: 0 }, 'console.testCredits: Use a whole number from 1 to 1000000.'],
    ['an unknown setting', { colour: 'blue' }, 'console.colour: This setting is unknown.'],
    ['no address', { domain: undefined }, 'sets console without a domain. Add console.domain'],
    [
      'a certificate that is missing',
      { domain: { name: 'console.example.com' } },
      'Add certificateArn, or hostedZone',
    ],
  ])('%s is rejected with an error that names the setting', (_, changes, message) => {
    expect(check(changes)).toThrow(message);
  });

  test('the console needs the address of the API, and a domain other than that of the API', () => {
    expect(check({})).not.toThrow();
    expect(check({}, { publicBaseUrl: undefined })).toThrow('sets console, but no address for the API.');
    const { domain } = CONSOLE_SETTINGS;
    const operations = { accountConcurrency: 1_000, domain, generatedUrl: 'closed' as const };
    expect(check({}, { operations })).toThrow(
      'gives the console the domain of the API, console.example.com.',
    );
  });
});

describe('the delivery of webhooks', () => {
  const mappingOf = (changes: Partial<StageConfig> = {}) =>
    only('AWS::Lambda::EventSourceMapping', synthesize('prod', { ...CONSOLE, ...changes }).console);
  const concurrencyOf = (changes: Partial<StageConfig>) => mappingOf(changes)['ScalingConfig'];

  test('keeps messages encrypted for 14 days, requires TLS, and sets aside messages that wait 1,000 times', () => {
    const queues = resourcesOf(webhooks, 'AWS::SQS::Queue');
    const [failedId] = [...queues.keys()].filter((id) => id.startsWith('Failed'));
    const byName = new Map(
      [...queues.values()].map(({ Properties }) => [Properties['QueueName'], Properties]),
    );
    const stored = { MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true };

    expect([...byName.keys()].sort()).toEqual(['identity-prod-failed-webhooks', 'identity-prod-webhooks']);
    expect(byName.get('identity-prod-failed-webhooks')).toMatchObject(stored);
    expect(byName.get('identity-prod-webhooks')).toMatchObject({
      ...stored,
      RedrivePolicy: { maxReceiveCount: 1_000, deadLetterTargetArn: { 'Fn::GetAtt': [failedId, 'Arn'] } },
    });
    for (const Properties of byName.values()) expect(Properties).not.toHaveProperty('FifoQueue');
    const policies = [...resourcesOf(webhooks, 'AWS::SQS::QueuePolicy').values()];
    expect(policies).toHaveLength(2);
    for (const { Properties } of policies)
      expect(Properties['PolicyDocument']).toMatchObject({
        Statement: [
          {
            Effect: 'Deny',
            Action: 'sqs:*',
            Principal: { AWS: '*' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      });
  });

  test('takes up to five messages at a time, and keeps those that the function reports as failed', () => {
    expect(mappingOf()).toMatchObject({
      BatchSize: 5,
      FunctionName: { Ref: named('deliver-webhook').logicalId },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      EventSourceArn: { 'Fn::ImportValue': expect.stringContaining('Webhooks') },
    });
  });

  test("hides a message for six times the function's timeout, which is shorter than an endpoint's lease", () => {
    const queues = [...resourcesOf(webhooks, 'AWS::SQS::Queue').values()].map(({ Properties }) => Properties);
    const timeout = Number(named('deliver-webhook').properties['Timeout']);
    expect(timeout).toBeGreaterThan(15);
    expect(timeout).toBeLessThan(30);
    expect(queues).toContainEqual(
      expect.objectContaining({ QueueName: 'identity-prod-webhooks', VisibilityTimeout: 6 * timeout }),
    );
  });

  test.each([
    [1_000, 'no setting', 40, undefined],
    [10_000, 'no setting', 40, undefined],
    [300, 'no setting', 30, undefined],
    [10, 'no setting', 2, undefined],
    [1_000, 'the setting 200', 200, 200],
  ])('in an account with a quota of %d and %s, uses at most %d executions', (quota, _, most, setting) => {
    const operations = { accountConcurrency: quota };
    const changes = { operations, webhookConcurrency: setting, reservedConcurrency: {} };
    expect(concurrencyOf(changes)).toEqual({ MaximumConcurrency: most });
  });

  test('is started by one rule for events, whose function can send messages but does not get the webhook key', () => {
    const { environment, statements } = named('start-webhooks');
    const sending = statements.filter(({ Action }) => Action === 'sqs:SendMessage');
    // The same statement also allows sending to the queue of failed schedules.
    expect(sending.flatMap(({ Resource }) => listOf(Resource))).toContainEqual({
      'Fn::ImportValue': expect.stringContaining('Webhooks'),
    });
    expect(environment).toHaveProperty('WEBHOOK_QUEUE_URL');
    expect(environment).not.toHaveProperty('WEBHOOKS_SECRET');
    const rules = [...resourcesOf(stack, 'AWS::Events::Rule').values()].map(({ Properties }) => Properties);
    const { logicalId } = named('start-webhooks');
    const [rule, ...others] = rules.filter(({ Targets }) =>
      JSON.stringify(Targets).includes(`"${logicalId}"`),
    );
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      EventBusName: 'identity-prod-events',
      EventPattern: { source: ['identity-verification'], 'detail-type': [...WEBHOOK_EVENTS] },
    });
  });

  test('exists only with a console', () => {
    const plain = synthesize('prod');
    expect(plain.webhooks.toJSON()).toEqual({});
    expect(JSON.stringify(plain.api.toJSON())).not.toContain('Webhooks');
  });
});
