import type { Command } from 'commander';
import { SERVICE_NAMES } from '../../../shared/verifications/services.ts';
import { countArgument, organisationArgument } from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { organisationView, servicesText } from './organisations.ts';

const NAMES = `services, or ID types for all of their services (${SERVICE_NAMES.join(', ')})`;

/** `service ...`: what an organisation may use with live keys, and at which price. */
export function serviceCommands(program: Command): void {
  const group = program
    .command('service')
    .description('Services of an organisation: switch on and off, price');
  group
    .command('enable')
    .description('let its live keys use these services')
    .addArgument(organisationArgument())
    .argument('<service...>', NAMES)
    .action(async (id: string, names: string[], _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.enableServices(id, names);
      print(organisationView(row), servicesText(row));
    });
  group
    .command('disable')
    .description('refuse these services to its live keys; their own prices are forgotten')
    .addArgument(organisationArgument())
    .argument('<service...>', NAMES)
    .action(async (id: string, names: string[], _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.disableServices(id, names);
      print(organisationView(row), servicesText(row));
    });
  group
    .command('set-price')
    .description('a price of its own for an enabled service, from the next request on')
    .addArgument(organisationArgument())
    .argument('<service>', 'service, or ID type for all of its services')
    .addArgument(countArgument('<credits>', 'whole credits for one charged request'))
    .action(async (id: string, name: string, price: number, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.setPrice(id, name, price);
      print(organisationView(row), servicesText(row));
    });
}
