import type { Command } from 'commander';
import type { LiveRouting } from '../../../infra/config.ts';
import { registriesOf } from '../../../infra/stages/read-config.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import { displayNameOf, type LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';
import { parseReason, providerArgument } from '../arguments.ts';
import { changeContext, stageOf } from '../command-context.ts';
import { type DisabledView, disabledView, idTypesWithout } from '../operations/registries.ts';
import { paragraph, time } from '../output.ts';

/** Adds `registry disable` and `registry enable`, which take effect without a deployment. */
export function switchCommands(group: Command): void {
  group
    .command('disable')
    .description('Stop sending live requests to a provider, with effect within one second')
    .addArgument(providerArgument('provider to disable'))
    .requiredOption('--reason <text>', 'reason that `registry status` shows', parseReason)
    .action(async (name: LiveProviderName, options: { readonly reason: string }, command: Command) => {
      const context = await changeContext(command);
      const { deployment, change, confirm, print } = context;
      const routing = registriesOf(stageOf(command));
      const without = await idTypesWithout(name, deployment, routing);
      await confirm(`Disable ${displayNameOf(name)}? ${consequence(name, routing, without)}`);
      const { disabled: row, changed } = await change('registry disable', {
        provider: name,
        reason: options.reason,
      });
      const disabled = disabledView(row);
      const text = disabledText(name, disabled);
      print(
        { provider: name, disabled, changed },
        paragraph(changed ? text : `Nothing was changed: ${text}`),
      );
    });
  group
    .command('enable')
    .description('Send live requests to a disabled provider again, with effect within one second')
    .addArgument(providerArgument('provider to enable'))
    .action(async (name: LiveProviderName, _: object, command: Command) => {
      const context = await changeContext(command);
      const { changed } = await context.change('registry enable', { provider: name });
      const text = changed
        ? `${displayNameOf(name)} is enabled. To see its health, run \`registry status\`.`
        : `Nothing was changed: ${displayNameOf(name)} was not disabled.`;
      context.print({ provider: name, disabled: null, changed }, paragraph(text));
    });
}

/** Says what happens to live requests. `without` lists the ID types that no other enabled provider serves. */
function consequence(name: LiveProviderName, routing: LiveRouting, without: readonly IdType[]): string {
  if (!Object.values(routing).some((order) => order.includes(name)))
    return 'It is not in the routing of this stage, so no request uses it now.';
  if (without.length === 0) return 'Live requests will use other providers.';
  return `Live ${without.join(', ')} look-ups will fail with status 503, because no other provider is enabled for them.`;
}

/** Says who disabled a provider, when and why. */
export function disabledText(name: string, { actor, at, reason }: DisabledView): string {
  return `${displayNameOf(name)} was disabled by ${actor} at ${time(at)}: ${reason}`;
}
