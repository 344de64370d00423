import { readFileSync } from 'node:fs';
import type { Stage } from '../../infra/config.ts';
import { parseSecret, type Secret } from '../../shared/core/secrets.ts';

/** A provider's credentials from a file, for a look-up before anything is deployed. */
export function credentialsIn(file: string): Secret {
  return parseSecret(readFileSync(file, 'utf8'), file);
}

/** A provider's credentials from its secret, which the data stack names in an output. */
export async function stageCredentials(stage: Stage, provider: string): Promise<Secret> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const stackName = `identity-${stage}-data`;
  const described = await new CloudFormationClient().send(
    new DescribeStacksCommand({ StackName: stackName }),
  );
  const outputs = described.Stacks?.[0]?.Outputs ?? [];
  const output = outputs.find(({ OutputKey }) => OutputKey === `Registry${provider}Secret`);
  if (!output?.OutputValue) throw new Error(`The stack ${stackName} has no secret for ${provider}.`);
  const answer = await new SecretsManagerClient().send(
    new GetSecretValueCommand({ SecretId: output.OutputValue }),
  );
  return parseSecret(answer.SecretString, `The secret of ${provider}`);
}
