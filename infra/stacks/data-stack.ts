import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { LISTED_ATTRIBUTES } from '../../shared/verifications/listed-log.ts';
import type { StageConfig } from '../config.ts';
import type { SecretName, TableName } from '../constructs/access-profiles.ts';
import { DataKey } from '../constructs/data-key.ts';
import { MemberPool } from '../constructs/member-pool.ts';
import { type ActiveTable, index, RetainedTable, restoredTable } from '../constructs/retained-table.ts';
import { stageSecrets } from '../constructs/stage-secrets.ts';

export interface DataStackProps extends StackProps {
  readonly restoredTables?: StageConfig['restoredTables'];
  /** Whether a customer-managed key protects the pepper and VerificationLogs. @default false */
  readonly customerManagedKey?: boolean;
  readonly secondPerson?: StageConfig['secondPerson'];
  /** The address from which the console's emails are sent. @default Cognito sends the emails about sign-ins */
  readonly mailFrom?: string | undefined;
}

/** Everything that must never be lost: the tables, the secrets, the data key and the user pool. */
export class DataStack extends Stack {
  /** The tables in use: this stack's own, or restored ones. */
  readonly tables: Readonly<Record<TableName, ActiveTable>>;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  /** Exists even without a console, so that a stage can close its console and open it again with the same people. */
  readonly userPool: MemberPool;
  /** Exists even if it protects nothing, so that functions have permission to use it before it protects anything. */
  readonly key: DataKey;

  constructor(scope: Construct, id: string, props: DataStackProps = {}) {
    super(scope, id, { ...props, terminationProtection: true });
    this.key = new DataKey(this, 'Key');
    const protectingKey = props.customerManagedKey ? this.key : undefined;
    const own = {
      ApiKeys: new RetainedTable(this, 'ApiKeys'),
      Wallets: new RetainedTable(this, 'Wallets', [
        index('statement', { partition: 'statementKey', sort: 'statementSort' }),
        index('wallets', { partition: 'walletsKey', sort: 'pk' }, []),
      ]),
      VerificationLogs: new RetainedTable(
        this,
        'VerificationLogs',
        [
          index('byRequest', { partition: 'requestKey' }),
          index('byTime', { partition: 'timeKey', sort: 'timeSort' }, LISTED_ATTRIBUTES),
          index('byReference', { partition: 'referenceKey', sort: 'timeSort' }, LISTED_ATTRIBUTES),
        ],
        { key: protectingKey },
      ),
      AuditTrail: new RetainedTable(this, 'AuditTrail', [], { keepsAllRows: true }),
      Approvals: new RetainedTable(this, 'Approvals'),
      Payments: new RetainedTable(
        this,
        'Payments',
        [
          index('due', { partition: 'dueKey', sort: 'dueSort' }, []),
          index('orders', { partition: 'ordersKey', sort: 'ordersSort' }),
        ],
        { keepsAllRows: true },
      ),
      Console: new RetainedTable(this, 'Console'),
    };
    this.tables = props.restoredTables ? this.#restored(own, props.restoredTables) : own;
    this.secrets = stageSecrets(this, protectingKey);
    this.userPool = new MemberPool(this, 'Members', { mailFrom: props.mailFrom });
    this.#exportAll(Object.values(own));
    for (const [name, { tableName }] of Object.entries(this.tables))
      new CfnOutput(this, `${name}Table`, { value: tableName });
    // Read by the `admin` CLI, which does not rely on the operator's own copy of the settings.
    const above = props.secondPerson?.creditsAbove;
    new CfnOutput(this, 'SecondPersonAbove', { value: above === undefined ? 'off' : String(above) });
    // Used when the operator erases data (docs/data-protection.md). The output is the ARN, not the value.
    new CfnOutput(this, 'PepperSecret', { value: this.secrets.PEPPER.secretArn });
  }

  /**
   * Exports everything that another stack can import, whether or not one does. By default, CDK exports only what the
   * current settings use. When a setting stops using something, this stack is deployed first, and CloudFormation
   * would refuse to remove an export that the deployed version of another stack still imports.
   */
  #exportAll(tables: readonly RetainedTable[]): void {
    const names = tables.flatMap(({ tableName, tableArn }) => [tableName, tableArn]);
    const secrets = Object.values(this.secrets).map(({ secretArn }) => secretArn);
    const { userPoolId, userPoolArn, userPoolProviderUrl } = this.userPool;
    const pool = [userPoolId, userPoolArn, userPoolProviderUrl];
    for (const value of [...names, ...secrets, this.key.keyArn, ...pool]) this.exportValue(value);
  }

  /** Returns the restored tables. The stack's own tables remain. */
  #restored(
    own: Readonly<Record<TableName, RetainedTable>>,
    names: NonNullable<StageConfig['restoredTables']>,
  ): Readonly<Record<TableName, ActiveTable>> {
    const tables = Object.entries(own).map(([name, table]) => [
      name,
      restoredTable(table, names[name as TableName]),
    ]);
    return Object.fromEntries(tables);
  }
}
