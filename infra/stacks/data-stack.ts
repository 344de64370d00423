import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { SecretName, TableName } from '../constructs/access-profiles.ts';
import { DataKey } from '../constructs/data-key.ts';
import { type ActiveTable, index, RetainedTable, restoredTable } from '../constructs/retained-table.ts';
import { stageSecrets } from '../constructs/stage-secrets.ts';

export interface DataStackProps extends StackProps {
  readonly restoredTables?: StageConfig['restoredTables'];
  /** Whether a customer-managed key protects the pepper and VerificationLogs. @default false */
  readonly customerManagedKey?: boolean;
  readonly secondPerson?: StageConfig['secondPerson'];
}

/** Everything that must never be lost: the three tables of the ledger design, the audit trail, and the secrets. */
export class DataStack extends Stack {
  /** The tables in use: this stack's own, or restored ones. */
  readonly tables: Readonly<Record<TableName, ActiveTable>>;
  readonly secrets: Readonly<Record<SecretName, Secret>>;
  /** Undefined if the stage has no customer-managed key. */
  readonly key: DataKey | undefined;

  constructor(scope: Construct, id: string, props: DataStackProps = {}) {
    super(scope, id, { ...props, terminationProtection: true });
    this.key = props.customerManagedKey ? new DataKey(this, 'Key') : undefined;
    const own = {
      ApiKeys: new RetainedTable(this, 'ApiKeys'),
      Wallets: new RetainedTable(this, 'Wallets', [
        index('statement', { partition: 'statementKey', sort: 'statementSort' }),
        index('wallets', { partition: 'walletsKey', sort: 'pk', keysOnly: true }),
      ]),
      VerificationLogs: new RetainedTable(
        this,
        'VerificationLogs',
        [index('byRequest', { partition: 'requestKey' })],
        this.key,
      ),
      AuditTrail: new RetainedTable(this, 'AuditTrail'),
    };
    this.tables = props.restoredTables ? this.#restored(own, props.restoredTables) : own;
    this.secrets = stageSecrets(this, this.key);
    for (const [name, { tableName }] of Object.entries(this.tables))
      new CfnOutput(this, `${name}Table`, { value: tableName });
    // For the `admin` CLI: the operator's own copy of the settings does not count.
    const above = props.secondPerson?.creditsAbove;
    new CfnOutput(this, 'SecondPersonAbove', { value: above === undefined ? 'off' : String(above) });
    // Used when the operator erases data (docs/data-protection.md). The output is the ARN, not the value.
    new CfnOutput(this, 'PepperSecret', { value: this.secrets.PEPPER.secretArn });
  }

  /** The stack's own tables remain, and their exports remain until the other stacks no longer import them. */
  #restored(
    own: Readonly<Record<TableName, RetainedTable>>,
    names: NonNullable<StageConfig['restoredTables']>,
  ): Readonly<Record<TableName, ActiveTable>> {
    for (const { tableName, tableArn } of Object.values(own)) {
      this.exportValue(tableName);
      this.exportValue(tableArn);
    }
    return {
      ApiKeys: restoredTable(own.ApiKeys, names.ApiKeys),
      Wallets: restoredTable(own.Wallets, names.Wallets),
      VerificationLogs: restoredTable(own.VerificationLogs, names.VerificationLogs),
      AuditTrail: restoredTable(own.AuditTrail, names.AuditTrail),
    };
  }
}
