import type { Command } from 'commander';
import { MAX_WALLET_SHARDS } from '../../../shared/accounts/organisation.ts';
import { ENVIRONMENTS, type Environment } from '../../../shared/core/environment.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import {
  countArgument,
  creditsArgument,
  environmentOption,
  organisationArgument,
  parseReason,
  parseTime,
  UsageError,
} from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { counted, table } from '../output.ts';
import { askSecondPerson, needsSecondPerson } from '../second-person.ts';
import { creditText, creditView } from './credit-text.ts';
import { statementCommand } from './statement.ts';

interface CreditOptions {
  readonly env: Environment;
  readonly reference: string;
  readonly reason: string;
  readonly effectiveAt?: string;
}

/** Adds `wallet ...`: prepaid credits. */
export function walletCommands(program: Command): void {
  const group = program.command('wallet').description('Manage prepaid credits');
  topUpCommand(group);
  correctCommand(group);
  group
    .command('balance')
    .description('Show available and held credits, and the sum of all top-ups and corrections')
    .addArgument(organisationArgument())
    .addOption(environmentOption('show only this wallet'))
    .action(async (id: string, options: { env?: Environment }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const wallets = [];
      for (const env of options.env ? [options.env] : ENVIRONMENTS) {
        wallets.push({ env, ...(await operator.balance({ env, organisationId: id })) });
      }
      const lines = wallets.map(({ env, available, held, credited }) => [env, available, held, credited]);
      print({ organisation: id, wallets }, table(['ENV', 'AVAILABLE', 'HELD', 'CREDITED'], lines));
    });
  statementCommand(group);
  group
    .command('set-shards')
    .description('Raise the number of shards of both wallets, for more concurrent requests')
    .addArgument(organisationArgument())
    .addArgument(
      countArgument(
        '<shards>',
        'number of shards of each wallet, about one per 60 concurrent requests at peak',
        MAX_WALLET_SHARDS,
      ),
    )
    .action(async (id: string, count: number, _: object, command: Command) => {
      const { operator, print, progress } = await changeContext(command);
      const { name, walletShards } = await operator.setShards(id, count, (waitMs) =>
        progress(`New requests use the new shards. Waiting ${waitMs / 1000} s for earlier ones to end.`),
      );
      print(
        { organisation: id, walletShards },
        `Each wallet of ${printable(name)} has ${counted(walletShards, 'shard')}.`,
      );
    });
}

function topUpCommand(group: Command): void {
  creditCommand(group, 'top-up', 'Add credits that a customer paid for', 'whole credits')
    .option('--reason <text>', 'note that appears on the statement', parseReason, '')
    .action((id: string, credits: number, options: CreditOptions, command: Command) =>
      bookCredit(id, { ...options, amount: credits, kind: 'TOP_UP' }, command),
    );
}

function correctCommand(group: Command): void {
  creditCommand(
    group,
    'correct',
    'Add or remove credits to correct a mistake',
    'whole credits; negative to remove',
  )
    .requiredOption('--reason <text>', 'reason that appears on the statement', parseReason)
    .action((id: string, credits: number, options: CreditOptions, command: Command) =>
      bookCredit(id, { ...options, amount: credits, kind: 'CORRECTION' }, command),
    );
}

/**
 * Books a credit after confirmation, or requests it if it needs a second person. Shows the customer's name and the
 * amount, because a mistyped ID or amount would credit the wrong customer.
 */
async function bookCredit(
  id: string,
  { env, ...credit }: CreditOptions & Pick<Credit, 'kind' | 'amount'>,
  command: Command,
): Promise<void> {
  const context = await changeContext(command);
  const { operator, deployment, confirm, print } = context;
  const wallet = { env, organisationId: id };
  const { kind, amount: credits, reference, reason, effectiveAt } = credit;
  const { name } = await operator.getOrganisation(id);
  const order = { work: 'credit', kind, amount: credits, reference, reason, effectiveAt } as const;
  const problem = operator.problemOfCredit(order);
  if (problem) throw new UsageError(problem);
  const isNew = !(await operator.findCredit(wallet, reference));
  const isRequest = isNew && needsSecondPerson(order, deployment.secondPersonAbove);
  if (isRequest) await operator.checkCredit(wallet, order);
  const text = counted(Math.abs(credits), `${env} credit`);
  const change = credits < 0 ? `Remove ${text} from` : `Add ${text} to`;
  const question = `${change} ${name} (${id}) with the reference ${reference}?`;
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  if (isRequest) {
    await askSecondPerson(wallet, order, context);
    return;
  }
  const request = { amount: credits, reference, reason, effectiveAt, actor: context.actor };
  const result = await (kind === 'TOP_UP' ? operator.topUp : operator.correct)(wallet, request);
  print(creditView(id, env, result), creditText(id, env, result));
}

function creditCommand(group: Command, name: string, description: string, credits: string): Command {
  return group
    .command(name)
    .description(`${description}; running the command again with the same reference changes nothing`)
    .addArgument(organisationArgument())
    .addArgument(creditsArgument(credits))
    .requiredOption(
      '--reference <reference>',
      'unique reference of the payment or ticket, for example an invoice number',
    )
    .addOption(environmentOption('wallet to change').default('live'))
    .option(
      '--effective-at <time>',
      'when the payment or the mistake was made; statements use the time of the booking (default: now)',
      parseTime,
    );
}
