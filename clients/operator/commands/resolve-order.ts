import { type Command, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import { REVERSAL_BOOKINGS, type ReversalBooking } from '../../../shared/payments/orders/order.ts';
import { environmentOption, parseReason } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { orderArgument } from '../money-arguments.ts';
import { orderText, totalText } from './order-text.ts';

interface ResolveOptions {
  readonly env: Environment;
  readonly reason: string;
  readonly as?: ReversalBooking;
}

/** Adds `order resolve`. */
export function resolveCommand(group: Command): void {
  group
    .command('resolve')
    .description('Record how a problem with an order, such as a payment of the wrong amount, was resolved')
    .addArgument(orderArgument())
    .addOption(environmentOption('environment of the order').default('live'))
    .requiredOption(
      '--reason <text>',
      'what was done, for example "refunded in the Paystack dashboard"',
      parseReason,
    )
    .addOption(
      new Option(
        '--as <booking>',
        'how to book the open part of a reversed payment; required if the payment was reversed',
      ).choices(REVERSAL_BOOKINGS),
    )
    .action(resolve);
}

async function resolve(
  reference: string,
  { env, reason, as }: ResolveOptions,
  command: Command,
): Promise<void> {
  const context = await changeContext(command);
  const { operator, deployment, changeOrRequest, confirm, print } = context;
  const order = await operator.requireOrder(env, reference);
  const { organisationId, problem = 'none' } = order;
  const { name } = await operator.getOrganisation(organisationId);
  const of = `${reference} of ${name} (${organisationId})`;
  if (as === undefined) {
    await confirm(`Resolve ${of}? This moves neither credits nor money. Problem: ${problem}`);
    const resolved = await changeOrRequest('order resolve', { env, reference, reason });
    if (resolved) print(resolved, orderText(resolved, name));
    return;
  }
  const open = await operator.requireOpenReversal(order);
  const { credits, totalKobo } = open;
  const change = { work: 'reversal', reference, as, reason, credits, totalKobo } as const;
  const isRequest = await needsSecondPerson(change, deployment.secondPersonAbove);
  const question = `Book ${totalText(open)} of the reversed payment of ${of} as a ${as}? This moves neither credits nor money.`;
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  const booked = await changeOrRequest('order resolve', { env, reference, reason, as, totalKobo });
  if (booked) print(booked, orderText(booked, name));
}
