import { ListSecretVersionIdsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

const CHECK = 'payments';

/**
 * Checks that Paystack's secret keys were stored. The keys can move money, so they are not read. Until they are stored,
 * their secret has only one, empty version.
 */
export async function checkPayments({ config: { stage, money }, stacks, region }: World): Promise<Row[]> {
  if (!money) return [ok(CHECK, 'The stage takes no payments: it has no money settings.')];
  const arn = (await stacks.outputs('data'))?.['PaymentsKeySecret'];
  if (!arn) return [notYet(CHECK, 'The secret is not deployed yet.', `npm run deploy -- -c stage=${stage}`)];
  const client = new SecretsManagerClient({ ...CLIENT_SETTINGS, region });
  const { Versions = [] } = await call('secretsmanager:ListSecretVersionIds', () =>
    client.send(new ListSecretVersionIdsCommand({ SecretId: arn })),
  );
  if (Versions.length > 1) return [ok(CHECK, 'The Paystack secret keys were stored.')];
  return [
    fault(
      CHECK,
      'The Paystack secret keys were never stored: no order can be opened with Paystack.',
      '# Write {"live": "sk_live_...", "test": "sk_test_..."} to payments.json. Delete the file afterwards.',
      `aws secretsmanager put-secret-value --secret-id ${arn} --secret-string file://payments.json --region ${region}`,
    ),
  ];
}
