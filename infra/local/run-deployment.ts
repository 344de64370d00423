import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startAwsEndpoint } from './aws-endpoint.ts';
import { Callers } from './callers.ts';
import type { CloudAssembly } from './cloud-assembly.ts';
import type { Control } from './control.ts';
import type { DynamoDbLocal } from './dynamodb-local.ts';
import { FunctionFleet } from './function-fleet.ts';
import type { FunctionLog } from './function-log.ts';
import { type FunctionUrls, openFunctionUrls } from './function-url.ts';
import { functionsOf } from './functions.ts';
import { sdkEnvironment } from './instance-environment.ts';
import { LiveVersion, type Version } from './live-version.ts';
import { ACCOUNT_ID, REGION } from './physical-names.ts';
import { roleAuthoriser } from './policy.ts';
import { type RestHandler, restHandler } from './rest-api.ts';
import { schedulesOf } from './schedules.ts';
import { Secrets } from './secrets.ts';
import { createTable, tablesOf } from './tables.ts';
import { Deployment } from './template.ts';

export interface DeploymentOptions {
  readonly assembly: CloudAssembly;
  /** Synthesizes the app as it is now. */
  readonly synthesizeAgain: () => Promise<CloudAssembly>;
  readonly dynamoDb: DynamoDbLocal;
  readonly log: FunctionLog;
  /** The program of function instances. */
  readonly entryFile: string;
  readonly secretsFile?: string | undefined;
  readonly instances: number;
  readonly functionsEnvironment: Readonly<Record<string, string>>;
}

export interface RunningDeployment {
  readonly restHandler: RestHandler;
  readonly control: Control;
  /** Settings of the service, and credentials that may do everything. */
  readonly adminAwsEnvironment: Readonly<Record<string, string>>;
  /** With the same rights. */
  readonly client: DynamoDBClient;
}

/** Registries are asked by many requests at once, and each that does not answer keeps an instance for long. */
const URL_INSTANCES_FACTOR = 4;

/** Brings the resources of the templates to life; what it starts is ended by `cleanup`. */
export async function runDeployment(
  options: DeploymentOptions,
  cleanup: AsyncDisposableStack,
): Promise<RunningDeployment> {
  const { assembly, dynamoDb, log } = options;
  let live: LiveVersion | undefined;
  const urls = await openFunctionUrls(assembly, (arn) => live?.poolOf(arn), cleanup);
  const deployment = new Deployment(assembly.stacks, urls.attributes);

  const callers = new Callers();
  const tables = tablesOf(deployment);
  const endpoint = await startAwsEndpoint({
    callers,
    dynamoDb,
    tables: new Map(tables.map((table) => [table.name, table])),
    secrets: new Secrets(deployment, options.secretsFile),
    onRefusal: (words) => log.platform('access denied', { words }),
  });
  cleanup.defer(endpoint.close);
  const admin = callers.register({ arn: `arn:aws:iam::${ACCOUNT_ID}:user/operator`, authorise: () => true });
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: REGION,
    credentials: { accessKeyId: admin.AWS_ACCESS_KEY_ID, secretAccessKey: admin.AWS_SECRET_ACCESS_KEY },
  });
  cleanup.defer(() => client.destroy());
  await Promise.all(tables.map((table) => createTable(client, table)));

  const surroundings = { options, callers, urls, awsEndpoint: endpoint.url };
  live = new LiveVersion({
    first: versionOf(assembly, surroundings),
    next: async () => {
      const next = await options.synthesizeAgain();
      refuseOtherState(deployment, new Deployment(next.stacks, urls.attributes));
      return versionOf(next, surroundings);
    },
    tell: (event, fields) => log.platform(event, fields),
  });
  const control = live;
  cleanup.defer(() => control.close());
  const declared = Object.assign(
    {},
    ...functionsOf(deployment, assembly).map(({ environment }) => environment),
  );
  return {
    restHandler: control.restHandler,
    control,
    client,
    adminAwsEnvironment: { ...declared, ...sdkEnvironment(endpoint.url, admin) },
  };
}

interface Surroundings {
  readonly options: DeploymentOptions;
  readonly callers: Callers;
  readonly urls: FunctionUrls;
  readonly awsEndpoint: string;
}

/** The functions of an assembly and what calls them, not serving yet. */
function versionOf(assembly: CloudAssembly, { options, callers, urls, awsEndpoint }: Surroundings): Version {
  const deployment = new Deployment(assembly.stacks, urls.attributes);
  const schedules = schedulesOf(deployment);
  const fleet = new FunctionFleet({
    definitions: functionsOf(deployment, assembly),
    entryFile: options.entryFile,
    log: options.log,
    schedules,
    awsEndpoint,
    maxInstances: ({ arn }) => options.instances * (urls.targets.has(arn) ? URL_INSTANCES_FACTOR : 1),
    credentialsOf: ({ arn, roleArn }) =>
      callers.register({ arn, authorise: roleAuthoriser(deployment, roleArn) }),
    extraEnvironment: options.functionsEnvironment,
  });
  return { fleet, schedules, restHandler: restHandler(deployment, (arn) => fleet.poolOf(arn)) };
}

/** What holds state, or has an address that others know: it is made once, when the service starts. */
const LASTING = [
  ...['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable', 'AWS::SecretsManager::Secret'],
  'AWS::Lambda::Url',
];

function refuseOtherState(running: Deployment, wanted: Deployment): void {
  const lasting = (deployment: Deployment) =>
    deployment.ofType(...LASTING).map((resource) => [resource.logicalId, deployment.properties(resource)]);
  if (isDeepStrictEqual(lasting(running), lasting(wanted))) return;
  throw new Error('Tables, secrets or function URLs would change: end the service and start it again.');
}
