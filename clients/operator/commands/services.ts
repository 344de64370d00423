import type { Command } from 'commander';
import { unknownService } from '../../../shared/operators/operations/organisations.ts';
import { SERVICE_NAMES } from '../../../shared/verifications/services.ts';
import { countArgument, organisationArgument, UsageError } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { organisationView, servicesText } from './organisations.ts';

const SERVICE_HELP = `service (${SERVICE_NAMES.join(', ')}), or ID type for all of its services`;

/** Adds `service ...`: the services that the live keys of an organisation may use, and their prices. */
export function serviceCommands(program: Command): void {
  const group = program.command('service').description("Manage an organisation's services and prices");
  group
    .command('enable')
    .description('Allow live keys to use services')
    .addArgument(organisationArgument())
    .argument('<service...>', SERVICE_HELP)
    .option(
      '--bvn-basis <text>',
      "for BVN: the organisation's licence from the Central Bank, or the Central Bank's exception",
    )
    .action(async (id: string, names: string[], { bvnBasis }: { bvnBasis?: string }, command: Command) => {
      checkServices(names);
      const { change, print } = await changeContext(command);
      const row = await change('service enable', { organisation: id, services: names, bvnBasis });
      print(organisationView(row), servicesText(row));
    });
  group
    .command('disable')
    .description('Stop live keys from using services; special prices are kept')
    .addArgument(organisationArgument())
    .argument('<service...>', SERVICE_HELP)
    .action(async (id: string, names: string[], _: object, command: Command) => {
      checkServices(names);
      const { change, print } = await changeContext(command);
      const row = await change('service disable', { organisation: id, services: names });
      print(organisationView(row), servicesText(row));
    });
  group
    .command('set-price')
    .description('Set the price of an enabled service, with effect from the next request')
    .addArgument(organisationArgument())
    .argument('<service>', 'service, or ID type for all of its services')
    .addArgument(countArgument('<credits>', 'price of a charged request in whole credits'))
    .action(async (id: string, name: string, price: number, _: object, command: Command) => {
      checkServices([name]);
      const { changeOrRequest, print } = await changeContext(command);
      const input = { organisation: id, service: name, credits: price };
      const row = await changeOrRequest('service set-price', input);
      if (row) print(organisationView(row), servicesText(row));
    });
}

function checkServices(names: readonly string[]): void {
  const problem = names.map(unknownService).find((one) => one !== undefined);
  if (problem !== undefined) throw new UsageError(problem);
}
