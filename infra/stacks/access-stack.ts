import { ArnFormat, CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  ArnPrincipal,
  CompositePrincipal,
  ManagedPolicy,
  PolicyStatement,
  type PrincipalBase,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import {
  ACTION_NAMES,
  type ActionName,
  actionPath,
  approvalPath,
  OPERATION_PATH,
  OPERATOR_ACTIONS,
  OPERATOR_ROLES,
  type OperatorRole,
  REQUESTED_ACTIONS,
} from '../../shared/operators/actions.ts';
import type { StageConfig } from '../config.ts';
import { CONSOLE_ALERTS, START_WEBHOOKS } from '../console-routes.ts';
import { secretStatement, tableStatement } from '../constructs/access/access.ts';
import { DiagnosticsPolicy } from '../constructs/access/diagnostics-policy.ts';
import { OPERATOR_PROFILES } from '../constructs/access/operator-profiles.ts';
import { RECONCILE } from '../constructs/access/operator-rights.ts';
import { PreflightPolicy } from '../constructs/access/preflight-policy.ts';
import { compareStatements } from '../constructs/data/audit-archive.ts';
import { keyStatements } from '../constructs/data/data-key.ts';
import {
  breakGlassRoleName,
  functionNameOf,
  operatorRoleName,
  serviceName,
} from '../constructs/physical-names.ts';
import type { DataStack } from './data-stack.ts';
import type { OperatorsStack } from './operators-stack.ts';

interface AccessStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  readonly operators: OperatorsStack;
}

/** All actions on items. A transaction needs permission for each of its actions. */
const ITEM_ACTIONS = [
  ...['GetItem', 'BatchGetItem', 'Query', 'Scan', 'ConditionCheckItem'],
  ...['PutItem', 'UpdateItem', 'DeleteItem'],
].map((action) => `dynamodb:${action}`);

const reconciles = (name: OperatorRole) =>
  RECONCILE.every((right) => OPERATOR_PROFILES[name].tables.includes(right));

type Condition = Readonly<Record<string, string>>;

/**
 * The roles that people assume to use the `admin` CLI. The stack contains no data and can be deleted and deployed
 * again.
 */
export class AccessStack extends Stack {
  constructor(scope: Construct, id: string, props: AccessStackProps) {
    super(scope, id, props);
    const { config, data, operators } = props;
    const { sessionHours = 1 } = config.operations?.operators ?? {};
    const reconciliation = this.#reconciliation(config, data);
    for (const name of OPERATOR_ROLES) {
      const roleName = operatorRoleName(config.stage, name);
      const description = OPERATOR_PROFILES[name].purpose;
      const role = new Role(this, name, {
        roleName,
        description,
        assumedBy: this.#people(config, name),
        maxSessionDuration: Duration.hours(sessionHours),
      });
      // A separate policy with a fixed name, so that permission sets of IAM Identity Center can use it too.
      new ManagedPolicy(this, `${name}-policy`, {
        managedPolicyName: roleName,
        description,
        statements: [
          ...this.#statements(data, operators, name),
          ...this.#changes(operators, name),
          ...this.#exports(config, name),
        ],
        roles: [role],
      });
      if (reconciles(name)) reconciliation.attachToRole(role);
      if (name === 'engineer' && config.operations) {
        new DiagnosticsPolicy(this, 'diagnostics', config.stage, role);
        new PreflightPolicy(this, 'preflight', config.stage, role, data.secrets.PAYMENTS.secretArn);
      }
      new CfnOutput(this, `role-${name}`, { value: role.roleArn });
    }
    if (config.operations) this.#breakGlass(config, data);
  }

  /**
   * Returns the people who may assume a role: IAM users with two-factor authentication. The name of the session must be
   * the user's name, because the audit trail and CloudTrail identify the person by it.
   */
  #people(
    { operations }: StageConfig,
    name: OperatorRole | 'break-glass',
    more: Condition = {},
  ): PrincipalBase {
    const users = operations?.operators?.users?.[name];
    const principal = users
      ? new CompositePrincipal(...users.map((arn) => new ArnPrincipal(arn)))
      : new AccountRootPrincipal();
    return principal.withConditions({
      Bool: { 'aws:MultiFactorAuthPresent': 'true' },
      StringEquals: { 'sts:RoleSessionName': `\${aws:username}`, ...more },
    });
  }

  #statements(
    { tables, secrets, key, stackName }: DataStack,
    operators: OperatorsStack,
    name: OperatorRole,
  ): PolicyStatement[] {
    const profile = OPERATOR_PROFILES[name];
    const rights = profile.tables.filter((right) => !(reconciles(name) && RECONCILE.includes(right)));
    const stacks = [stackName, operators.stackName].map((one) =>
      this.formatArn({
        service: 'cloudformation',
        resource: 'stack',
        // CloudFormation appends a random ID.
        resourceName: `${one}/*`,
        arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      }),
    );
    return [
      // The CLI reads the names of the tables and the address of the operator API from the outputs of these stacks.
      new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: stacks }),
      ...rights.map((right) => tableStatement(tables[right.table], right)),
      ...secretStatement(
        'GetSecretValue',
        profile.secrets.map((secret) => secrets[secret].secretArn),
      ),
      ...keyStatements(key, { tables: rights, secrets: profile.secrets }),
    ];
  }

  /** In a policy of its own, because IAM limits each policy to 6,144 characters. */
  #reconciliation({ stage }: StageConfig, { tables, key, archive }: DataStack): ManagedPolicy {
    return new ManagedPolicy(this, 'reconciliation-policy', {
      managedPolicyName: `${serviceName(stage)}-reconciliation`,
      description: 'Reads what a reconciliation compares',
      statements: [
        ...RECONCILE.map((right) => tableStatement(tables[right.table], right)),
        ...keyStatements(key, { tables: RECONCILE, secrets: [] }),
        ...compareStatements(archive),
      ],
    });
  }

  /**
   * Adds the role that may write tables and repeat events directly. It can be assumed only in the region of the stage, because its use is
   * reported there.
   */
  #breakGlass(config: StageConfig, { tables, key }: DataStack): void {
    const roleName = breakGlassRoleName(config.stage);
    const description = 'Writes tables directly, for what the operator API cannot do. Each use is reported';
    const rights = Object.values(tables).map(
      ({ tableArn }) =>
        new PolicyStatement({ actions: ITEM_ACTIONS, resources: [tableArn, `${tableArn}/index/*`] }),
    );
    const role = new Role(this, 'break-glass', {
      roleName,
      description,
      assumedBy: this.#people(config, 'break-glass', { 'aws:RequestedRegion': this.region }),
      maxSessionDuration: Duration.hours(1),
    });
    new ManagedPolicy(this, 'break-glass-policy', {
      managedPolicyName: roleName,
      description,
      statements: [
        ...rights,
        ...keyStatements(key, { tables: [{ table: 'VerificationLogs', actions: ['PutItem'] }], secrets: [] }),
        // They send what the event says to customers, so nobody may invoke them unnoticed.
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: [CONSOLE_ALERTS, START_WEBHOOKS].map(({ name }) =>
            this.formatArn({
              service: 'lambda',
              resource: 'function',
              resourceName: functionNameOf(config.stage, name),
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          ),
        }),
      ],
      roles: [role],
    });
    new CfnOutput(this, 'role-break-glass', { value: role.roleArn });
  }

  /** Lets a role call the operator API for its changes. */
  #changes({ restApi }: OperatorsStack, name: OperatorRole): PolicyStatement[] {
    const stage = restApi.deploymentStage.stageName;
    const isOwn = (action: ActionName) => OPERATOR_ACTIONS[action].some((role) => role === name);
    const paths = [
      ...ACTION_NAMES.filter((action) => action !== 'approve' && isOwn(action)).map(actionPath),
      ...REQUESTED_ACTIONS.filter(isOwn).map(approvalPath),
    ];
    if (paths.length === 0) return [];
    const resources = [
      ...paths.map((path) => restApi.arnForExecuteApi('POST', path, stage)),
      restApi.arnForExecuteApi('GET', OPERATION_PATH.replace('{id}', '*'), stage),
    ];
    return [new PolicyStatement({ actions: ['execute-api:Invoke'], resources })];
  }

  /** `month close --all` stores the month's reports in a bucket. The role can neither read nor list the bucket. */
  #exports({ money }: StageConfig, name: OperatorRole): PolicyStatement[] {
    if (name !== 'finance' || !money?.exportBucket) return [];
    const reports = `arn:${this.partition}:s3:::${money.exportBucket}/reports/*`;
    const ownAccount = { StringEquals: { 'aws:ResourceAccount': this.account } };
    return [new PolicyStatement({ actions: ['s3:PutObject'], resources: [reports], conditions: ownAccount })];
  }
}
