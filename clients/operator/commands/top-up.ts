import type { Command } from 'commander';
import type { WalletId } from '../../../shared/core/keys.ts';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import type { OrderOf } from '../../../shared/operators/operations/approved-order.ts';
import type { PricedTransfer } from '../../../shared/payments/orders/credit-transfer.ts';
import { parseExpiry, parseReason, UsageError } from '../arguments.ts';
import { type ChangeContext, changeContext } from '../command-context.ts';
import { parseLine } from '../money-arguments.ts';
import { counted, time } from '../output.ts';
import { type CreditOptions, creditCommand } from './credit-command.ts';
import { creditText, creditView } from './credit-text.ts';
import { isPaid, paidText, paidView, totalText } from './order-text.ts';

interface TopUpOptions extends CreditOptions {
  readonly promotional?: true;
  /** ISO time. */
  readonly expiresAt?: string;
  readonly bankReference?: string;
}

/** Adds `wallet top-up`. */
export function topUpCommand(group: Command): void {
  creditCommand(
    group,
    'top-up',
    'Add credits that a customer paid for by bank transfer, with an invoice and a receipt, or free credits',
    'whole credits',
  )
    .option('--reason <text>', 'note that appears on the statement', parseReason, '')
    .option(
      '--bank-reference <text>',
      "the bank's reference for the transfer (default: the reference)",
      parseLine,
    )
    .option(
      '--promotional',
      'add free credits, without an invoice; credits for the test wallet are always free',
    )
    .option(
      '--expires-at <time>',
      'when free credits expire, for example 2027-01-31 or 30d (default: never)',
      (text: string) => (text === 'never' ? undefined : parseExpiry(text)),
    )
    .action(topUp);
}

/** Adds credits after confirmation, or stores a request if they need a second person. */
async function topUp(id: string, credits: number, options: TopUpOptions, command: Command): Promise<void> {
  const { env, reference, reason, effectiveAt, bankReference } = options;
  // For `never`, Commander passes an empty text.
  const expiresAt = options.expiresAt || undefined;
  const isForMoney = env === 'live' && !options.promotional;
  checkOptions(options, isForMoney);
  const context = await changeContext(command);
  const { operator, deployment, confirm } = context;
  const wallet = { env, organisationId: id };
  const { name } = await operator.getOrganisation(id);
  const credit = { work: 'credit', kind: 'TOP_UP', amount: credits, reference, reason, effectiveAt } as const;
  const problem = operator.problemOfCredit(credit, isForMoney);
  if (problem) throw new UsageError(problem);
  const transfer = { wallet, credits, reference, paidAt: effectiveAt };
  const priced = isForMoney ? await operator.priceTransfer(transfer) : undefined;
  const order = { ...credit, totalKobo: priced?.order.totalKobo, bankReference, expiresAt };
  const isNew = !(await operator.findCredit(wallet, reference));
  const isRequest = isNew && (await needsSecondPerson(order, deployment.secondPersonAbove));
  if (isRequest) await operator.checkCredit(wallet, order);
  const question = questionOf(order, wallet, name, priced);
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  await book(order, wallet, context);
}

function checkOptions({ expiresAt, bankReference }: TopUpOptions, isPaid: boolean): void {
  if (isPaid && expiresAt !== undefined)
    throw new UsageError('Paid credits do not expire. Pass `--expires-at` only with `--promotional`.');
  if (!isPaid && bankReference !== undefined)
    throw new UsageError('Free credits have no bank transfer. Leave out `--bank-reference`.');
}

/** The question contains the customer's name and the amount, because a mistyped ID would credit the wrong customer. */
function questionOf(
  { amount, reference, expiresAt }: OrderOf<'credit'>,
  { env, organisationId }: WalletId,
  name: string,
  priced: PricedTransfer | undefined,
): string {
  const change = `Add ${counted(amount, `${env} credit`)} to ${name} (${organisationId}) with the reference ${reference}`;
  if (priced) {
    const { order, isQuotedAgain } = priced;
    const again = isQuotedAgain
      ? `, at the current price because the order expired at ${time(order.expiresAt)}`
      : '';
    return `${change}, paid with ${totalText(order)}${again}?`;
  }
  const free = `${change}, free of charge`;
  return expiresAt ? `${free}, expiring at ${time(expiresAt)}?` : `${free}?`;
}

async function book(
  { work: _, kind: __, amount: credits, ...what }: OrderOf<'credit'>,
  { env, organisationId }: WalletId,
  { changeOrRequest, print }: ChangeContext,
): Promise<void> {
  const input = { organisation: organisationId, env, credits, ...what };
  const result = await changeOrRequest('wallet top-up', input);
  if (!result) return;
  if (isPaid(result)) print(paidView(result), paidText(result));
  else print(creditView(organisationId, env, result), creditText(organisationId, env, result));
}
