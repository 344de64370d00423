import type { Command } from 'commander';
import { merged } from '../../../shared/operators/operations/billing.ts';
import type { BillingDetails, Party } from '../../../shared/payments/prices/billing.ts';
import { organisationArgument } from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { addAddressLine, parseEmail, parseLine, parseTaxNumber } from '../money-arguments.ts';
import { fields, paragraph, time } from '../output.ts';

/** Adds `billing ...`: the details of the buyer on invoices. */
export function billingCommands(program: Command): void {
  const group = program.command('billing').description('Manage the billing details of an organisation');
  group
    .command('set')
    .description('Set the details of the buyer on new invoices; existing invoices do not change')
    .addArgument(organisationArgument())
    .option('--name <name>', 'registered name of the business', parseLine)
    .option('--address <line>', 'line of the address; repeat the option for up to five lines', addAddressLine)
    .option('--tax-number <number>', 'tax identification number, for example 12345678-0001', parseTaxNumber)
    .option('--email <address>', "email address on invoices, also for Paystack's receipts", parseEmail)
    .action(async (id: string, given: Partial<Party>, command: Command) => {
      const { operator, change, confirm, print } = await changeContext(command);
      const { name } = await operator.getOrganisation(id);
      const party = merged(await operator.billingOf(id), given);
      const buyer = [party.name, ...party.address, party.taxNumber, party.email].join(', ');
      await confirm(`Set the billing details of ${name} (${id}) to: ${buyer}?`);
      const row = await change('billing set', { organisation: id, ...given });
      print({ organisation: id, ...row }, billingText(row));
    });
  group
    .command('show')
    .description('Show the billing details of an organisation')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const row = await operator.billingOf(id);
      print(
        { organisation: id, ...(row ?? { name: null }) },
        row
          ? billingText(row)
          : paragraph('No billing details are set, so no order can be opened. Set them with `billing set`.'),
      );
    });
}

function billingText({ name, address, taxNumber, email, changedAt, changedBy }: BillingDetails): string {
  const lines = address.map((line, index) => [index === 0 ? 'address' : ' '.repeat(index), line] as const);
  return fields({
    name,
    ...Object.fromEntries(lines),
    'tax number': taxNumber,
    email,
    changed: `${time(changedAt)} by ${changedBy}`,
  });
}
