import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseSecret } from '../../../shared/core/secrets.ts';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/**
 * Checks that rollouts have a test key (docs/operate/new-versions.md). Each rollout checks whether
 * the key works. The key is not printed.
 */
export async function checkTestKey({ config, stacks, region }: World): Promise<Row[]> {
  const check = 'test key';
  const { stage, operations } = config;
  if (!operations?.rollout) return [ok(check, 'The stage has no rollout.')];
  const arn = (await stacks.outputs('data'))?.['TestKeySecret'];
  if (!arn) return [notYet(check, 'The secret is not deployed yet.', `npm run deploy -- -c stage=${stage}`)];
  const client = new SecretsManagerClient({ ...CLIENT_SETTINGS, region });
  const { SecretString } = await call('secretsmanager:GetSecretValue', () =>
    client.send(new GetSecretValueCommand({ SecretId: arn })),
  );
  const key = keyIn(SecretString);
  if (key.startsWith('idv_test_')) return [ok(check, 'Rollouts send look-ups through each new version.')];
  const problem = key.startsWith('idv_live_')
    ? 'The secret contains a live key: store a test key instead, and revoke the live key.'
    : 'Rollouts have no test key: they do not send look-ups through a new version before customers do.';
  return [
    fault(
      check,
      problem,
      `npm run admin -- --stage ${stage} org create "Rollout checks"`,
      `npm run admin -- --stage ${stage} key create <org> --env test --label rollout`,
      `npm run admin -- --stage ${stage} wallet top-up <org> 10000 --env test --reference rollout-checks`,
      '# Write {"current": "<key>"} to test-key.json. Delete the file afterwards.',
      `aws secretsmanager put-secret-value --secret-id ${arn} --secret-string file://test-key.json --region ${region}`,
    ),
  ];
}

function keyIn(text: string | undefined): string {
  try {
    return parseSecret(text, 'The secret')['current'] ?? '';
  } catch {
    return '';
  }
}
