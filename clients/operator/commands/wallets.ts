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
} from '../arguments.ts';
import { type ChangeContext, changeContext, commandContext } from '../command-context.ts';
import { amount, counted, table, time } from '../output.ts';
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
      const { operator, print } = await changeContext(command);
      const { name, walletShards } = await operator.setShards(id, count);
      print(
        { organisation: id, walletShards },
        `Each wallet of ${printable(name)} has ${counted(walletShards, 'shard')}.`,
      );
    });
}

function topUpCommand(group: Command): void {
  creditCommand(group, 'top-up', 'Add credits that a customer paid for', 'whole credits')
    .option('--reason <text>', 'note that appears on the statement', parseReason, '')
    .action(async (id: string, credits: number, options: CreditOptions, command: Command) => {
      const context = await changeContext(command);
      await confirmCredit(id, credits, options, context);
      const wallet = { env: options.env, organisationId: id };
      const result = await context.operator.topUp(wallet, creditRequest(credits, options, context));
      context.print(creditView(id, options.env, result), creditText(id, options.env, result));
    });
}

function correctCommand(group: Command): void {
  creditCommand(
    group,
    'correct',
    'Add or remove credits to correct a mistake',
    'whole credits; negative to remove',
  )
    .requiredOption('--reason <text>', 'reason that appears on the statement', parseReason)
    .action(async (id: string, credits: number, options: CreditOptions, command: Command) => {
      const context = await changeContext(command);
      await confirmCredit(id, credits, options, context);
      const wallet = { env: options.env, organisationId: id };
      const result = await context.operator.correct(wallet, creditRequest(credits, options, context));
      context.print(creditView(id, options.env, result), creditText(id, options.env, result));
    });
}

/** Shows the customer's name and the amount: a mistyped ID or amount would credit the wrong customer. */
async function confirmCredit(
  id: string,
  credits: number,
  { env, reference }: CreditOptions,
  { operator, confirm }: ChangeContext,
): Promise<void> {
  const { name } = await operator.getOrganisation(id);
  const change = credits < 0 ? 'Remove' : 'Add';
  const direction = credits < 0 ? 'from' : 'to';
  const text = counted(Math.abs(credits), `${env} credit`);
  await confirm(`${change} ${text} ${direction} ${name} (${id}) with the reference ${reference}?`);
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
      'when the payment or the mistake was made; statements go by the time of the booking (default: now)',
      parseTime,
    );
}

function creditRequest(
  credits: number,
  { reference, reason, effectiveAt }: CreditOptions,
  { actor }: ChangeContext,
) {
  return { amount: credits, reference, reason, actor, effectiveAt };
}

interface CreditResult {
  readonly row: Credit;
  readonly existed: boolean;
}

function creditView(organisation: string, env: Environment, { row, existed }: CreditResult) {
  const { reference, kind, amount: credits, actor, reason, createdAt, effectiveAt } = row;
  return { organisation, env, reference, kind, credits, actor, reason, createdAt, effectiveAt, existed };
}

function creditText(organisation: string, env: Environment, { row, existed }: CreditResult): string {
  const { reference, actor, createdAt } = row;
  const signed = row.amount < 0 ? amount(row.amount) : `+${amount(row.amount)}`;
  if (existed)
    return `Nothing was changed: ${reference} (${signed}) was already recorded at ${time(createdAt)}.`;
  const noun = Math.abs(row.amount) === 1 ? 'credit' : 'credits';
  return `${signed} ${env} ${noun} for ${organisation}, recorded as ${reference} by ${printable(actor)}.`;
}
