import type { Dns } from '../../clients/operator/preflight/dns.ts';
import type { Surroundings } from '../../clients/operator/preflight/program.ts';
import type { OperationsConfig, StageConfig } from '../../infra/config.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { CONSOLE_SETTINGS } from '../infra/console.ts';
import {
  type Answer,
  AwsError,
  CERTIFICATE,
  certificate,
  deniedBy,
  describeProd,
  failedStacksXml,
  LOG_ROLE,
  type Operations,
  providersXml,
  REGION,
  roleXml,
  secretValue,
  stackMissing,
  subscriptionXml,
  templateXml,
  zoneXml,
} from './account-double.ts';
import { HEALTHY_DNS, NOW_MS, prodConfig } from './preflight-stage.ts';

/** The faults that docs/operate/preflight.md lists: the check that finds each, and what differs from a healthy account. */
type Fault = readonly [name: string, check: string, answers: Answers, more?: Differences];

type Answers = Readonly<Record<string, Answer | Operations[string]>>;

interface Differences {
  readonly config?: Partial<StageConfig>;
  readonly operations?: Partial<OperationsConfig>;
  readonly dns?: Partial<Dns>;
  readonly options?: readonly string[];
}

const ZONE = { id: 'Z0123456789EXAMPLE', name: 'example.com' };
const ZONED = { domain: { name: 'api.example.com', certificateArn: CERTIFICATE, hostedZone: ZONE } };
/** The stack creates the certificate. */
const UNCERTIFIED = { domain: { name: 'api.example.com', hostedZone: ZONE } };
const DELIVERY = { delivery: { repository: 'acme/identity', identityProvider: 'create' } } as const;
const WITH_CONSOLE = {
  config: {
    console: { ...CONSOLE_SETTINGS, domain: { name: 'console.example.com', certificateArn: CERTIFICATE } },
  },
};

const dns = (addresses: readonly string[], alias?: string): Partial<Dns> => ({
  resolve: async (name) =>
    name === 'api.example.com'
      ? { addresses, ...(alias !== undefined && { alias }) }
      : HEALTHY_DNS.resolve(name),
});

const NEW_ACCOUNT = { 'lambda GetAccountSettings': { AccountLimit: { ConcurrentExecutions: 10 } } };
const gateway = (
  rateLimit: number,
  burstLimit: number,
  cloudwatchRoleArn: string | undefined = LOG_ROLE,
) => ({
  'apigateway GetAccount': { cloudwatchRoleArn, throttleSettings: { burstLimit, rateLimit } },
});
/** The low default quotas of API Gateway that AWS documents for af-south-1. */
const LOW_THROTTLE = gateway(2_500, 1_250);

/** A new account, whose latest request for a higher quota has this status. */
const requested = (Status: string) => ({
  ...NEW_ACCOUNT,
  'servicequotas ListRequestedServiceQuotaChangeHistoryByQuota': {
    RequestedQuotas: [
      { Id: 'd4e5f6', DesiredValue: 500, Status: 'APPROVED', Created: (NOW_MS - 60 * DAY_MS) / 1_000 },
      { Id: 'a1b2c3', DesiredValue: 1_000, Status, Created: (NOW_MS - 3 * DAY_MS) / 1_000 },
    ],
  },
});

const certificateIs = (changes: Readonly<Record<string, unknown>>) => ({
  'acm DescribeCertificate': certificate(changes),
});
const roleIs = (answer: Answer) => ({ 'iam GetRole': answer });
const stackIs = (part: string, status: string): Answers => ({
  'cloudformation DescribeStacks': ({ StackName }) =>
    describeProd(String(StackName), StackName === `identity-prod-${part}` ? status : undefined),
});
const secretIs = (value: string, name = 'dojah'): Answers => ({
  'secretsmanager GetSecretValue': ({ SecretId }) =>
    String(SecretId).includes(name) ? { SecretString: value } : secretValue(SecretId),
});
const bootstrapIs = (answer: Answer) => ({ 'ssm GetParameter': answer });
const identityIs = (answer: Answer) => ({ 'ses GetEmailIdentity': answer });
const mailIs = (ProductionAccessEnabled: boolean, SendingEnabled: boolean) => ({
  'ses GetAccount': { ProductionAccessEnabled, SendingEnabled },
});
const subscriptions = (xml: string) => ({
  'sns ListSubscriptionsByTopic': `<Subscriptions>${xml}</Subscriptions>`,
});

const { alarmEmail: _, ...operations } = prodConfig().operations ?? { accountConcurrency: 1_000 };
export const NO_EMAIL = { config: { operations } };

const EXPIRED = new AwsError('ExpiredToken', 'The security token is expired');
const IN_US_EAST_1 = CERTIFICATE.replace(REGION, 'us-east-1');
const NO_KEYS = { Versions: [{ VersionId: 'a', VersionStages: ['AWSCURRENT'] }] };
const UNKNOWN_HOST = '{"appId": "app", "apiKey": "prod_sk_dojah", "baseUrl": "https://example.org"}';

/** The responses of the account before the first deployment of prod. */
export const NOT_DEPLOYED: Answers = {
  'cloudformation DescribeStacks': ({ StackName }) => stackMissing(String(StackName)),
  'apigateway GetDomainName': new AwsError('NotFoundException'),
  ...gateway(10_000, 5_000, ''),
};

export const FAULTS: readonly Fault[] = [
  [
    'The stage file names no account or region',
    'account',
    {},
    { config: { account: undefined, region: undefined } },
  ],
  ['The credentials belong to another account', 'account', {}, { config: { account: '210987654321' } }],
  ['The profile selects another region', 'account', {}, { config: { region: 'af-south-1' } }],
  ['The credentials have expired', 'account', { 'sts GetCallerIdentity': EXPIRED }],
  ['The region is not bootstrapped', 'bootstrap', bootstrapIs(new AwsError('ParameterNotFound', ''))],
  ['The bootstrap is too old', 'bootstrap', bootstrapIs({ Parameter: { Value: '5' } })],
  ['The account is new', 'lambda quota', NEW_ACCOUNT],
  ['The same, with `--request-quota`', 'lambda quota', NEW_ACCOUNT, { options: ['--request-quota'] }],
  ['The same, while a request is open', 'lambda quota', requested('CASE_OPENED')],
  ['The same, after a refusal', 'lambda quota', requested('DENIED')],
  [
    'The stage is set up for a new account',
    'lambda quota',
    NEW_ACCOUNT,
    { operations: { accountConcurrency: 10 } },
  ],
  [
    'The same, after AWS has raised the quota',
    'lambda quota',
    {},
    { operations: { accountConcurrency: 10 } },
  ],
  ['The burst exceeds the quota, as in af-south-1', 'gateway quota', LOW_THROTTLE],
  [
    'The rate exceeds the quota',
    'gateway quota',
    LOW_THROTTLE,
    { config: { throttling: { rateLimit: 4_000, burstLimit: 1 } } },
  ],
  [
    'The rate exceeds the quota only because of requests without an API key',
    'gateway quota',
    LOW_THROTTLE,
    { config: { throttling: { rateLimit: 2_400, burstLimit: 1 } } },
  ],
  ['API Gateway has no role for logs', 'gateway role', gateway(10_000, 5_000, '')],
  ['The role for logs was deleted', 'gateway role', roleIs(new AwsError('NoSuchEntity', 'Not found.'))],
  ['The role for logs does not trust API Gateway', 'gateway role', roleIs(roleXml('lambda.amazonaws.com'))],
  [
    'The hosted zone does not exist',
    'hosted zone',
    { 'route53 GetHostedZone': new AwsError('NoSuchHostedZone') },
    { operations: ZONED },
  ],
  [
    'The hosted zone is private',
    'hosted zone',
    { 'route53 GetHostedZone': zoneXml('example.com', true) },
    { operations: ZONED },
  ],
  [
    'The hosted zone is of another domain',
    'hosted zone',
    { 'route53 GetHostedZone': zoneXml('example.org') },
    { operations: ZONED },
  ],
  [
    'The hosted zone is not delegated',
    'hosted zone',
    {},
    { operations: ZONED, dns: { nameServers: async () => ['ns1.registrar.example'] } },
  ],
  [
    'A CAA record excludes Amazon',
    'hosted zone',
    {},
    {
      operations: UNCERTIFIED,
      dns: { issuers: async (name) => (name === 'example.com' ? ['ca.example'] : undefined) },
    },
  ],
  [
    'The domain already has a record',
    'hosted zone',
    {
      ...NOT_DEPLOYED,
      'route53 ListResourceRecordSets':
        '<ResourceRecordSets><ResourceRecordSet><Name>api.example.com.</Name><Type>CNAME</Type><TTL>300</TTL></ResourceRecordSet></ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>10</MaxItems>',
    },
    { operations: UNCERTIFIED },
  ],
  [
    'The certificate is in another region',
    'certificate',
    {},
    { operations: { domain: { name: 'api.example.com', certificateArn: IN_US_EAST_1 } } },
  ],
  [
    'The certificate does not exist',
    'certificate',
    { 'acm DescribeCertificate': new AwsError('ResourceNotFoundException') },
  ],
  [
    'The certificate is not validated',
    'certificate',
    certificateIs({ Status: 'PENDING_VALIDATION', NotAfter: undefined }),
  ],
  ['The certificate has expired', 'certificate', certificateIs({ Status: 'EXPIRED' })],
  [
    'The certificate is for another name',
    'certificate',
    certificateIs({ SubjectAlternativeNames: ['example.com', '*.api.example.com'] }),
  ],
  [
    'The certificate expires soon',
    'certificate',
    certificateIs({ NotAfter: (NOW_MS + 20 * DAY_MS) / 1_000 }),
  ],
  [
    'The account already has the identity provider of the pipeline',
    'identity provider',
    {
      'iam ListOpenIDConnectProviders': providersXml('token.actions.githubusercontent.com'),
      'cloudformation DescribeStacks': ({ StackName }) =>
        StackName === 'identity-prod-delivery'
          ? stackMissing(String(StackName))
          : describeProd(String(StackName)),
    },
    { operations: DELIVERY },
  ],
  [
    'The account has no identity provider for the pipeline',
    'identity provider',
    {},
    { operations: { delivery: { ...DELIVERY.delivery, identityProvider: 'existing' } } },
  ],
  [
    'A failed first deployment has left tables and people',
    'orphans',
    { 'cloudformation ListStacks': failedStacksXml() },
  ],
  [
    'The same, with `--delete-orphans` and rows in a table',
    'orphans',
    { 'cloudformation ListStacks': failedStacksXml(), 'dynamodb Scan': { Count: 1 } },
    { options: ['--delete-orphans'] },
  ],
  [
    'Two indexes of a table change',
    'indexes',
    { 'cloudformation GetTemplate': templateXml({ GlobalSecondaryIndexes: [] }) },
  ],
  ['The first deployment of a stack failed', 'stacks', stackIs('api', 'ROLLBACK_COMPLETE')],
  ['The rollback of a stack failed', 'stacks', stackIs('api', 'UPDATE_ROLLBACK_FAILED')],
  ['The last change to a stack failed', 'stacks', stackIs('operations', 'DELETE_FAILED')],
  ['No provider is routed in prod', 'providers', {}, { config: { registries: {} } }],
  ['The secret of a provider is empty', 'secret dojah', secretIs('{}')],
  ['A credential is missing', 'secret dojah', secretIs('{"apiKey": "prod_sk_dojah", "appid": "misspelt"}')],
  ['The secret is not JSON', 'secret dojah', secretIs('prod_sk_dojah')],
  ['The secret selects an unknown host', 'secret dojah', secretIs(UNKNOWN_HOST)],
  ['Rollouts have no test key', 'test key', secretIs('{}', 'TestKey')],
  ['Rollouts have a live key', 'test key', secretIs('{"current": "idv_live_madeup"}', 'TestKey')],
  ['The Paystack secret keys are missing', 'payments', { 'secretsmanager ListSecretVersionIds': NO_KEYS }],
  [
    'The domain of the emails is unknown to SES',
    'console mail',
    identityIs(new AwsError('NotFoundException')),
    WITH_CONSOLE,
  ],
  [
    'The domain of the emails is not verified',
    'console mail',
    identityIs({ VerifiedForSendingStatus: false }),
    WITH_CONSOLE,
  ],
  [
    'The configuration set of the emails does not exist',
    'console mail',
    {
      ...identityIs({ VerifiedForSendingStatus: true, ConfigurationSetName: 'defaults' }),
      'ses GetConfigurationSet': new AwsError('NotFoundException'),
    },
    WITH_CONSOLE,
  ],
  [
    'The configuration set of the emails is paused',
    'console mail',
    {
      ...identityIs({ VerifiedForSendingStatus: true, ConfigurationSetName: 'defaults' }),
      'ses GetConfigurationSet': { SendingOptions: { SendingEnabled: false } },
    },
    WITH_CONSOLE,
  ],
  ['The account is in the SES sandbox', 'console mail', mailIs(false, true), WITH_CONSOLE],
  ['AWS has paused email sending', 'console mail', mailIs(true, false), WITH_CONSOLE],
  [
    'The alarm email is not confirmed',
    'alarms',
    subscriptions(subscriptionXml('oncall@example.com', 'PendingConfirmation')),
  ],
  ['The alarms have no subscriber', 'alarms', subscriptions(''), NO_EMAIL],
  ['The domain has no DNS record', 'dns', {}, { dns: dns([]) }],
  ['The domain points elsewhere', 'dns', {}, { dns: dns(['198.51.100.7'], 'old.example.net') }],
  ['The domain in a hosted zone has no DNS record', 'dns', {}, { operations: ZONED, dns: dns([]) }],
  ['A permission is missing', 'bootstrap', bootstrapIs(deniedBy('ssm GetParameter'))],
];

/** Replaces responses of an account. */
export function answer(operations: Operations, answers: Answers): void {
  for (const [operation, given] of Object.entries(answers))
    operations[operation] = typeof given === 'function' ? given : () => given;
}

/** Returns the dependencies of a preflight that differ like this from those of a healthy stage. */
export function surroundingsOf({ config, operations, dns }: Differences = {}): Surroundings {
  return { configOf: () => prodConfig(config, operations), dns: { ...HEALTHY_DNS, ...dns } };
}
