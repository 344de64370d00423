import type { Command } from 'commander';
import { registriesOf } from '../../../infra/stages/read-config.ts';
import { commandContext, stageOf } from '../command-context.ts';
import { type RegistryStatus, registryStatus } from '../operations/registries.ts';
import { paragraph, table, time } from '../output.ts';
import { disabledText, switchCommands } from './registry-switch.ts';
import { testCommand } from './registry-test.ts';

/** Adds `registry ...`: commands that check, disable, enable and test the registry providers. */
export function registryCommands(program: Command): void {
  const group = program.command('registry').description('Check, disable and test the registry providers');
  group
    .command('status')
    .description("Show each provider's health, as measured by the service's own look-ups")
    .action(async (_: object, command: Command) => {
      const { deployment, print } = await commandContext(command);
      const all = await registryStatus(deployment, registriesOf(stageOf(command)), Date.now());
      print(all, statusText(all));
    });
  switchCommands(group);
  testCommand(group);
}

function statusText(all: readonly RegistryStatus[]): string {
  const lines = all.map((one) => [
    one.displayName,
    one.environment,
    one.disabled ? 'disabled' : one.status,
    one.since ? time(one.since) : 'always',
    one.serves.join(', ') || 'not in the routing',
  ]);
  const disabled = all.flatMap((one) => (one.disabled ? [disabledText(one.name, one.disabled)] : []));
  return [
    table(['PROVIDER', 'ENV', 'STATUS', 'SINCE', 'SERVES (ORDER)'], lines),
    ...(disabled.length > 0 ? ['', ...disabled.map((text) => paragraph(text))] : []),
  ].join('\n');
}
