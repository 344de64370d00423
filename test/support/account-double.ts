import { type AwsDouble, type AwsRequest, type Reply, startAwsDouble } from './aws-doubles.ts';

/**
 * A test double for one AWS account. It implements the protocols of the services that the preflight calls. Its
 * responses are the samples in each service's API reference, with the names of this project.
 */

export const ACCOUNT = '123456789012';
export const REGION = 'eu-west-1';
export const CERTIFICATE = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/12345678-1234-1234-1234-123456789012`;
export const TOPIC = `arn:aws:sns:${REGION}:${ACCOUNT}:identity-prod-operations-Alarms`;
export const LOG_ROLE = `arn:aws:iam::${ACCOUNT}:role/identity-prod-api-ApiCloudWatchRole`;
export const secretArn = (provider: string) =>
  `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:Registry${provider}-a1b2c3`;

export const PAYMENTS_KEY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:PaymentsKey-a1b2c3`;
export const TEST_KEY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:TestKey-a1b2c3`;

type Json = Readonly<Record<string, unknown>>;
/** The response of an operation: the content of a JSON response, the result of an XML response, or an error. */
export type Answer = Json | string | AwsError;

/** An error from a service. Each protocol formats it differently. */
export class AwsError {
  readonly code: string;
  readonly message: string;
  constructor(code: string, message = 'made up') {
    this.code = code;
    this.message = message;
  }
}

/** Every operation that the account supports, by service and operation name, for example `ssm GetParameter`. */
export type Operations = Record<string, (parameters: Json) => Answer>;

export interface AccountDouble extends AwsDouble {
  /** The responses of the account. Replace one to simulate a fault. */
  readonly operations: Operations;
  /** The operations that were called, in order, with the region and the parameters of each. */
  readonly calls: { readonly operation: string; readonly region: string; readonly parameters: Json }[];
  reset(): void;
}

export async function startAccount(): Promise<AccountDouble> {
  const operations: Operations = {};
  const calls: AccountDouble['calls'] = [];
  const aws = await startAwsDouble((request) => {
    const { protocol, service, operation, parameters } = parse(request);
    const name = `${service} ${operation}`;
    calls.push({ operation: name, region: request.scope.split('/')[0] ?? '', parameters });
    const answer = operations[name]?.(parameters) ?? new AwsError('UnknownOperationException', name);
    return REPLIES[protocol](answer, operation);
  });
  const reset = () => {
    for (const name of Object.keys(operations)) delete operations[name];
    Object.assign(operations, healthyAccount());
    calls.length = 0;
  };
  reset();
  return { ...aws, operations, calls, reset };
}

type Protocol = 'json' | 'rest' | 'query' | 'xml';

interface Call {
  readonly protocol: Protocol;
  readonly service: string;
  readonly operation: string;
  readonly parameters: Json;
}

/** The operations of services whose protocol identifies an operation by its path. */
const PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/account$/, 'GetAccount'],
  [/^\/domainnames\/(?<domainName>[^/]+)$/, 'GetDomainName'],
  [/^\/2016-08-19\/account-settings$/, 'GetAccountSettings'],
  [/^\/v2\/email\/account$/, 'GetAccount'],
  [/^\/v2\/email\/identities\/(?<identity>[^/]+)$/, 'GetEmailIdentity'],
  [/^\/v2\/email\/configuration-sets\/(?<name>[^/]+)$/, 'GetConfigurationSet'],
  [/^\/2013-04-01\/hostedzone\/(?<Id>[^/]+)$/, 'GetHostedZone'],
  [/^\/2013-04-01\/hostedzone\/(?<Id>[^/]+)\/rrset$/, 'ListResourceRecordSets'],
];

function parse({ body, operation, path, scope }: AwsRequest): Call {
  const service = scope.split('/')[1] ?? '';
  if (body.startsWith('Action=')) {
    const { Action: _, Version: __, ...parameters } = Object.fromEntries(new URLSearchParams(body));
    return { protocol: 'query', service, operation, parameters };
  }
  if (operation) return { protocol: 'json', service, operation, parameters: JSON.parse(body) };
  for (const [pattern, name] of PATHS) {
    const match = pattern.exec(path);
    if (!match) continue;
    const protocol = service === 'route53' ? 'xml' : 'rest';
    return { protocol, service, operation: name, parameters: { ...match.groups } };
  }
  return { protocol: 'rest', service, operation: path, parameters: {} };
}

const REPLIES: Readonly<Record<Protocol, (answer: Answer, operation: string) => Reply>> = {
  json(answer) {
    const type = 'application/x-amz-json-1.1';
    if (answer instanceof AwsError)
      return { status: 400, type, body: JSON.stringify({ __type: answer.code, message: answer.message }) };
    return { type, body: JSON.stringify(answer) };
  },
  rest(answer) {
    const type = 'application/json';
    if (answer instanceof AwsError) {
      const status = /NotFound/.test(answer.code) ? 404 : 403;
      const headers = { 'x-amzn-errortype': answer.code };
      return { status, type, headers, body: JSON.stringify({ message: answer.message }) };
    }
    return { type, body: JSON.stringify(answer) };
  },
  xml(answer, operation) {
    const type = 'text/xml';
    if (answer instanceof AwsError)
      return {
        status: answer.code === 'NoSuchHostedZone' ? 404 : 403,
        type,
        body: `<ErrorResponse><Error><Type>Sender</Type><Code>${answer.code}</Code><Message>${answer.message}</Message></Error><RequestId>made-up</RequestId></ErrorResponse>`,
      };
    return { type, body: `<${operation}Response>${String(answer)}</${operation}Response>` };
  },
  query(answer, operation) {
    const type = 'text/xml';
    const metadata = '<ResponseMetadata><RequestId>made-up</RequestId></ResponseMetadata>';
    if (answer instanceof AwsError)
      return {
        status: answer.code === 'ValidationError' ? 400 : answer.code === 'NoSuchEntity' ? 404 : 403,
        type,
        body: `<ErrorResponse><Error><Type>Sender</Type><Code>${answer.code}</Code><Message>${answer.message}</Message></Error><RequestId>made-up</RequestId></ErrorResponse>`,
      };
    const result = `<${operation}Result>${String(answer)}</${operation}Result>`;
    return { type, body: `<${operation}Response>${result}${metadata}</${operation}Response>` };
  },
};

/** Returns the error that the service sends for a call that the caller's policies do not allow. */
export function deniedBy(operation: string): AwsError {
  const [service, name] = operation.split(' ');
  const message = `User: arn:aws:iam::${ACCOUNT}:user/ada is not authorized to perform: ${service}:${name}`;
  if (service === 'sns') return new AwsError('AuthorizationError', message);
  const isQuery = service === 'iam' || service === 'cloudformation';
  return new AwsError(isQuery ? 'AccessDenied' : 'AccessDeniedException', message);
}

export const stackXml = (
  name: string,
  outputs: Readonly<Record<string, string>>,
  status = 'UPDATE_COMPLETE',
) =>
  `<Stacks><member><StackName>${name}</StackName><StackId>arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${name}/made-up</StackId><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>${Object.entries(
    outputs,
  )
    .map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    )
    .join('')}</Outputs></member></Stacks>`;

export const stackMissing = (name: string) =>
  new AwsError('ValidationError', `Stack with id ${name} does not exist`);

export const FAILED_STACK = `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/identity-prod-data/failed`;

/** A data stack whose first deployment failed. */
export const failedStacksXml = () =>
  `<StackSummaries><member><StackId>${FAILED_STACK}</StackId><StackName>identity-prod-data</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>DELETE_COMPLETE</StackStatus></member></StackSummaries>`;

const LEFT = {
  'AWS::DynamoDB::GlobalTable': 'identity-prod-data-WalletsOld',
  'AWS::Cognito::UserPool': 'eu-west-1_Old',
  'AWS::KMS::Key': 'b1b2b3b4',
};

function stackResourcesXml(StackName: unknown): string {
  const resources = StackName === FAILED_STACK ? Object.entries(LEFT) : [];
  const members = resources.map(
    ([type, id]) =>
      `<member><LogicalResourceId>Left</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceType>${type}</ResourceType><LastUpdatedTimestamp>2026-01-01T00:00:00Z</LastUpdatedTimestamp><ResourceStatus>${type === 'AWS::KMS::Key' ? 'DELETE_COMPLETE' : 'DELETE_SKIPPED'}</ResourceStatus></member>`,
  );
  return `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
}

const index = (IndexName: string) => ({ IndexName, KeySchema: [], Projection: { ProjectionType: 'ALL' } });
/** The tables that the code defines. */
export const TEMPLATE = {
  Resources: { Wallets: { Properties: { GlobalSecondaryIndexes: [index('statement'), index('wallets')] } } },
};

export const templateXml = (properties: Json = TEMPLATE.Resources.Wallets.Properties) =>
  `<TemplateBody>${JSON.stringify({ Resources: { Wallets: { Properties: properties } } })}</TemplateBody>`;

export const zoneXml = (name = 'example.com', isPrivate = false) =>
  `<HostedZone><Id>/hostedzone/Z0123456789EXAMPLE</Id><Name>${name}.</Name><CallerReference>made-up</CallerReference><Config><PrivateZone>${isPrivate}</PrivateZone></Config></HostedZone><DelegationSet><NameServers><NameServer>ns-1.dns.example</NameServer><NameServer>ns-2.dns.example</NameServer></NameServers></DelegationSet>`;

export const providersXml = (...hosts: readonly string[]) =>
  `<OpenIDConnectProviderList>${hosts.map((host) => `<member><Arn>arn:aws:iam::${ACCOUNT}:oidc-provider/${host}</Arn></member>`).join('')}</OpenIDConnectProviderList>`;

const OUTPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'identity-prod-data': {
    RegistrypremblySecret: secretArn('prembly'),
    RegistrydojahSecret: secretArn('dojah'),
    TestKeySecret: TEST_KEY,
    PaymentsKeySecret: PAYMENTS_KEY,
  },
  'identity-prod-webhooks': {},
  'identity-prod-api-functions': {},
  'identity-prod-api': {},
  'identity-prod-console': {},
  'identity-prod-operators': {},
  'identity-prod-operations': { AlarmTopic: TOPIC, TicketTopic: TOPIC },
  'identity-prod-access': {},
  'identity-prod-delivery': {},
};

export function describeProd(name: string, status?: string): Answer {
  const outputs = OUTPUTS[name];
  return outputs ? stackXml(name, outputs, status) : stackMissing(name);
}

export const subscriptionXml = (endpoint: string, arn = `${TOPIC}:a1b2c3d4`) =>
  `<member><TopicArn>${TOPIC}</TopicArn><Protocol>email</Protocol><SubscriptionArn>${arn}</SubscriptionArn><Owner>${ACCOUNT}</Owner><Endpoint>${endpoint}</Endpoint></member>`;

export const roleXml = (service: string) =>
  `<Role><RoleName>role</RoleName><Arn>${LOG_ROLE}</Arn><AssumeRolePolicyDocument>${encodeURIComponent(
    JSON.stringify({
      Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
    }),
  )}</AssumeRolePolicyDocument></Role>`;

export const certificate = (changes: Json = {}): Answer => ({
  Certificate: {
    CertificateArn: CERTIFICATE,
    DomainName: 'api.example.com',
    SubjectAlternativeNames: ['api.example.com', 'console.example.com'],
    Status: 'ISSUED',
    NotAfter: Date.parse('2027-10-01T00:00:00Z') / 1_000,
    ...changes,
  },
});

const SECRETS: Readonly<Record<string, Json>> = {
  [secretArn('prembly')]: { apiKey: 'live_sk_prembly' },
  [TEST_KEY]: { current: 'idv_test_madeup' },
  [secretArn('dojah')]: { appId: 'app', apiKey: 'prod_sk_dojah' },
};

export const secretValue = (SecretId: unknown): Answer => ({
  ARN: SecretId,
  SecretString: JSON.stringify(SECRETS[String(SecretId)] ?? {}),
  VersionStages: ['AWSCURRENT'],
});

function healthyAccount(): Operations {
  return {
    'sts GetCallerIdentity': () =>
      `<Arn>arn:aws:iam::${ACCOUNT}:user/ada</Arn><UserId>AIDACKCEVSQ6C2EXAMPLE</UserId><Account>${ACCOUNT}</Account>`,
    'ssm GetParameter': ({ Name }) => ({
      Parameter: { Name, Type: 'String', Value: '30', Version: 4, DataType: 'text' },
    }),
    'lambda GetAccountSettings': () => ({
      AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
      AccountUsage: { FunctionCount: 0, TotalCodeSize: 0 },
    }),
    'apigateway GetAccount': () => ({
      apiKeyVersion: '4',
      cloudwatchRoleArn: LOG_ROLE,
      features: ['UsagePlans'],
      throttleSettings: { burstLimit: 5_000, rateLimit: 10_000 },
    }),
    'apigateway GetDomainName': ({ domainName }) => ({
      domainName,
      regionalCertificateArn: CERTIFICATE,
      regionalDomainName: `d-a1b2c3d4e5.execute-api.${REGION}.amazonaws.com`,
      securityPolicy: 'TLS_1_2',
    }),
    'servicequotas ListRequestedServiceQuotaChangeHistoryByQuota': () => ({ RequestedQuotas: [] }),
    'servicequotas RequestServiceQuotaIncrease': ({ ServiceCode, QuotaCode, DesiredValue }) => ({
      RequestedQuota: {
        Id: 'd187537d15254312a9609aa51bbf7624u7W49tPO',
        ServiceCode,
        QuotaCode,
        DesiredValue,
        Status: 'PENDING',
        Created: Date.parse('2026-11-22T12:00:00Z') / 1_000,
      },
    }),
    'iam GetRole': () => roleXml('apigateway.amazonaws.com'),
    'acm DescribeCertificate': () => certificate(),
    'cloudformation DescribeStacks': ({ StackName }) => describeProd(String(StackName)),
    'cloudformation ListStacks': () => '<StackSummaries></StackSummaries>',
    'cloudformation ListStackResources': ({ StackName }) => stackResourcesXml(StackName),
    'cloudformation GetTemplate': () => templateXml(),
    'dynamodb DescribeTable': ({ TableName }) => ({ Table: { TableName, TableStatus: 'ACTIVE' } }),
    'dynamodb Scan': () => ({ Count: 0 }),
    'dynamodb UpdateTable': () => ({}),
    'dynamodb DeleteTable': () => ({}),
    'cognito-idp DescribeUserPool': ({ UserPoolId }) => ({ UserPool: { Id: UserPoolId } }),
    'cognito-idp ListUsers': () => ({ Users: [] }),
    'cognito-idp UpdateUserPool': () => ({}),
    'cognito-idp DeleteUserPool': () => ({}),
    'iam ListOpenIDConnectProviders': () => providersXml(),
    'route53 GetHostedZone': () => zoneXml(),
    'route53 ListResourceRecordSets': () =>
      '<ResourceRecordSets></ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>10</MaxItems>',
    'ses GetConfigurationSet': () => ({ SendingOptions: { SendingEnabled: true } }),
    'secretsmanager GetSecretValue': ({ SecretId }) => secretValue(SecretId),
    'secretsmanager ListSecretVersionIds': ({ SecretId }) => ({
      ARN: SecretId,
      Versions: [
        { VersionId: 'a', VersionStages: ['AWSCURRENT'] },
        { VersionId: 'b', VersionStages: ['AWSPREVIOUS'] },
      ],
    }),
    'ses GetAccount': () => ({ ProductionAccessEnabled: true, SendingEnabled: true }),
    'ses GetEmailIdentity': () => ({ IdentityType: 'DOMAIN', VerifiedForSendingStatus: true }),
    'sns ListSubscriptionsByTopic': () =>
      `<Subscriptions>${subscriptionXml('oncall@example.com')}</Subscriptions>`,
  };
}

/** The IAM action of each operation, except GetCallerIdentity, that a preflight without `--request-quota` may call. */
export const PREFLIGHT_ACTIONS: Readonly<Record<string, string>> = {
  'ssm GetParameter': 'ssm:GetParameter',
  'lambda GetAccountSettings': 'lambda:GetAccountSettings',
  'servicequotas ListRequestedServiceQuotaChangeHistoryByQuota':
    'servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota',
  'apigateway GetAccount': 'apigateway:GET',
  'apigateway GetDomainName': 'apigateway:GET',
  'iam GetRole': 'iam:GetRole',
  'acm DescribeCertificate': 'acm:DescribeCertificate',
  'cloudformation DescribeStacks': 'cloudformation:DescribeStacks',
  'cloudformation GetTemplate': 'cloudformation:GetTemplate',
  'cloudformation ListStackResources': 'cloudformation:ListStackResources',
  'cloudformation ListStacks': 'cloudformation:ListStacks',
  'cognito-idp DescribeUserPool': 'cognito-idp:DescribeUserPool',
  'dynamodb DescribeTable': 'dynamodb:DescribeTable',
  'iam ListOpenIDConnectProviders': 'iam:ListOpenIDConnectProviders',
  'route53 GetHostedZone': 'route53:GetHostedZone',
  'route53 ListResourceRecordSets': 'route53:ListResourceRecordSets',
  'ses GetConfigurationSet': 'ses:GetConfigurationSet',
  'secretsmanager GetSecretValue': 'secretsmanager:GetSecretValue',
  'secretsmanager ListSecretVersionIds': 'secretsmanager:ListSecretVersionIds',
  'ses GetAccount': 'ses:GetAccount',
  'ses GetEmailIdentity': 'ses:GetEmailIdentity',
  'sns ListSubscriptionsByTopic': 'sns:ListSubscriptionsByTopic',
};
