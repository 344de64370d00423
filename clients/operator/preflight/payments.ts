import { ListSecretVersionIdsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { stageFile } from '../../../infra/stages/pin.ts';
import { lagosDay } from '../../../shared/core/accounting-month.ts';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

const CHECK = 'payments';

/**
 * Checks that a stage that takes payments has a current rate of VAT, and that Paystack's secret keys were stored.
 * The keys can move money, so they are not read. Until they are stored, their secret has only one, empty version.
 */
export async function checkPayments(world: World): Promise<Row[]> {
  const { config, nowMs } = world;
  const { stage, money } = config;
  if (!money) return [ok(CHECK, 'The stage takes no payments: it has no money settings.')];
  const today = lagosDay(nowMs);
  const first = money.vat[0]?.from ?? '';
  if (first > today)
    return [
      fault(
        CHECK,
        `The first rate in money.vat applies from ${first}: until then, no order can be opened.`,
        `# Add today's rate to money.vat in ${stageFile(stage)}, then deploy:`,
        `npm run deploy -- -c stage=${stage}`,
      ),
    ];
  return [await checkSecret(world)];
}

async function checkSecret({ config: { stage }, stacks, region }: World): Promise<Row> {
  const arn = (await stacks.outputs('data'))?.['PaymentsKeySecret'];
  if (!arn) return notYet(CHECK, 'The secret is not deployed yet.', `npm run deploy -- -c stage=${stage}`);
  const client = new SecretsManagerClient({ ...CLIENT_SETTINGS, region });
  const { Versions = [] } = await call('secretsmanager:ListSecretVersionIds', () =>
    client.send(new ListSecretVersionIdsCommand({ SecretId: arn })),
  );
  if (Versions.length > 1) return ok(CHECK, 'The Paystack secret keys were stored.');
  return fault(
    CHECK,
    'The Paystack secret keys were never stored: no order can be opened with Paystack.',
    '# Write {"live": "sk_live_...", "test": "sk_test_..."} to payments.json. Delete the file afterwards.',
    `aws secretsmanager put-secret-value --secret-id ${arn} --secret-string file://payments.json --region ${region}`,
  );
}
