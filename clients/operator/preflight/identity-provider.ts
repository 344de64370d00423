import { IAMClient, ListOpenIDConnectProvidersCommand } from '@aws-sdk/client-iam';
import { stageFile } from '../../../infra/stages/pin.ts';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

const CHECK = 'identity provider';

/** Checks `delivery.identityProvider`: an account has at most one provider for GitHub. */
export async function checkIdentityProvider({ config, region, stacks }: World): Promise<Row[]> {
  const { delivery } = config.operations ?? {};
  if (!delivery) return [ok(CHECK, 'The stage has no pipeline.')];
  const client = new IAMClient({ ...CLIENT_SETTINGS, region });
  const { OpenIDConnectProviderList = [] } = await call('iam:ListOpenIDConnectProviders', () =>
    client.send(new ListOpenIDConnectProvidersCommand({})),
  );
  const exists = OpenIDConnectProviderList.some(({ Arn }) =>
    Arn?.endsWith('/token.actions.githubusercontent.com'),
  );
  const status = (await stacks.describe('delivery'))?.StackStatus ?? 'ROLLBACK_COMPLETE';
  const isDeployed = !status.startsWith('ROLLBACK_');
  const wanted = exists ? 'existing' : 'create';
  if (delivery.identityProvider === wanted || (isDeployed && exists))
    return [ok(CHECK, `The account ${exists ? 'has' : 'gets'} an identity provider for GitHub.`)];
  return [
    fault(
      CHECK,
      exists
        ? 'The account already has an identity provider for GitHub, so the deployment of the delivery stack would fail.'
        : 'The account has no identity provider for GitHub, so the pipeline could not assume its role.',
      `# Set operations.delivery.identityProvider in ${stageFile(config.stage)} to '${wanted}'.`,
    ),
  ];
}
