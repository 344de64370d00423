import { userInfo } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EXPLICIT_SETTINGS } from '../../shared/core/aws-client.ts';
import { startAwsEndpoint } from './aws/aws-endpoint.ts';
import { Buckets } from './aws/buckets.ts';
import type { DynamoDbLocal } from './aws/dynamodb-local.ts';
import { eventRulesOf } from './aws/event-bus.ts';
import { Mailbox } from './aws/mail.ts';
import { type Authorise, authoriser, roleAuthoriser } from './aws/policy.ts';
import { type AwsCredentials, Principals, sdkEnvironment } from './aws/principals.ts';
import type { Queue } from './aws/queue.ts';
import { Secrets } from './aws/secrets.ts';
import { queuesOf } from './aws/sqs.ts';
import { TableStream } from './aws/table-stream.ts';
import { createTable, streamArn, type Table, tablesOf } from './aws/tables.ts';
import type { Control } from './control.ts';
import { type FunctionDefinition, functionsOf } from './functions/definitions.ts';
import { FunctionFleet } from './functions/function-fleet.ts';
import type { FunctionLog } from './functions/function-log.ts';
import { queueMappingsOf } from './functions/queue-mappings.ts';
import { schedulesOf } from './functions/schedules.ts';
import { streamMappingsOf } from './functions/stream-mappings.ts';
import { type FunctionUrls, openFunctionUrls } from './gateway/function-url.ts';
import { type RestHandler, restHandler } from './gateway/rest-api.ts';
import { invokeUrl, type PerApi, type RestApi, restApisOf } from './gateway/rest-body.ts';
import { LiveVersion, type Version } from './live-version.ts';
import { openSignIn } from './sign-in.ts';
import type { CloudAssembly } from './templates/cloud-assembly.ts';
import { ACCOUNT_ID, REGION } from './templates/physical-names.ts';
import { Deployment } from './templates/template.ts';

interface DeploymentOptions {
  readonly assembly: CloudAssembly;
  readonly synthesiseAgain: () => Promise<CloudAssembly>;
  readonly dynamoDb: DynamoDbLocal;
  readonly log: FunctionLog;
  /** The program of function instances. */
  readonly entryFile: string;
  readonly secretsFile: string | undefined;
  /** Keeps the objects of buckets between runs. */
  readonly bucketsFile: string | undefined;
  /** For the emails that functions send. */
  readonly mailDirectory: string;
  /** Functions behind a URL may have 4 times as many. */
  readonly maxInstances: number;
  /** They run only through the control API. */
  readonly withoutSchedule: readonly string[];
  /** The local address of each API. */
  readonly restUrls: Required<PerApi<string>>;
}

interface RunningDeployment {
  readonly restHandlers: PerApi<RestHandler>;
  readonly control: Control;
  /** With credentials without restrictions. */
  readonly adminAwsEnvironment: Readonly<Record<string, string>>;
  /** A client with these credentials. */
  readonly client: DynamoDBClient;
  /** With the policies of all operator roles. */
  readonly operatorCredentials: AwsCredentials;
}

/** A function behind a URL serves many others, and slow look-ups keep it busy. */
const URL_INSTANCES_FACTOR = 4;

/** `cleanup` stops everything that was started. */
export async function runDeployment(
  options: DeploymentOptions,
  cleanup: AsyncDisposableStack,
): Promise<RunningDeployment> {
  const { assembly, dynamoDb, log } = options;
  let live: LiveVersion | undefined;
  const principals = new Principals();
  const urls = await openFunctionUrls(assembly, principals, (arn) => live?.poolOf(arn), cleanup);
  const signIn = await openSignIn(assembly, options.restUrls.console, cleanup);
  const attributes = new Map([...urls.attributes, ...signIn.attributes]);
  const deployment = new Deployment(assembly.stacks, attributes);

  const tables = tablesOf(deployment);
  const queues = queuesOf(deployment);
  const endpoint = await startAwsEndpoint({
    principals,
    dynamoDb,
    tables: new Map(tables.map((table) => [table.name, table])),
    secrets: new Secrets(deployment, options.secretsFile),
    userPools: signIn.pools,
    mailbox: new Mailbox(options.mailDirectory),
    publishEvent: (event) => live?.publish(event),
    invokeFunction: (arn, event) => live?.invoke(arn, event) ?? false,
    queues,
    buckets: new Buckets(deployment, options.bucketsFile),
    onDenied: (message) => log.platform('access denied', { message }),
  });
  cleanup.defer(endpoint.close);
  const { admin, client } = registerOperator(principals, endpoint.url, cleanup);
  await Promise.all(tables.map((table) => createTable(client, table)));

  const shared = { options, principals, urls, attributes, tables, queues, awsEndpoint: endpoint.url };
  const [initial, streams] = [createVersion(assembly, shared), streamsOf(tables, dynamoDb)];
  const control = new LiveVersion({
    ...{ initial, queues, streams },
    createNext: async () => {
      const next = await options.synthesiseAgain();
      assertSameStatefulResources(deployment, new Deployment(next.stacks, attributes));
      return createVersion(next, shared);
    },
    setFaults: endpoint.setFaults,
    log: (event, fields) => log.platform(event, fields),
  });
  live = control;
  cleanup.defer(() => control.close());
  const functions = functionsOf(new Deployment(assembly.stacks, attributes, endpoint.url), assembly);
  const settings = { ...operatorSettings(tables, assembly), ...environmentOfAll(functions) };
  return {
    restHandlers: control.restHandlers,
    control,
    client,
    operatorCredentials: registerPerson(principals, control),
    adminAwsEnvironment: { ...settings, ...sdkEnvironment(endpoint.url, admin) },
  };
}

/** By ARN. A new version reads on, not again. */
function streamsOf(tables: readonly Table[], dynamoDb: DynamoDbLocal): ReadonlyMap<string, TableStream> {
  const withStream = tables.filter(({ hasStream }) => hasStream);
  return new Map(withStream.map((table) => [streamArn(table), new TableStream(dynamoDb, table.name)]));
}

function registerOperator(principals: Principals, endpoint: string, cleanup: AsyncDisposableStack) {
  const arn = `arn:aws:iam::${ACCOUNT_ID}:user/operator`;
  const admin = principals.register({ arn, authorise: () => true });
  const credentials = {
    accessKeyId: admin.AWS_ACCESS_KEY_ID,
    secretAccessKey: admin.AWS_SECRET_ACCESS_KEY,
  };
  const client = new DynamoDBClient({ ...EXPLICIT_SETTINGS, endpoint, region: REGION, credentials });
  cleanup.defer(() => client.destroy());
  return { admin, client };
}

/** Returns the variables of all functions. */
function environmentOfAll(functions: readonly FunctionDefinition[]): Record<string, string> {
  return Object.assign({}, ...functions.map(({ environment }) => environment));
}

/** Under the policies of all operator roles. */
function registerPerson(principals: Principals, live: LiveVersion): AwsCredentials {
  const arn = `arn:aws:iam::${ACCOUNT_ID}:user/${userName()}`;
  return principals.register({ arn, authorise: (...request) => live.authoriseOperator(...request) });
}

const ACCESS_STACK = /(^|-)access$/;

function operatorAuthoriser(deployment: Deployment): Authorise {
  const policies = deployment
    .ofType('AWS::IAM::ManagedPolicy')
    .filter(({ stack }) => ACCESS_STACK.test(stack.name))
    .map((resource) => deployment.properties(resource)['PolicyDocument']);
  return authoriser(policies);
}

/** `unnamed` if this machine has none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unnamed';
  }
}

function operatorSettings(tables: readonly Table[], { stacks }: CloudAssembly): Record<string, string> {
  const nameOf = (part: string) => tables.find(({ name }) => name.includes(part))?.name;
  const auditTrail = nameOf('AuditTrail');
  const approvals = nameOf('Approvals');
  const payments = nameOf('Payments');
  const consoleTable = nameOf('Console');
  const outputs = stacks.flatMap(({ template }) => template.Outputs?.['SecondPersonAbove'] ?? []);
  return {
    ...(auditTrail && { AUDIT_TRAIL_TABLE: auditTrail }),
    ...(approvals && { APPROVALS_TABLE: approvals }),
    ...(payments && { PAYMENTS_TABLE: payments }),
    ...(consoleTable && { CONSOLE_TABLE: consoleTable }),
    SECOND_PERSON_ABOVE: String(outputs[0]?.Value ?? 'off'),
  };
}

/** The resources that all versions share. */
interface Shared {
  readonly options: DeploymentOptions;
  readonly principals: Principals;
  readonly urls: FunctionUrls;
  readonly attributes: ReadonlyMap<string, string>;
  readonly tables: readonly Table[];
  readonly queues: readonly Queue[];
  readonly awsEndpoint: string;
}

/** It does not serve requests yet. */
function createVersion(assembly: CloudAssembly, shared: Shared): Version {
  const { options, principals, urls, attributes, tables, queues, awsEndpoint } = shared;
  const deployment = new Deployment(assembly.stacks, attributes, awsEndpoint);
  const schedules = schedulesOf(deployment);
  const eventRules = eventRulesOf(deployment);
  const apis = restApisOf(deployment);
  const definitions = functionsOf(deployment, assembly);
  const queueMappings = queueMappingsOf(deployment, definitions, queues);
  const streamMappings = streamMappingsOf(deployment, definitions, tables);
  const fleet = new FunctionFleet({
    definitions: definitions.map((definition) => withLocalAddresses(definition, apis, options.restUrls)),
    entryFile: options.entryFile,
    log: options.log,
    schedules,
    maxInstances: ({ arn }) => options.maxInstances * (urls.targets.has(arn) ? URL_INSTANCES_FACTOR : 1),
    sdkEnvironmentOf: ({ arn, roleArn }) =>
      sdkEnvironment(
        awsEndpoint,
        principals.register({ arn, authorise: roleAuthoriser(deployment, roleArn) }),
      ),
  });
  const poolOf = (arn: string) => fleet.poolOf(arn);
  const handlerOf = (api: RestApi) => restHandler(api, deployment, poolOf, principals);
  const restHandlers = {
    api: handlerOf(apis.api),
    ...(apis.console && { console: handlerOf(apis.console) }),
    ...(apis.operators && { operators: handlerOf(apis.operators) }),
  };
  const isScheduled = (arn: string) =>
    !options.withoutSchedule.includes(fleet.poolOf(arn)?.definition.name ?? '');
  return {
    fleet,
    schedules: schedules.filter(({ functionArn }) => isScheduled(functionArn)),
    eventRules,
    queueMappings,
    streamMappings,
    restHandlers,
    authoriseOperator: operatorAuthoriser(deployment),
  };
}

/** Ports are not known until the service starts. */
const SHOWN_ADDRESSES: Readonly<Record<string, (urls: Required<PerApi<string>>) => string>> = {
  API_URL: ({ api }) => api,
  DOCUMENTATION_URL: ({ api }) => `${api}/docs/`,
  LINKED_CONSOLE_URL: (urls) => urls.console,
};

function withLocalAddresses(
  definition: FunctionDefinition,
  apis: PerApi<RestApi>,
  restUrls: Required<PerApi<string>>,
): FunctionDefinition {
  const names = ['api', 'console', 'operators'] as const;
  const localText = (text: string) =>
    names.reduce((changed, name) => {
      const api = apis[name];
      return api ? changed.replaceAll(invokeUrl(api), restUrls[name]) : changed;
    }, text);
  const environment = Object.entries(definition.environment).map(([key, text]) => {
    const shown = text === '' ? SHOWN_ADDRESSES[key] : undefined;
    return [key, shown ? shown(restUrls) : localText(text)];
  });
  return { ...definition, environment: Object.fromEntries(environment) };
}

/** Created only at startup: they hold data or have an address that others use. */
const STATEFUL_TYPES = [
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::GlobalTable',
  'AWS::SecretsManager::Secret',
  'AWS::Lambda::Url',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::SQS::Queue',
  'AWS::S3::Bucket',
];

function assertSameStatefulResources(running: Deployment, next: Deployment): void {
  const propertiesOf = (deployment: Deployment) =>
    deployment
      .ofType(...STATEFUL_TYPES)
      .map((resource) => [resource.logicalId, deployment.properties(resource)]);
  const apiNames = (deployment: Deployment) => Object.keys(restApisOf(deployment));
  if (
    isDeepStrictEqual(propertiesOf(running), propertiesOf(next)) &&
    isDeepStrictEqual(apiNames(running), apiNames(next))
  )
    return;
  throw new Error(
    'This deployment would change tables, secrets, queues, buckets, function URLs, user pools or the number of APIs. Stop the service and start it again.',
  );
}
