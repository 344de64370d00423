import assert from 'node:assert/strict';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { LiveRouting, StageConfig } from '../../../infra/config.ts';
import { prod } from '../../../infra/stages/prod.ts';
import type { Deployment } from './check-deployment.ts';
import { versionOf } from './lambda-versions.ts';
import type { Stacks } from './stacks.ts';

const CREDENTIALS = '{"apiKey":"made up"}';

/**
 * Makes changes of the kinds that have failed in other projects on AWS. `unchanged` contains the settings that all
 * these deployments share.
 */
export async function checkSettings(
  deployment: Deployment,
  stacks: Stacks,
  unchanged: Partial<StageConfig>,
): Promise<void> {
  await checkProviders(deployment, stacks, unchanged);
  await checkDomain(deployment, stacks, unchanged);
}

/** Adds a provider, removes it as if its contract had ended, and adds it again. Its credentials remain. */
async function checkProviders(deployment: Deployment, stacks: Stacks, unchanged: Partial<StageConfig>) {
  const secrets = new SecretsManagerClient(deployment.settings);
  const SecretId = await stacks.outputOf('identity-prod-data', 'RegistrypremblySecret');
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: CREDENTIALS }));
  const deployed = async (name: string, registries: LiveRouting) => {
    await stacks.deploy(await deployment.change(name, { settings: { ...unchanged, registries } }));
    assert.equal(await stacks.stateOf('identity-prod-api'), 'UPDATE_COMPLETE');
    const live = await versionOf(deployment, 'api-nin-basic', 'live');
    assert.equal((await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString, CREDENTIALS);
    assert.equal(await stacks.outputOf('identity-prod-data', 'RegistrypremblySecret'), SecretId);
    return live?.Environment.Variables['REGISTRIES'] ?? '';
  };
  const both = await deployed('both-providers', { NIN: ['prembly', 'dojah'] });
  assert.match(both, /prembly/);
  const one = await deployed('one-provider', { NIN: ['dojah'] });
  assert.doesNotMatch(one, /prembly/);
  assert.match(one, /dojah/);
  assert.equal(await deployed('both-again', { NIN: ['prembly', 'dojah'] }), both);
  deployment.say('a provider is removed and added again, and its secret keeps its value');
}

/** Adds the first domain of a stage whose customers use the generated URL. */
async function checkDomain(deployment: Deployment, stacks: Stacks, unchanged: Partial<StageConfig>) {
  const { operations = { accountConcurrency: 1_000 } } = prod;
  const apiBefore = await stacks.physicalIdOf('identity-prod-api', 'AWS::ApiGateway::RestApi');
  const certificateArn = `arn:aws:acm:${deployment.region}:${deployment.account}:certificate/made-up`;
  const withDomain = {
    ...operations,
    domain: { name: 'api.example.com', certificateArn },
    generatedUrl: { openUntil: '2099-01-31' },
  };
  const settings = { ...unchanged, operations: withDomain };
  await stacks.deploy(await deployment.change('domain', { settings }));
  assert.ok(await stacks.outputOf('identity-prod-api', 'DomainTarget'));
  assert.equal(await stacks.outputOf('identity-prod-api', 'ApiUrl'), 'https://api.example.com/');
  // The API's ID is part of the generated URL.
  assert.equal(await stacks.physicalIdOf('identity-prod-api', 'AWS::ApiGateway::RestApi'), apiBefore);
  const live = await versionOf(deployment, 'api-nin-slip', 'live');
  assert.equal(live?.Environment.Variables['PUBLIC_BASE_URL'], 'https://api.example.com');
  deployment.say('a domain is added to the same REST API, whose generated URL customers still use');
}
