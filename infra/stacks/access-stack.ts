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
import type { StageConfig } from '../config.ts';
import { secretStatement, tableStatement } from '../constructs/access.ts';
import { compareStatements } from '../constructs/audit-archive.ts';
import { keyStatements } from '../constructs/data-key.ts';
import { DiagnosticsPolicy } from '../constructs/diagnostics-policy.ts';
import { OPERATOR_PROFILES, OPERATOR_ROLES, type OperatorRole } from '../constructs/operator-profiles.ts';
import { READ_CLOSINGS } from '../constructs/operator-rights.ts';
import { operatorStatements } from '../constructs/operator-statements.ts';
import { operatorRoleName } from '../constructs/physical-names.ts';
import { PreflightPolicy } from '../constructs/preflight-policy.ts';
import type { DataStack } from './data-stack.ts';

export interface AccessStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
}

/** The roles that people assume to use the `admin` CLI. The stack has no data, and can be deleted at any time. */
export class AccessStack extends Stack {
  constructor(scope: Construct, id: string, props: AccessStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const { sessionHours = 1 } = config.operations?.operators ?? {};
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
        statements: [...this.#statements(data, name), ...operatorStatements(this, config, name)],
        roles: [role],
      });
      if (name === 'engineer') {
        new DiagnosticsPolicy(this, 'diagnostics', config.stage, role);
        new PreflightPolicy(this, 'preflight', config.stage, role, data.secrets.PAYMENTS.secretArn);
      }
      new CfnOutput(this, `role-${name}`, { value: role.roleArn });
    }
  }

  /**
   * Returns the people who may assume a role: IAM users with two-factor authentication. The name of the session must be
   * the user's name, because the audit trail and CloudTrail identify the person by it.
   */
  #people({ operations }: StageConfig, name: OperatorRole): PrincipalBase {
    const users = operations?.operators?.users?.[name];
    const principal = users
      ? new CompositePrincipal(...users.map((arn) => new ArnPrincipal(arn)))
      : new AccountRootPrincipal();
    return principal.withConditions({
      Bool: { 'aws:MultiFactorAuthPresent': 'true' },
      StringEquals: { 'sts:RoleSessionName': `\${aws:username}` },
    });
  }

  #statements(
    { tables, secrets, key, archive, stackName }: DataStack,
    name: OperatorRole,
  ): PolicyStatement[] {
    const profile = OPERATOR_PROFILES[name];
    const dataStack = this.formatArn({
      service: 'cloudformation',
      resource: 'stack',
      // CloudFormation appends a random ID.
      resourceName: `${stackName}/*`,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    return [
      // The CLI reads the names of the tables from the outputs of the data stack.
      new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [dataStack] }),
      ...profile.tables.map((right) => tableStatement(tables[right.table], right)),
      ...secretStatement(
        'GetSecretValue',
        profile.secrets.map((secret) => secrets[secret].secretArn),
      ),
      ...keyStatements(key, profile),
      ...(profile.tables.includes(READ_CLOSINGS) ? compareStatements(archive) : []),
    ];
  }
}
