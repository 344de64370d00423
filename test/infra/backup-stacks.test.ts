import { describe, expect, test } from '@jest/globals';
import { PIN } from '../support/pin-stages.ts';
import { BACKUP } from './expected-alarms.ts';
import { propertiesOf, resourcesOf, synthesize, synthesizeStacks } from './synthesis.ts';

/** The daily copies in another account and region (`operations.backup`). */

const settings = { operations: { accountConcurrency: 1_000, backup: BACKUP } };
const { backup, backupVault, data } = synthesize('prod', settings);
const { backupVault: copies, data: nothing } = synthesize('prod', settings, { backupVault: 'true' });

interface Plan {
  readonly BackupPlanRule: readonly {
    readonly ScheduleExpression: string;
    readonly Lifecycle: { readonly DeleteAfterDays: number };
    readonly CopyActions: readonly {
      readonly DestinationBackupVaultArn: unknown;
      readonly Lifecycle: { readonly DeleteAfterDays: number };
    }[];
  }[];
}

describe('the stack in the account of the stage', () => {
  test('exists only with the setting', () => {
    const names = synthesizeStacks('prod').map(({ name }) => name);
    expect(names).not.toContain('identity-prod-backup');
  });

  test('copies each table in use every day, and keeps the copies for seven days', () => {
    const [plan] = propertiesOf(backup, 'AWS::Backup::BackupPlan') as unknown as { BackupPlan: Plan }[];
    const [rule, ...others] = plan?.BackupPlan.BackupPlanRule ?? [];
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      ScheduleExpression: 'cron(0 1 * * ? *)',
      Lifecycle: { DeleteAfterDays: 2 },
      CopyActions: [{ Lifecycle: { DeleteAfterDays: 7 } }],
    });
    expect(JSON.stringify(rule?.CopyActions[0]?.DestinationBackupVaultArn)).toContain(
      `:backup:${BACKUP.region}:${BACKUP.account}:backup-vault:identity-prod`,
    );
    const [selection] = propertiesOf(backup, 'AWS::Backup::BackupSelection');
    const { Resources } = Object(selection?.['BackupSelection']) as { Resources: unknown[] };
    expect(new Set(Resources.map((resource) => JSON.stringify(resource))).size).toBe(
      resourcesOf(data, 'AWS::DynamoDB::GlobalTable').size,
    );
  });

  test('may read the table that the key of the stage protects, through DynamoDB', () => {
    const policies = JSON.stringify(propertiesOf(backup, 'AWS::IAM::Policy'));
    expect(policies).toContain('"kms:Decrypt"');
    expect(policies).not.toContain('kms:Encrypt');
  });
});

describe('the vault in the other account', () => {
  test('is synthesised alone, so that credentials of one account cannot change the other', () => {
    const [only, ...others] = synthesizeStacks('prod', { changes: settings, more: { backupVault: 'true' } });
    expect([only?.name, others]).toEqual(['identity-prod-backup-vault', []]);
    expect(propertiesOf(backupVault, 'AWS::Backup::BackupVault')).toEqual([]);
    expect(propertiesOf(nothing, 'AWS::DynamoDB::GlobalTable')).toEqual([]);
  });

  test('is locked: after three days, nobody can delete a copy early, or keep one longer', () => {
    const [vault] = resourcesOf(copies, 'AWS::Backup::BackupVault').values();
    expect(vault).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        BackupVaultName: 'identity-prod',
        LockConfiguration: { MinRetentionDays: 7, MaxRetentionDays: 8, ChangeableForDays: 3 },
      },
    });
  });

  test('accepts copies from the account of the stage only', () => {
    const [vault] = propertiesOf(copies, 'AWS::Backup::BackupVault');
    const { Statement } = Object(vault?.['AccessPolicy']) as { Statement: readonly object[] };
    expect(Statement).toHaveLength(1);
    expect(Statement[0]).toMatchObject({ Effect: 'Allow', Action: 'backup:CopyIntoBackupVault' });
    expect(JSON.stringify(Statement)).toContain(PIN.account);
  });

  test('needs the setting', () => {
    expect(() => synthesize('prod', {}, { backupVault: 'true' })).toThrow('does not set operations.backup');
  });
});

test.each([
  ['account', { ...BACKUP, account: PIN.account }],
  ['region', { ...BACKUP, region: PIN.region }],
])('copies with the same %s as the stage are rejected', (_, same) => {
  expect(() => synthesize('prod', { operations: { accountConcurrency: 1_000, backup: same } })).toThrow(
    'must both differ from those of the stage',
  );
});
