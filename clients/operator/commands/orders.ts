import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { countArgument, environmentOption, organisationArgument, UsageError } from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { naira, orderArgument } from '../money-arguments.ts';
import { counted } from '../output.ts';
import { openedText, ordersText, orderText, reviewText, totalText } from './order-text.ts';
import { resolveCommand } from './resolve-order.ts';

interface OpenOptions {
  readonly env: Environment;
  readonly method: 'transfer' | 'paystack';
  readonly returnUrl?: string;
}

/** Adds `order ...`: credits that customers buy. */
export function orderCommands(program: Command): void {
  const group = program.command('order').description('Manage orders for credits and their payments');
  openCommand(group);
  group
    .command('list')
    .description('List the orders of a wallet, newest first')
    .addArgument(organisationArgument())
    .addOption(environmentOption('wallet to list').default('live'))
    .action(async (id: string, { env }: { env: Environment }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const orders = await operator.listOrders({ env, organisationId: id });
      print(orders, ordersText(orders));
    });
  group
    .command('show')
    .description('Show an order and its payment')
    .addArgument(orderArgument())
    .addOption(environmentOption('environment of the order').default('live'))
    .action(async (reference: string, { env }: { env: Environment }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const order = await operator.requireOrder(env, reference);
      const { name } = await operator.getOrganisation(order.organisationId);
      const open = await operator.openReversal(order);
      print({ ...order, ...(open && { openKobo: open.totalKobo }) }, orderText(order, name, open));
    });
  group
    .command('review')
    .description('List, for all customers, the payments and refunds that a person must review')
    .action(async (_: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const payments = await operator.paymentsToReview();
      print(payments, reviewText(payments));
    });
  settleCommand(group);
  resolveCommand(group);
}

function openCommand(group: Command): void {
  group
    .command('open')
    .description('Open an order for a customer, at the current price')
    .addArgument(organisationArgument())
    .addArgument(countArgument('<credits>', 'number of credits to buy'))
    .addOption(environmentOption('wallet that receives the credits').default('live'))
    .addOption(
      new Option('--method <method>', 'how the customer pays')
        .choices(['transfer', 'paystack'])
        .default('transfer'),
    )
    .option(
      '--return-url <url>',
      "page to which Paystack sends the customer's browser; required with --method paystack",
      parseUrl,
    )
    .action(async (id: string, credits: number, options: OpenOptions, command: Command) => {
      const { env, method, returnUrl } = options;
      if (method === 'paystack' && returnUrl === undefined)
        throw new UsageError('`--return-url` is required with `--method paystack`.');
      const { operator, change, confirm, print } = await changeContext(command);
      const { name } = await operator.getOrganisation(id);
      const wallet = { env, organisationId: id };
      const price = await operator.quote(wallet, credits);
      await confirm(
        `Open an order of ${counted(credits, `${env} credit`)} at ${naira(price.koboPerCredit)} for ${name} (${id}): ${totalText(price)}?`,
      );
      const order = await change('order open', {
        organisation: id,
        env,
        credits,
        returnUrl,
        method: method === 'paystack' ? 'PAYSTACK' : 'TRANSFER',
      });
      print(order, openedText(order, name));
    });
}

function settleCommand(group: Command): void {
  group
    .command('settle')
    .description('Ask Paystack about the payment of an order now, and add the credits if it is paid')
    .addArgument(orderArgument())
    .addOption(environmentOption('environment of the order').default('live'))
    .action(async (reference: string, { env }: { env: Environment }, command: Command) => {
      const { operator, change, confirm, print } = await changeContext(command);
      const before = await operator.requireOrder(env, reference);
      const { name } = await operator.getOrganisation(before.organisationId);
      await confirm(
        `Ask Paystack about ${reference} of ${name} (${before.organisationId}), ${totalText(before)}? If it is paid, ${counted(before.credits, `${env} credit`)} are added.`,
      );
      const after = await change('order settle', { env, reference });
      print(after, `${changeText(before, after)}\n\n${orderText(after, name)}`);
    });
}

function changeText(before: TopUpOrder, after: TopUpOrder): string {
  return before.state === after.state
    ? `The order is still ${after.state}.`
    : `The order was ${before.state} and is now ${after.state}.`;
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:')
    throw new InvalidArgumentError('It must be an https address, for example https://www.example.com/paid.');
  return text;
}
