import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startAwsEndpoint } from './aws-endpoint.ts';
import { Callers } from './callers.ts';
import type { CloudAssembly } from './cloud-assembly.ts';
import type { Control } from './control.ts';
import type { DynamoDbLocal } from './dynamodb-local.ts';
import { FunctionFleet } from './function-fleet.ts';
import type { FunctionLog } from './function-log.ts';
import { openFunctionUrls } from './function-url.ts';
import { functionsOf } from './functions.ts';
import { sdkEnvironment } from './instance-environment.ts';
import { ACCOUNT_ID, REGION } from './physical-names.ts';
import { roleAuthoriser } from './policy.ts';
import { type RestHandler, restHandler } from './rest-api.ts';
import { schedulesOf, startSchedules } from './schedules.ts';
import { Secrets } from './secrets.ts';
import { createTable, tablesOf } from './tables.ts';
import { Deployment } from './template.ts';

export interface DeploymentOptions {
  readonly assembly: CloudAssembly;
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
  let fleet: FunctionFleet | undefined;
  const urls = await openFunctionUrls(assembly, (arn) => fleet?.poolOf(arn), cleanup);
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

  const definitions = functionsOf(deployment, assembly);
  const client = new DynamoDBClient({
    endpoint: endpoint.url,
    region: REGION,
    credentials: { accessKeyId: admin.AWS_ACCESS_KEY_ID, secretAccessKey: admin.AWS_SECRET_ACCESS_KEY },
  });
  cleanup.defer(() => client.destroy());
  await Promise.all(tables.map((table) => createTable(client, table)));

  const schedules = schedulesOf(deployment);
  fleet = new FunctionFleet({
    definitions,
    entryFile: options.entryFile,
    log,
    schedules,
    awsEndpoint: endpoint.url,
    maxInstances: ({ arn }) => options.instances * (urls.targets.has(arn) ? URL_INSTANCES_FACTOR : 1),
    credentialsOf: ({ arn, roleArn }) =>
      callers.register({ arn, authorise: roleAuthoriser(deployment, roleArn) }),
    extraEnvironment: options.functionsEnvironment,
  });
  const running = fleet;
  cleanup.defer(() => running.close());
  cleanup.defer(
    startSchedules(schedules, (schedule) => {
      running
        .runScheduled(schedule)
        .catch((error: Error) => log.platform('schedule failed', { words: error.message }));
    }),
  );
  const declared = Object.assign({}, ...definitions.map(({ environment }) => environment));
  return {
    restHandler: restHandler(deployment, (arn) => running.poolOf(arn)),
    control: running,
    client,
    adminAwsEnvironment: { ...declared, ...sdkEnvironment(endpoint.url, admin) },
  };
}
