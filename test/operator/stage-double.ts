import { type AwsDouble, type AwsRequest, type Reply, startAwsDouble } from '../support/aws-doubles.ts';

/**
 * A test double for the parts of AWS that `destroy` uses, over the wire: stacks, tables, secrets, keys, user pools and
 * log groups. It refuses what AWS refuses: to delete protected stacks, tables and user pools, tables that are being
 * updated, and stacks from which another imports.
 */

export interface Stack {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly exports?: readonly string[];
  readonly imports?: readonly string[];
  /** Deleting the stack fails with this reason. */
  readonly failure?: string;
  isProtected?: boolean;
  status?: string;
}

export interface Table {
  readonly tags: Readonly<Record<string, string>>;
  isProtected: boolean;
  /** Set by an update, and removed when the table is next described. If it is absent, the table is ACTIVE. */
  status?: 'UPDATING';
}

export interface Tagged {
  readonly tags: Readonly<Record<string, string>>;
  /** The days that remain until it is deleted. */
  scheduledDays?: number;
}

export interface Account {
  readonly stacks: Stack[];
  readonly tables: Map<string, Table>;
  readonly secrets: Map<string, Tagged>;
  readonly keys: Map<string, Tagged>;
  readonly logGroups: Map<string, Tagged>;
  readonly userPools: Map<string, Table>;
  /** The changes in order, such as `DeleteStack identity-dev-api`, including refused deletions of stacks. */
  readonly changes: string[];
  /** The change that AWS refuses once, in the format of `changes`. */
  failsOnce?: string | undefined;
}

type Input = Readonly<Record<string, string>>;

class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ARN = 'arn:aws:logs:eu-west-1:123456789012:log-group:';
const stackId = (name: string) => `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/1`;
const listed = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

export function startAccount(account: Account): Promise<AwsDouble> {
  return startAwsDouble((request) => respond(account, request));
}

function respond(account: Account, request: AwsRequest): Reply {
  const isQuery = request.scope.endsWith('/cloudformation') || request.scope.endsWith('/sts');
  const input: Input = isQuery
    ? Object.fromEntries(new URLSearchParams(request.body))
    : JSON.parse(request.body || '{}');
  try {
    return isQuery
      ? xml(request.operation, query(account, request.operation, input))
      : { type: 'application/x-amz-json-1.1', body: JSON.stringify(json(account, request.operation, input)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    return isQuery
      ? {
          status: 400,
          type: 'text/xml',
          body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
        }
      : { status: 400, type: 'application/x-amz-json-1.1', body: JSON.stringify({ __type: code, message }) };
  }
}

function xml(operation: string, result: string): Reply {
  return {
    type: 'text/xml',
    body: `<${operation}Response><${operation}Result>${result}</${operation}Result><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></${operation}Response>`,
  };
}

function query(account: Account, operation: string, { StackName = '', ...input }: Input): string {
  const { stacks } = account;
  const nameOf = (name: string) => stacks.find((stack) => [stack.name, stackId(stack.name)].includes(name));
  const stack = nameOf(StackName);
  const live = stacks.filter(({ status }) => status !== 'DELETE_COMPLETE');
  switch (operation) {
    case 'GetCallerIdentity':
      return '<Arn>arn:aws:iam::123456789012:user/ada</Arn><UserId>AIDA</UserId><Account>123456789012</Account>';
    case 'DescribeStacks':
      return `<Stacks>${(stack ? [stack] : live).map(described).join('')}</Stacks>`;
    case 'GetTemplate': {
      const Resources = (stack?.imports ?? []).map((name) => ({ 'Fn::ImportValue': name }));
      return `<TemplateBody>${JSON.stringify({ Resources }).replaceAll('"', '&quot;')}</TemplateBody>`;
    }
    case 'DescribeStackEvents': {
      const { failure } = stack ?? {};
      const event = `<member><StackId>1</StackId><EventId>1</EventId><StackName>x</StackName><Timestamp>2026-11-22T00:00:00Z</Timestamp><LogicalResourceId>Events</LogicalResourceId><ResourceStatus>DELETE_FAILED</ResourceStatus><ResourceStatusReason>${failure}</ResourceStatusReason></member>`;
      return `<StackEvents>${failure ? event : ''}</StackEvents>`;
    }
    case 'UpdateTerminationProtection':
      if (stack) stack.isProtected = input['EnableTerminationProtection'] === 'true';
      account.changes.push(`UpdateTerminationProtection ${StackName}`);
      return `<StackId>${StackName}</StackId>`;
    case 'DeleteStack':
      if (stack) deleteStack(account, stack);
      return '';
    default:
      throw new Error(`The double has no operation ${operation}.`);
  }
}

function described({ name, tags, createdAt, exports = [], isProtected = false, status }: Stack): string {
  const tag = ([key, value]: [string, string]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`;
  const output = (exported: string) =>
    `<member><OutputKey>x</OutputKey><OutputValue>x</OutputValue><ExportName>${exported}</ExportName></member>`;
  return `<member><StackId>${stackId(name)}</StackId><StackName>${name}</StackName><CreationTime>${createdAt}</CreationTime><StackStatus>${status ?? 'CREATE_COMPLETE'}</StackStatus><EnableTerminationProtection>${isProtected}</EnableTerminationProtection><Tags>${Object.entries(tags).map(tag).join('')}</Tags><Outputs>${exports.map(output).join('')}</Outputs></member>`;
}

function deleteStack(account: Account, stack: Stack): void {
  fail(account, `DeleteStack ${stack.name}`);
  if (stack.isProtected)
    throw new Refusal(
      'ValidationError',
      `Stack [${stack.name}] cannot be deleted while TerminationProtection is enabled`,
    );
  const importer = account.stacks.find(
    ({ status, imports = [] }) =>
      status !== 'DELETE_COMPLETE' && imports.some((name) => stack.exports?.includes(name)),
  );
  if (importer)
    throw new Refusal(
      'ValidationError',
      `Export of ${stack.name} cannot be deleted as it is in use by ${importer.name}`,
    );
  stack.status = stack.failure ? 'DELETE_FAILED' : 'DELETE_COMPLETE';
}

/** Records a change. Throws instead if the change is the one that AWS refuses once. */
function fail(account: Account, change: string): void {
  if (account.failsOnce === change) {
    account.failsOnce = undefined;
    throw new Refusal('AccessDenied', `${change} was interrupted`);
  }
  account.changes.push(change);
}

function json(account: Account, operation: string, input: Input): object {
  const { tables, secrets, keys, logGroups } = account;
  const { TableName = '', SecretId = '', KeyId = '', logGroupName = '', UserPoolId = '' } = input;
  switch (operation) {
    case 'ListTables':
      return { TableNames: [...tables.keys()] };
    case 'ListTagsOfResource':
      return { Tags: listed(tables.get(input['ResourceArn'] ?? '')?.tags ?? {}) };
    case 'DescribeTable':
    case 'UpdateTable':
    case 'DeleteTable':
      return onTable(account, operation, TableName);
    case 'ListSecrets':
      return { SecretList: [...secrets].map(([ARN, { tags }]) => ({ ARN, Tags: listed(tags) })) };
    case 'DescribeSecret':
      return secrets.get(SecretId)?.scheduledDays ? { DeletedDate: 1_800_000_000 } : {};
    case 'DeleteSecret':
      return schedule(
        account,
        `DeleteSecret ${SecretId}`,
        secrets.get(SecretId),
        input['RecoveryWindowInDays'],
      );
    case 'ListKeys':
      return { Keys: [...keys.keys()].map((id) => ({ KeyId: id })) };
    case 'ListResourceTags': {
      const { tags = {} } = keys.get(KeyId) ?? {};
      if (tags['denied']) throw new Refusal('AccessDeniedException', 'not authorized');
      return { Tags: Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })) };
    }
    case 'DescribeKey':
      return {
        KeyMetadata: { KeyId, KeyState: keys.get(KeyId)?.scheduledDays ? 'PendingDeletion' : 'Enabled' },
      };
    case 'ScheduleKeyDeletion':
      return schedule(account, `ScheduleKeyDeletion ${KeyId}`, keys.get(KeyId), input['PendingWindowInDays']);
    case 'ListUserPools':
      return { UserPools: [...account.userPools.keys()].map((Id) => ({ Id })) };
    case 'DescribeUserPool':
    case 'UpdateUserPool':
    case 'DeleteUserPool':
      return onUserPool(account, operation, UserPoolId);
    case 'DescribeLogGroups': {
      const names = [...logGroups.keys()].filter((name) =>
        name.startsWith(input['logGroupNamePrefix'] ?? ''),
      );
      return { logGroups: names.map((name) => ({ logGroupName: name, arn: `${ARN}${name}:*` })) };
    }
    case 'ListTagsForResource':
      return { tags: logGroups.get(input['resourceArn']?.slice(ARN.length) ?? '')?.tags };
    case 'DeleteLogGroup':
      fail(account, `DeleteLogGroup ${logGroupName}`);
      logGroups.delete(logGroupName);
      return {};
    default:
      throw new Error(`The double has no operation ${operation}.`);
  }
}

function onTable(account: Account, operation: string, name: string): object {
  const found = account.tables.get(name);
  if (!found) throw new Refusal('ResourceNotFoundException', `Table: ${name} not found`);
  const TableStatus = found.status ?? 'ACTIVE';
  if (operation === 'UpdateTable') {
    account.changes.push(`UpdateTable ${name}`);
    [found.isProtected, found.status] = [false, 'UPDATING'];
  } else if (operation === 'DeleteTable') {
    if (found.isProtected) throw new Refusal('ValidationException', `${name} has deletion protection`);
    if (found.status) throw new Refusal('ResourceInUseException', `${name} is being updated`);
    fail(account, `DeleteTable ${name}`);
    account.tables.delete(name);
  } else delete found.status;
  return { Table: { TableArn: name, TableStatus, DeletionProtectionEnabled: found.isProtected } };
}

function onUserPool(account: Account, operation: string, id: string): object {
  const found = account.userPools.get(id);
  if (!found) throw new Refusal('ResourceNotFoundException', `User pool ${id} does not exist.`);
  if (operation === 'UpdateUserPool') {
    account.changes.push(`UpdateUserPool ${id}`);
    found.isProtected = false;
  } else if (operation === 'DeleteUserPool') {
    if (found.isProtected) throw new Refusal('InvalidParameterException', `${id} has deletion protection`);
    fail(account, `DeleteUserPool ${id}`);
    account.userPools.delete(id);
  }
  return { UserPool: { Id: id, UserPoolTags: found.tags } };
}

function schedule(account: Account, change: string, found: Tagged | undefined, days: unknown): object {
  fail(account, change);
  if (found) found.scheduledDays = Number(days);
  return {};
}
