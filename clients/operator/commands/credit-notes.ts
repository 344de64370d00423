import type { Command } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import { countArgument, environmentOption, organisationArgument, parseReason } from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { documentArgument, parseLine } from '../money-arguments.ts';
import { counted } from '../output.ts';
import {
  creditNotesText,
  creditNoteText,
  creditNoteView,
  moneyText,
  refundView,
} from './credit-note-text.ts';
import { totalText } from './order-text.ts';

interface CreateOptions {
  readonly reference: string;
  readonly reason: string;
  readonly paidBack?: true;
}

/** Adds `credit-note ...`: refunds of unspent credits. */
export function creditNoteCommands(program: Command): void {
  const group = program.command('credit-note').description('Take back unspent credits and refund them');
  group
    .command('create')
    .description(
      'Take back unspent credits on an invoice, with a credit note; running the command again with the same reference changes nothing',
    )
    .addArgument(organisationArgument())
    .addArgument(documentArgument('<invoice>', 'number of the invoice, for example IDV-2026-000041'))
    .addArgument(countArgument('<credits>', 'number of unspent credits to take back'))
    .requiredOption(
      '--reference <reference>',
      'unique reference of the ticket, for example TICKET-4711',
      parseLine,
    )
    .requiredOption('--reason <text>', 'reason, printed on the credit note and the statement', parseReason)
    .option(
      '--paid-back',
      'the customer already has the money, for example after a chargeback: take only the credits',
    )
    .action(create);
  group
    .command('list')
    .description('List the credit notes of a wallet, with the state of their refunds, newest first')
    .addArgument(organisationArgument())
    .addOption(environmentOption('wallet to list').default('live'))
    .action(async (id: string, { env }: { env: Environment }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const notes = await operator.listCreditNotes({ env, organisationId: id });
      print(
        notes.map(({ document, refund }) => ({ ...document, refund: refund ? refundView(refund) : null })),
        creditNotesText(notes),
      );
    });
  paidBackCommand(group);
}

function paidBackCommand(group: Command): void {
  group
    .command('paid-back')
    .description('Record that a credit note was refunded by bank transfer')
    .addArgument(organisationArgument())
    .addArgument(documentArgument('<number>', 'number of the credit note, for example IDVC-2026-000003'))
    .requiredOption('--bank-reference <text>', "the bank's reference for the transfer", parseLine)
    .action(async (id: string, number: string, options: { bankReference: string }, command: Command) => {
      const { operator, change, confirm, print } = await changeContext(command);
      const { name } = await operator.getOrganisation(id);
      const document = await operator.requireDocument(id, number);
      await confirm(
        `Record that ${totalText(document)} of ${number} was returned to ${name} (${id}) by bank transfer?`,
      );
      const { bankReference } = options;
      const refund = await change('credit-note paid-back', {
        organisation: id,
        creditNote: number,
        bankReference,
      });
      print(refundView(refund), `${number} of ${printable(name)}: ${moneyText(refund)}`);
    });
}

async function create(
  organisationId: string,
  invoice: string,
  credits: number,
  { reference, reason, paidBack }: CreateOptions,
  command: Command,
): Promise<void> {
  const context = await changeContext(command);
  const { operator, deployment, changeOrRequest, confirm, print } = context;
  const { name } = await operator.getOrganisation(organisationId);
  const { env } = await operator.requireDocument(organisationId, invoice);
  const wallet = { env, organisationId };
  const what = { invoice, credits, reference, reason, isPaidBack: paidBack === true };
  const request = { ...what, wallet, actor: '' };
  const make = async (totalKobo: number) => {
    const result = await changeOrRequest('credit-note create', {
      organisation: organisationId,
      ...what,
      totalKobo,
    });
    if (result) print(creditNoteView(result), creditNoteText(result));
  };
  if (await operator.refundedEarlier(request)) return make(0);
  const { amounts, unspent } = await operator.planRefund(request);
  const order = { work: 'credit-note', ...what, totalKobo: amounts.totalKobo } as const;
  const isRequest = await needsSecondPerson(order, deployment.secondPersonAbove);
  const money = paidBack ? ' The customer already has the money.' : '';
  const question = `Take back ${credits} of ${counted(unspent, `unspent ${env} credit`)} on the invoice ${invoice} from ${name} (${organisationId}), with a credit note of ${totalText(amounts)}?${money}`;
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  await make(amounts.totalKobo);
}
