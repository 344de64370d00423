import { CfnOutput, RemovalPolicy, SecretValue, type Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import type { SecretName } from '../access/access-profiles.ts';
import type { DataKey } from './data-key.ts';

/** Creates the secrets of a stage, which survive the deletion of the stack. The key protects the pepper. */
export function stageSecrets(stack: Stack, key: DataKey | undefined): Record<SecretName, Secret> {
  return {
    PEPPER: generatedSecret(stack, 'Pepper', 'Derives the number tags of VerificationLogs', key),
    SLIP: generatedSecret(stack, 'SlipKey', 'Signs the QR codes of slips'),
    SANDBOX: generatedSecret(stack, 'SandboxKey', 'Shared by the service and its sandbox registry'),
    WEBHOOKS: generatedSecret(stack, 'WebhookKey', 'Derives the secrets that sign webhooks'),
    CARDS: generatedSecret(stack, 'CardKey', 'Encrypts the saved cards of automatic top-ups'),
    TEST_KEY: emptySecret(stack, 'TestKey', 'A test key that rollouts use to check new versions'),
    PAYMENTS: emptySecret(
      stack,
      // Not "Payments", which is the ID of the table.
      'PaymentsKey',
      'Paystack secret keys: {"live": "sk_live_...", "test": "sk_test_..."}',
    ),
    ...providerSecrets(stack),
  };
}

/** Adds a secret that Secrets Manager generates: `{"current": "<64 characters>"}`. A rotation adds `previous`. */
function generatedSecret(stack: Stack, id: string, description: string, key?: DataKey): Secret {
  return new Secret(stack, id, {
    description,
    // Refers to the key by its ARN, because CDK would otherwise widen the key's own policy.
    ...(key && { encryptionKey: Key.fromKeyArn(stack, `${id}Key`, key.keyArn) }),
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'current',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
}

/** Adds a secret that is empty until the operator stores its value, which must never appear in a template. */
function emptySecret(stack: Stack, id: string, description: string): Secret {
  const secret = new Secret(stack, id, {
    description,
    secretStringValue: SecretValue.unsafePlainText('{}'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  new CfnOutput(stack, `${id}-Secret`, { value: secret.secretArn });
  return secret;
}

function providerSecrets(stack: Stack): Record<Uppercase<LiveProviderName>, Secret> {
  const entries = LIVE_PROVIDER_NAMES.map((provider) => {
    const description = `Credentials of the registry provider ${provider}, as a JSON object of strings`;
    return [provider.toUpperCase(), emptySecret(stack, `Registry-${provider}`, description)];
  });
  return Object.fromEntries(entries);
}
