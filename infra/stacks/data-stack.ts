import { CfnOutput, RemovalPolicy, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import type { StageConfig } from '../config.ts';
import type { SecretName, TableName } from '../constructs/access-profiles.ts';
import { index, KeptTable } from '../constructs/retained-table.ts';

export interface DataStackProps extends StackProps {
  readonly restoredTables?: StageConfig['restoredTables'];
}

interface ServingTable {
  readonly tableName: string;
  readonly tableArn: string;
  /** The names of its indexes, those of a restored table included. */
  readonly indexes: readonly string[];
}

/** Everything that must survive: the three tables of the ledger design, and the secrets. */
export class DataStack extends Stack {
  /** Those that serve: its own, or restored ones in their place. */
  readonly tables: Readonly<Record<TableName, ServingTable>>;
  readonly secrets: Readonly<Record<SecretName, Secret>>;

  constructor(scope: Construct, id: string, props: DataStackProps = {}) {
    super(scope, id, { ...props, terminationProtection: true });
    const own = {
      ApiKeys: new KeptTable(this, 'ApiKeys'),
      Wallets: new KeptTable(this, 'Wallets', [
        index('statement', { partition: 'statementKey', sort: 'statementSort' }),
        index('wallets', { partition: 'walletsKey', sort: 'pk', keysOnly: true }),
      ]),
      VerificationLogs: new KeptTable(this, 'VerificationLogs', [
        index('byRequest', { partition: 'requestKey' }),
      ]),
    };
    this.tables = props.restoredTables ? this.#restored(own, props.restoredTables) : own;
    this.secrets = {
      PEPPER: this.#generated('Pepper', 'Derives the number tags of VerificationLogs'),
      SLIP: this.#generated('SlipKey', 'Signs the QR codes of slips'),
      SANDBOX: this.#generated('SandboxKey', 'Shared by the service and its sandbox registry'),
      ...this.#providerSecrets(),
    };
    for (const [name, { tableName }] of Object.entries(this.tables)) {
      new CfnOutput(this, `${name}Table`, { value: tableName });
    }
    // For the operator's erasures (docs/data-protection.md); the value stays in Secrets Manager.
    new CfnOutput(this, 'PepperSecret', { value: this.secrets.PEPPER.secretArn });
  }

  /** The own tables stay, and stay exported until the other stacks have let go of them. */
  #restored(
    own: Readonly<Record<TableName, KeptTable>>,
    names: NonNullable<StageConfig['restoredTables']>,
  ): Readonly<Record<TableName, ServingTable>> {
    for (const { tableName, tableArn } of Object.values(own)) {
      this.exportValue(tableName);
      this.exportValue(tableArn);
    }
    const serving = (tableName: string, { indexes }: KeptTable) => ({
      tableName,
      indexes,
      tableArn: this.formatArn({ service: 'dynamodb', resource: 'table', resourceName: tableName }),
    });
    const { ApiKeys, Wallets, VerificationLogs } = names;
    return {
      ApiKeys: serving(ApiKeys, own.ApiKeys),
      Wallets: serving(Wallets, own.Wallets),
      VerificationLogs: serving(VerificationLogs, own.VerificationLogs),
    };
  }

  /** `{"current": "<64 random characters>"}`, drawn by Secrets Manager; a rotation adds `previous`. */
  #generated(id: string, description: string): Secret {
    return new Secret(this, id, {
      description,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'current',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /** Empty until the operator fills them: a provider's credentials never stand in a template. */
  #providerSecrets(): Record<Exclude<SecretName, 'PEPPER' | 'SLIP' | 'SANDBOX'>, Secret> {
    const entries = LIVE_PROVIDER_NAMES.map((provider) => {
      const secret = new Secret(this, `Registry-${provider}`, {
        description: `Credentials of the registry provider ${provider}, as a JSON object of strings`,
        secretStringValue: SecretValue.unsafePlainText('{}'),
        removalPolicy: RemovalPolicy.RETAIN,
      });
      new CfnOutput(this, `Registry-${provider}-Secret`, { value: secret.secretArn });
      return [provider.toUpperCase(), secret];
    });
    return Object.fromEntries(entries);
  }
}
