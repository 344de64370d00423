import type { Command } from 'commander';
import type { WalletId } from '../../../shared/core/keys.ts';
import { parseExpiry, parseReason, UsageError } from '../arguments.ts';
import { type ChangeContext, changeContext } from '../command-context.ts';
import { naira, parseLine } from '../money-arguments.ts';
import type { OrderOf } from '../operations/approved-order.ts';
import { counted, time } from '../output.ts';
import { askSecondPerson, needsSecondPerson } from '../second-person.ts';
import { type CreditOptions, creditCommand } from './credit-command.ts';
import { creditText, creditView } from './credit-text.ts';
import { paidText, paidView } from './order-text.ts';

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
  const { env, reference, reason, effectiveAt, expiresAt, bankReference } = options;
  const isPaid = env === 'live' && !options.promotional;
  checkOptions(options, isPaid);
  const context = await changeContext(command);
  const { operator, deployment, confirm } = context;
  const wallet = { env, organisationId: id };
  const { name } = await operator.getOrganisation(id);
  const credit = { work: 'credit', kind: 'TOP_UP', amount: credits, reference, reason, effectiveAt } as const;
  const problem = operator.problemOfCredit(credit);
  if (problem) throw new UsageError(problem);
  const totalKobo = isPaid ? await operator.transferTotal({ wallet, credits, reference }) : undefined;
  const order = { ...credit, totalKobo, bankReference, expiresAt };
  const isNew = !(await operator.findCredit(wallet, reference));
  const isRequest = isNew && needsSecondPerson(order, deployment.secondPersonAbove);
  if (isRequest) await operator.checkCredit(wallet, order);
  const question = questionOf(order, wallet, name);
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  if (isRequest) await askSecondPerson(wallet, order, context);
  else await book(order, wallet, context);
}

function checkOptions({ expiresAt, bankReference }: TopUpOptions, isPaid: boolean): void {
  if (isPaid && expiresAt !== undefined)
    throw new UsageError('Paid credits do not expire. Pass `--expires-at` only with `--promotional`.');
  if (!isPaid && bankReference !== undefined)
    throw new UsageError('Free credits have no bank transfer. Leave out `--bank-reference`.');
}

/** The question contains the customer's name and the amount, because a mistyped ID would credit the wrong customer. */
function questionOf(
  { amount, reference, totalKobo, expiresAt }: OrderOf<'credit'>,
  { env, organisationId }: WalletId,
  name: string,
): string {
  const change = `Add ${counted(amount, `${env} credit`)} to ${name} (${organisationId}) with the reference ${reference}`;
  if (totalKobo !== undefined) return `${change}, paid with ${naira(totalKobo)} including VAT?`;
  const free = `${change}, free of charge`;
  return expiresAt ? `${free}, expiring at ${time(expiresAt)}?` : `${free}?`;
}

async function book(order: OrderOf<'credit'>, wallet: WalletId, context: ChangeContext): Promise<void> {
  const { operator, actor, print } = context;
  const { amount, reference, reason, effectiveAt, totalKobo, bankReference, expiresAt } = order;
  if (totalKobo !== undefined) {
    const transfer = { wallet, credits: amount, reference, reason, paidAt: effectiveAt, bankReference };
    const paid = await operator.creditTransfer({ ...transfer, totalKobo }, actor);
    print(paidView(paid), paidText(paid));
    return;
  }
  const request = { amount, reference, reason, effectiveAt, actor };
  const result = await operator.topUp(wallet, request, expiresAt);
  print(
    creditView(wallet.organisationId, wallet.env, result),
    creditText(wallet.organisationId, wallet.env, result),
  );
}
