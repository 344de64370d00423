import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startAwsEndpoint } from '../../infra/local/aws/aws-endpoint.ts';
import { Buckets } from '../../infra/local/aws/buckets.ts';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import { Mailbox } from '../../infra/local/aws/mail.ts';
import { roleAuthoriser } from '../../infra/local/aws/policy.ts';
import { type Principal, Principals, sdkEnvironment } from '../../infra/local/aws/principals.ts';
import { Secrets } from '../../infra/local/aws/secrets.ts';
import { createTable, tablesOf } from '../../infra/local/aws/tables.ts';
import { type Listening, listen, readBody } from '../../infra/local/http-server.ts';
import { ACCOUNT_ID, arn, REGION } from '../../infra/local/templates/physical-names.ts';
import { type Stack, Deployment as Stacks, type Template } from '../../infra/local/templates/template.ts';
import type { ActionName, OperatorRole } from '../../shared/operators/actions.ts';
import type { Deployment } from '../../shared/operators/deployment.ts';
import { type Operator, operator } from '../../shared/operators/operator.ts';
import { CONSOLE } from '../infra/console.ts';
import { synthesize } from '../infra/synthesis.ts';
import { stackDescription, startSts } from '../support/aws-doubles.ts';
import { deploymentFrom } from '../support/deployment-from.ts';
import { pinStages } from '../support/pin-stages.ts';
import { SETTINGS } from '../unit/payments/memory-payments.ts';
import { startOperatorFunctions } from './operator-functions.ts';

/** The tables and secrets of prod on this machine, under the policies of the access stack. */
export interface StageOnEndpoint {
  /** Without restrictions. */
  readonly operator: Operator;
  readonly deployment: Deployment;
  /** Returns the environment variables of a person who has assumed the role. */
  environmentOf(role: OperatorRole, person?: string): Readonly<Record<string, string>>;
  readonly operatorsUrl: string;
  /**
   * Returns a digest of all items of all tables, without empty shards: `wallet set-shards` creates them before the step
   * that is denied, and they change nothing.
   */
  digest(): Promise<string>;
  close(): Promise<void>;
}

const DATA_STACK = 'identity-prod-data';
const OPERATORS_STACK = 'identity-prod-operators';

export async function startStageOnEndpoint(): Promise<StageOnEndpoint> {
  // The policies of the access stack contain the account and region of the stage, which must be those of this endpoint.
  const pin = { account: ACCOUNT_ID, region: REGION };
  pinStages({ ...pin, ...CONSOLE });
  const templates = synthesize('prod', { ...pin, ...CONSOLE });
  const stackOf = (part: 'data' | 'access' | 'operators'): Stack => ({
    name: `identity-prod-${part}`,
    template: templates[part].toJSON() as Template,
  });
  const data = stackOf('data');
  const operators = stackOf('operators');
  const stacks = new Stacks([data, operators, stackOf('access')], poolAttributes(data));
  const outputs = outputsOf(stacks, data);
  const directory = mkdtempSync(join(tmpdir(), 'roles-'));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
  const principals = new Principals();
  const tables = tablesOf(stacks);
  const endpoint = await startAwsEndpoint({
    principals,
    dynamoDb: database,
    tables: new Map(tables.map((table) => [table.name, table])),
    secrets: new Secrets(stacks),
    buckets: new Buckets(stacks),
    mailbox: new Mailbox(join(directory, 'mail')),
    onDenied: () => undefined,
  });
  const functions = await startOperatorFunctions({
    principalsFor: () => principals,
    stageArn: arn('execute-api', `${apiIdOf(stacks)}/prod`),
    deploymentFor: (action) => asFunction(deploymentOf, stacks, action),
    console: () => ({ url: 'https://console.example.com', sendMail: async () => undefined }),
  });
  const described: Readonly<Record<string, Outputs>> = {
    [DATA_STACK]: { ...outputs, Money: JSON.stringify(SETTINGS) },
    [OPERATORS_STACK]: { OperatorsUrl: functions.url },
  };
  const cloudFormation = await startServer((request, body, response) =>
    describeStack(principals.find(request.headers.authorization), body, described, response),
  );
  const sts = await startSts((keyId) => principals.find(`Credential=${keyId}/`)?.arn ?? '');
  const variablesOf = (principal: Principal) =>
    sdkEnvironment(endpoint.url, principals.register(principal)) as Readonly<Record<string, string>>;

  /** The deployment as a principal may use it. */
  const deploymentOf = (principal: Principal) =>
    deploymentFrom({
      ...variablesOf(principal),
      API_KEYS_TABLE: outputs['ApiKeysTable'],
      WALLETS_TABLE: outputs['WalletsTable'],
      VERIFICATION_LOGS_TABLE: outputs['VerificationLogsTable'],
      AUDIT_TRAIL_TABLE: outputs['AuditTrailTable'],
      APPROVALS_TABLE: outputs['ApprovalsTable'],
      PAYMENTS_TABLE: outputs['PaymentsTable'],
      CONSOLE_TABLE: outputs['ConsoleTable'],
      PEPPER_SECRET: outputs['PepperSecret'],
      SLIP_SECRET: slipSecretOf(stacks),
      SECOND_PERSON_ABOVE: outputs['SecondPersonAbove'],
      MONEY: JSON.stringify(SETTINGS),
    });
  const deployment = deploymentOf({ arn: `arn:aws:iam::${ACCOUNT_ID}:root`, authorise: () => true });
  for (const table of tables) await createTable(deployment.client, table);
  return {
    deployment,
    operator: operator(deployment),
    operatorsUrl: functions.url,
    environmentOf: (role, person = 'ada') => ({
      ...variablesOf({
        arn: `arn:aws:sts::${ACCOUNT_ID}:assumed-role/identity-prod-${role}/${person}`,
        authorise: roleAuthoriser(stacks, `arn:aws:iam::${ACCOUNT_ID}:role/identity-prod-${role}`),
      }),
      AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
      AWS_ENDPOINT_URL_STS: sts.url,
    }),
    async digest() {
      const items = tables.map(async ({ name }) => {
        const { Items = [] } = await deployment.client.send(new ScanCommand({ TableName: name }));
        const isEmptyShard = ({ shard, credited, available }: Record<string, unknown>) =>
          Number(shard) > 0 && credited === 0 && available === 0;
        const kept = Items.filter((item) => !isEmptyShard(item));
        return kept.map((item) => JSON.stringify(item)).sort();
      });
      return createHash('sha256')
        .update(JSON.stringify(await Promise.all(items)))
        .digest('hex');
    },
    async close() {
      await functions.close();
      deployment.client.destroy();
      await cloudFormation.close();
      await sts.close();
      await endpoint.close();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns an invented address for the console's user pool: the stack outputs it, but the CLI does not use it. */
function poolAttributes({ template }: Stack): ReadonlyMap<string, string> {
  const pools = Object.entries(template.Resources ?? {}).filter(
    ([, { Type }]) => Type === 'AWS::Cognito::UserPool',
  );
  return new Map(pools.map(([logicalId]) => [`${logicalId}.ProviderURL`, 'https://pool.example.com']));
}

function outputsOf(stacks: Stacks, data: Stack): Readonly<Record<string, string>> {
  const outputs = Object.entries(data.template.Outputs ?? {});
  return Object.fromEntries(outputs.map(([key, { Value }]) => [key, stacks.text(data, Value)]));
}

function slipSecretOf(stacks: Stacks): string {
  const all = stacks.ofType('AWS::SecretsManager::Secret');
  const slip = all.find((one) => String(stacks.properties(one)['Description']).includes('slips'));
  if (!slip) throw new Error('The templates contain no secret of slips.');
  return stacks.arn(slip);
}

type Outputs = Readonly<Record<string, string>>;

/** Responds as CloudFormation does in the AWS Query protocol, if the policies allow it. */
function describeStack(
  principal: Principal | undefined,
  body: string,
  stacks: Readonly<Record<string, Outputs>>,
  response: ServerResponse,
): void {
  const name = new URLSearchParams(body).get('StackName') ?? '';
  const stackArn = arn('cloudformation', `stack/${name}/00000000-0000-0000-0000-000000000000`);
  const isAllowed = principal?.authorise('cloudformation:DescribeStacks', stackArn) === true;
  response.writeHead(isAllowed ? 200 : 403, { 'Content-Type': 'text/xml' });
  response.end(isAllowed ? stackDescription(name, stacks[name] ?? {}) : deniedXml(principal));
}

function nameOfFunction(action: ActionName | 'show operation'): string {
  return `identity-prod-operators-${action.replace(' ', '-')}`;
}

function functionOf(stacks: Stacks, action: ActionName | 'show operation') {
  const found = stacks
    .ofType('AWS::Lambda::Function')
    .map((resource) => stacks.properties(resource))
    .find(({ FunctionName }) => FunctionName === nameOfFunction(action));
  if (!found) throw new Error(`There is no function for ${action}.`);
  return found;
}

/** Returns the principal of an action's function, under the policies of its role. */
function functionPrincipal(stacks: Stacks, action: ActionName | 'show operation'): Principal {
  const roleArn = String(functionOf(stacks, action)['Role']);
  return {
    arn: arn('lambda', `function:${nameOfFunction(action)}`),
    authorise: roleAuthoriser(stacks, roleArn),
  };
}

/** Returns the deployment as the function of an action may use it: under its policies, and with only its settings. */
function asFunction(
  deploymentOf: (principal: Principal) => Deployment,
  stacks: Stacks,
  action: ActionName | 'show operation',
): Deployment {
  const deployment = deploymentOf(functionPrincipal(stacks, action));
  const variables = variablesOfFunction(stacks, action);
  const nameOf = (table: string, name: string) => (`${table}_TABLE` in variables ? name : 'no-access');
  const { tables, secondPersonAbove } = deployment;
  return {
    ...deployment,
    tables: {
      apiKeys: nameOf('API_KEYS', tables.apiKeys),
      wallets: nameOf('WALLETS', tables.wallets),
      verificationLogs: nameOf('VERIFICATION_LOGS', tables.verificationLogs),
      auditTrail: nameOf('AUDIT_TRAIL', tables.auditTrail),
      approvals: nameOf('APPROVALS', tables.approvals),
      payments: nameOf('PAYMENTS', tables.payments),
      console: nameOf('CONSOLE', tables.console),
    },
    get secondPersonAbove() {
      if ('SECOND_PERSON_ABOVE' in variables) return secondPersonAbove;
      throw new Error('The environment variable SECOND_PERSON_ABOVE is missing or malformed.');
    },
  };
}

function variablesOfFunction(stacks: Stacks, action: ActionName | 'show operation'): object {
  const { Environment } = functionOf(stacks, action) as { Environment: { Variables: object } };
  return Environment.Variables;
}

function apiIdOf(stacks: Stacks): string {
  const [api] = stacks.ofType('AWS::ApiGateway::RestApi');
  if (!api) throw new Error('The templates contain no REST API.');
  return stacks.name(api);
}

function deniedXml(principal: Principal | undefined): string {
  return `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>User: ${principal?.arn} is not authorized to perform: cloudformation:DescribeStacks</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
}

function startServer(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const body = await readBody(request, 100_000);
    handle(request, body?.toString() ?? '', response);
  });
  return listen(server);
}
