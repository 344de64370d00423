import type { Network } from '../../clients/operator/preflight/network.ts';
import type { Surroundings } from '../../clients/operator/preflight/program.ts';
import type { StageConfig } from '../../infra/config.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { CONSOLE_SETTINGS } from '../infra/console.ts';
import { MONEY_SETTINGS } from '../infra/money.ts';
import {
  type AccountDouble,
  AwsError,
  CERTIFICATE,
  certificate,
  deniedBy,
  describeProd,
  REGION,
  roleXml,
  stackMissing,
  subscriptionXml,
} from './account-double.ts';
import { healthyNetwork, NOW_MS, prodConfig } from './preflight-stage.ts';

/** A fault in an account or a stage that the preflight must find. docs/preflight.md lists these faults. */
export interface Fault {
  /** The fault, as the page describes it. */
  readonly name: string;
  /** The check that finds it. */
  readonly check: string;
  readonly options?: readonly string[];
  readonly surroundings?: Surroundings;
  readonly breakAccount?: (aws: AccountDouble) => void;
}

const DOMAIN = 'api.example.com';
const ZONE = { id: 'Z0123456789EXAMPLE', name: 'example.com' };
const WITH_CONSOLE = {
  console: { ...CONSOLE_SETTINGS, domain: { name: 'console.example.com', certificateArn: CERTIFICATE } },
};

const withConfig = (
  changes: Partial<StageConfig>,
  operations: Partial<StageConfig['operations']> = {},
): Surroundings => ({ configOf: () => prodConfig(changes, operations) });

const dns = (addresses: readonly string[], alias?: string): Network => ({
  ...healthyNetwork,
  resolve: async (name) =>
    name === DOMAIN ? { addresses, ...(alias !== undefined && { alias }) } : healthyNetwork.resolve(name),
});

const unreachable = (code: string): Surroundings => ({
  network: {
    ...healthyNetwork,
    async connect(host) {
      if (host === 'api.dojah.io') throw Object.assign(new Error(code), { code });
    },
  },
});

/** Gives the account the low default throttling quotas of API Gateway that AWS documents for af-south-1. */
const lowThrottle = (aws: AccountDouble) => {
  const account = aws.operations['apigateway GetAccount']?.({}) as object;
  aws.operations['apigateway GetAccount'] = () => ({
    ...account,
    throttleSettings: { burstLimit: 1_250, rateLimit: 2_500 },
  });
};

const newAccount = (aws: AccountDouble) => {
  aws.operations['lambda GetAccountSettings'] = () => ({
    AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
  });
};

const requested = (Status: string) => (aws: AccountDouble) => {
  newAccount(aws);
  const request = { Id: 'a1b2c3', DesiredValue: 1_000, Status, Created: (NOW_MS - 3 * DAY_MS) / 1_000 };
  const older = {
    Id: 'd4e5f6',
    DesiredValue: 500,
    Status: 'APPROVED',
    Created: (NOW_MS - 60 * DAY_MS) / 1_000,
  };
  aws.operations['servicequotas ListRequestedServiceQuotaChangeHistoryByQuota'] = () => ({
    RequestedQuotas: [older, request],
  });
};

const certificateWith =
  (changes: Readonly<Record<string, unknown>>) =>
  (aws: AccountDouble): void => {
    aws.operations['acm DescribeCertificate'] = () => certificate(changes);
  };

const secretIs =
  (value: string, name = 'dojah') =>
  (aws: AccountDouble): void => {
    const read = aws.operations['secretsmanager GetSecretValue'];
    aws.operations['secretsmanager GetSecretValue'] = (parameters) =>
      String(parameters['SecretId']).includes(name)
        ? { ARN: parameters['SecretId'], SecretString: value }
        : (read?.(parameters) ?? '');
  };

const stackIs =
  (part: string, status: string) =>
  (aws: AccountDouble): void => {
    aws.operations['cloudformation DescribeStacks'] = ({ StackName }) =>
      describeProd(String(StackName), StackName === `identity-prod-${part}` ? status : undefined);
  };

const gatewayRole =
  (role: string | undefined) =>
  (aws: AccountDouble): void => {
    const account = aws.operations['apigateway GetAccount']?.({}) as object;
    aws.operations['apigateway GetAccount'] = () => ({ ...account, cloudwatchRoleArn: role });
  };

export const FAULTS: readonly Fault[] = [
  {
    name: 'The stage file names no account or region',
    check: 'account',
    surroundings: withConfig({ account: undefined, region: undefined }),
  },
  {
    name: 'The credentials belong to another account',
    check: 'account',
    surroundings: withConfig({ account: '210987654321' }),
  },
  {
    name: 'The profile selects another region',
    check: 'account',
    surroundings: withConfig({ region: 'af-south-1' }),
  },
  {
    name: 'The credentials have expired',
    check: 'account',
    breakAccount: ({ operations }) => {
      operations['sts GetCallerIdentity'] = () =>
        new AwsError('ExpiredToken', 'The security token is expired');
    },
  },
  {
    name: 'A setting is invalid',
    check: 'settings',
    surroundings: withConfig({ functionMemoryMb: 64 }),
  },
  {
    name: 'The region is not bootstrapped',
    check: 'bootstrap',
    breakAccount: ({ operations }) => {
      operations['ssm GetParameter'] = () => new AwsError('ParameterNotFound', '');
    },
  },
  {
    name: 'The bootstrap is too old',
    check: 'bootstrap',
    breakAccount: ({ operations }) => {
      operations['ssm GetParameter'] = () => ({ Parameter: { Value: '5' } });
    },
  },
  { name: 'The account is new', check: 'lambda quota', breakAccount: newAccount },
  {
    name: 'The same, with `--request-quota`',
    check: 'lambda quota',
    options: ['--request-quota'],
    breakAccount: newAccount,
  },
  {
    name: 'The same, while a request is open',
    check: 'lambda quota',
    breakAccount: requested('CASE_OPENED'),
  },
  { name: 'The same, after a refusal', check: 'lambda quota', breakAccount: requested('DENIED') },
  {
    name: 'The stage is set up for a new account',
    check: 'lambda quota',
    surroundings: withConfig({}, { accountConcurrency: 10 }),
    breakAccount: newAccount,
  },
  {
    name: 'The same, after AWS has raised the quota',
    check: 'lambda quota',
    surroundings: withConfig({}, { accountConcurrency: 10 }),
  },
  {
    name: 'The burst exceeds the quota, as in af-south-1',
    check: 'gateway quota',
    breakAccount: lowThrottle,
  },
  {
    name: 'The rate exceeds the quota',
    check: 'gateway quota',
    surroundings: withConfig({ throttling: { rateLimit: 4_000, burstLimit: 100 } }),
    breakAccount: lowThrottle,
  },
  {
    name: 'The rate exceeds the quota only because of requests without an API key',
    check: 'gateway quota',
    surroundings: withConfig({ throttling: { rateLimit: 2_400, burstLimit: 100 } }),
    breakAccount: lowThrottle,
  },
  {
    name: 'API Gateway has no role for logs',
    check: 'gateway role',
    breakAccount: gatewayRole(undefined),
  },
  {
    name: 'The role for logs was deleted',
    check: 'gateway role',
    breakAccount: ({ operations }) => {
      operations['iam GetRole'] = () => new AwsError('NoSuchEntity', 'The role cannot be found.');
    },
  },
  {
    name: 'The role for logs does not trust API Gateway',
    check: 'gateway role',
    breakAccount: ({ operations }) => {
      operations['iam GetRole'] = () => roleXml('lambda.amazonaws.com');
    },
  },
  {
    name: 'X-Ray indexes only some of the traces',
    check: 'tracing',
    breakAccount: ({ operations }) => {
      operations['xray GetTraceSegmentDestination'] = () => ({
        Destination: 'CloudWatchLogs',
        Status: 'ACTIVE',
      });
    },
  },
  {
    name: 'The certificate is in another region',
    check: 'certificate',
    surroundings: withConfig(
      {},
      { domain: { name: DOMAIN, certificateArn: CERTIFICATE.replace(REGION, 'us-east-1') } },
    ),
  },
  {
    name: 'The certificate does not exist',
    check: 'certificate',
    breakAccount: ({ operations }) => {
      operations['acm DescribeCertificate'] = () => new AwsError('ResourceNotFoundException');
    },
  },
  {
    name: 'The certificate is not validated',
    check: 'certificate',
    breakAccount: certificateWith({ Status: 'PENDING_VALIDATION', NotAfter: undefined }),
  },
  {
    name: 'The certificate has expired',
    check: 'certificate',
    breakAccount: certificateWith({ Status: 'EXPIRED' }),
  },
  {
    name: 'The certificate is for another name',
    check: 'certificate',
    breakAccount: certificateWith({ SubjectAlternativeNames: ['example.com', '*.api.example.com'] }),
  },
  {
    name: 'The certificate expires soon',
    check: 'certificate',
    breakAccount: certificateWith({ NotAfter: (NOW_MS + 20 * DAY_MS) / 1_000 }),
  },
  {
    name: 'The first deployment of a stack failed',
    check: 'stacks',
    breakAccount: stackIs('api', 'ROLLBACK_COMPLETE'),
  },
  {
    name: 'The rollback of a stack failed',
    check: 'stacks',
    breakAccount: stackIs('api', 'UPDATE_ROLLBACK_FAILED'),
  },
  {
    name: 'The last change to a stack failed',
    check: 'stacks',
    breakAccount: stackIs('operations', 'DELETE_FAILED'),
  },
  {
    name: 'No provider is routed in prod',
    check: 'providers',
    surroundings: withConfig({ registries: {} }),
  },
  { name: 'The secret of a provider is empty', check: 'secret dojah', breakAccount: secretIs('{}') },
  {
    name: 'A credential is missing',
    check: 'secret dojah',
    breakAccount: secretIs('{"apiKey": "prod_sk_dojah", "appid": "misspelt"}'),
  },
  {
    name: 'The secret is not JSON',
    check: 'secret dojah',
    breakAccount: secretIs('prod_sk_dojah'),
  },
  {
    name: 'The secret selects an unknown host',
    check: 'secret dojah',
    breakAccount: secretIs('{"appId": "app", "apiKey": "prod_sk_dojah", "baseUrl": "https://example.org"}'),
  },
  { name: 'Rollouts have no test key', check: 'test key', breakAccount: secretIs('{}', 'TestKey') },
  {
    name: 'Rollouts have a live key',
    check: 'test key',
    breakAccount: secretIs('{"current": "idv_live_madeup"}', 'TestKey'),
  },
  {
    name: 'The Paystack secret keys are missing',
    check: 'payments',
    breakAccount: ({ operations }) => {
      operations['secretsmanager ListSecretVersionIds'] = () => ({
        Versions: [{ VersionId: 'a', VersionStages: ['AWSCURRENT'] }],
      });
    },
  },
  {
    name: 'No rate of VAT applies yet',
    check: 'payments',
    surroundings: withConfig({
      money: { ...MONEY_SETTINGS, vat: [{ from: '2027-01-01', basisPoints: 750 }] },
    }),
  },
  {
    name: 'The domain of the emails is unknown to SES',
    check: 'console mail',
    surroundings: withConfig(WITH_CONSOLE),
    breakAccount: ({ operations }) => {
      operations['ses GetEmailIdentity'] = () => new AwsError('NotFoundException');
    },
  },
  {
    name: 'The domain of the emails is not verified',
    check: 'console mail',
    surroundings: withConfig(WITH_CONSOLE),
    breakAccount: ({ operations }) => {
      operations['ses GetEmailIdentity'] = () => ({ VerifiedForSendingStatus: false });
    },
  },
  {
    name: 'The account is in the SES sandbox',
    check: 'console mail',
    surroundings: withConfig(WITH_CONSOLE),
    breakAccount: ({ operations }) => {
      operations['ses GetAccount'] = () => ({ ProductionAccessEnabled: false, SendingEnabled: true });
    },
  },
  {
    name: 'AWS has paused email sending',
    check: 'console mail',
    surroundings: withConfig(WITH_CONSOLE),
    breakAccount: ({ operations }) => {
      operations['ses GetAccount'] = () => ({ ProductionAccessEnabled: true, SendingEnabled: false });
    },
  },
  {
    name: 'A provider cannot be reached',
    check: 'reach dojah',
    surroundings: unreachable('ECONNREFUSED'),
  },
  {
    name: 'The alarm email is not confirmed',
    check: 'alarms',
    breakAccount: ({ operations }) => {
      operations['sns ListSubscriptionsByTopic'] = () =>
        `<Subscriptions>${subscriptionXml('oncall@example.com', 'PendingConfirmation')}</Subscriptions>`;
    },
  },
  {
    name: 'The alarms have no subscriber',
    check: 'alarms',
    surroundings: { configOf: withoutEmail },
    breakAccount: ({ operations }) => {
      operations['sns ListSubscriptionsByTopic'] = () => '<Subscriptions/>';
    },
  },
  {
    name: 'The domain has no DNS record',
    check: 'dns',
    surroundings: { network: dns([]) },
  },
  {
    name: 'The domain points elsewhere',
    check: 'dns',
    surroundings: { network: dns(['198.51.100.7'], 'old.example.net') },
  },
  {
    name: 'The hosted zone is not delegated',
    check: 'dns',
    surroundings: {
      ...withConfig({}, { domain: { name: DOMAIN, certificateArn: CERTIFICATE, hostedZone: ZONE } }),
      network: dns([]),
    },
  },
  {
    name: 'The generated URL is still open after its date',
    check: 'old addresses',
    surroundings: withConfig({}, { generatedUrl: { openUntil: '2026-11-01' } }),
  },
  {
    name: 'An operator does not exist',
    check: 'operators',
    breakAccount: ({ operations }) => {
      operations['iam ListMFADevices'] = () => new AwsError('NoSuchEntity', 'The user cannot be found.');
    },
  },
  {
    name: 'An operator has no second factor',
    check: 'operators',
    breakAccount: ({ operations }) => {
      operations['iam ListMFADevices'] = () => '<MFADevices/><IsTruncated>false</IsTruncated>';
    },
  },
  {
    name: 'A permission is missing',
    check: 'bootstrap',
    breakAccount: ({ operations }) => {
      operations['ssm GetParameter'] = () => deniedBy('ssm GetParameter');
    },
  },
];

function withoutEmail(): StageConfig {
  const config = prodConfig();
  const { alarmEmail: _, ...operations } = config.operations ?? { accountConcurrency: 1_000 };
  return { ...config, operations };
}

/** Changes the account to its state before the first deployment of prod. */
export function undeploy({ operations }: AccountDouble): void {
  operations['cloudformation DescribeStacks'] = ({ StackName }) => stackMissing(String(StackName));
  operations['apigateway GetDomainName'] = () => new AwsError('NotFoundException');
  gatewayRole(undefined)({ operations } as AccountDouble);
}
