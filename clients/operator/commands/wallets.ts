import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../../shared/core/environment.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import { countArgument, creditsArgument, environmentOption, organisationArgument } from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { UsageError } from '../confirm.ts';
import { amount, table, time } from '../output.ts';
import { statementCommand } from './statement.ts';

interface CreditOptions {
  readonly env: Environment;
  readonly reference: string;
  readonly reason: string;
  readonly actor?: string;
}

/** `wallet ...`: prepaid credits. */
export function walletCommands(program: Command): void {
  const group = program.command('wallet').description('Wallets: top up, correct, balance, statement, shards');
  statementCommand(group);
  topUpCommand(group);
  correctCommand(group);
  group
    .command('balance')
    .description('what can be spent, what is held by requests in flight, and all that was ever credited')
    .addArgument(organisationArgument())
    .addOption(environmentOption('only this one'))
    .action(async (id: string, options: { env?: Environment }, command: Command) => {
      const { operator, print } = await openSession(command);
      const wallets = [];
      for (const env of options.env ? [options.env] : ENVIRONMENTS) {
        wallets.push({ env, ...(await operator.balance({ env, organisationId: id })) });
      }
      const lines = wallets.map(({ env, available, held, credited }) => [env, available, held, credited]);
      print({ organisation: id, wallets }, table(['ENV', 'AVAILABLE', 'HELD', 'CREDITED'], lines));
    });
  group
    .command('set-shards')
    .description('spread both wallets over this many items: about peak requests in flight / 60; never fewer')
    .addArgument(organisationArgument())
    .addArgument(countArgument('<shards>', '1 to 100'))
    .action(async (id: string, count: number, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const { name, walletShards } = await operator.setShards(id, count);
      print({ organisation: id, walletShards }, `The wallets of ${name} have ${walletShards} shards.`);
    });
}

function topUpCommand(group: Command): void {
  creditCommand(group, 'top-up', 'add credits that were paid for', 'whole credits')
    .option('--reason <text>', 'for the books', '')
    .action(async (id: string, credits: number, options: CreditOptions, command: Command) => {
      const { operator, print } = await openSession(command);
      const wallet = { env: options.env, organisationId: id };
      const result = await operator.topUp(wallet, creditRequest(credits, options));
      print(creditView(id, options.env, result), creditText(id, options.env, result));
    });
}

function correctCommand(group: Command): void {
  creditCommand(group, 'correct', 'put a mistake right', 'whole credits; negative to take them')
    .requiredOption('--reason <text>', 'why, for the books')
    .action(async (id: string, credits: number, options: CreditOptions, command: Command) => {
      const { operator, print, confirm } = await openSession(command);
      const wallet = { env: options.env, organisationId: id };
      const { name } = await operator.getOrganisation(id);
      if (credits < 0) await confirm(`Take ${amount(-credits)} ${options.env} credits from ${name} (${id})?`);
      const result = await operator.correct(wallet, creditRequest(credits, options));
      print(creditView(id, options.env, result), creditText(id, options.env, result));
    });
}

function creditCommand(group: Command, name: string, description: string, credits: string): Command {
  return group
    .command(name)
    .description(`${description}; the same reference again changes nothing`)
    .addArgument(organisationArgument())
    .addArgument(creditsArgument(credits))
    .requiredOption(
      '--reference <reference>',
      "the payer's or the ticket's own: it is used once, for one amount",
    )
    .addOption(environmentOption('which wallet').default('live'))
    .option('--actor <name>', 'who does it; without it, the name of the user of this machine');
}

function creditRequest(credits: number, { reference, reason, actor }: CreditOptions) {
  return { amount: credits, reference, reason, actor: actor ?? userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    throw new UsageError('Say --actor: this machine has no name for you.');
  }
}

interface CreditResult {
  readonly row: Credit;
  readonly existed: boolean;
}

function creditView(organisation: string, env: Environment, { row, existed }: CreditResult) {
  const { reference, kind, amount: credits, actor, reason, createdAt } = row;
  return { organisation, env, reference, kind, credits, actor, reason, createdAt, existed };
}

function creditText(organisation: string, env: Environment, { row, existed }: CreditResult): string {
  const signed = row.amount < 0 ? amount(row.amount) : `+${amount(row.amount)}`;
  if (existed)
    return `${row.reference} (${signed}) was booked at ${time(row.createdAt)} already. Nothing was changed.`;
  return `${signed} ${env} credits for ${organisation}, booked as ${row.reference} by ${row.actor}.`;
}
