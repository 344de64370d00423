import { type Command, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import { environmentOption, organisationArgument, parseReason, UsageError } from '../arguments.ts';
import { type ChangeContext, changeContext, commandContext } from '../command-context.ts';
import { monthArgument } from '../money-arguments.ts';
import { progressBar } from '../progress-bar.ts';
import { uploadAfterClosing } from '../upload-reports.ts';
import { closedText, closedView, reopenedText, reopenedView, statusText, statusView } from './month-text.ts';

interface ScopeOptions {
  readonly env: Environment;
  readonly all?: true;
}

/** Adds `month ...`: the monthly closing of the accounts. */
export function monthCommands(program: Command): void {
  const group = program.command('month').description('Close accounting months');
  closeCommand(group);
  statusCommand(group);
  reopenCommand(group);
}

const allOption = () => new Option('--all', 'the wallets of all organisations');
const optionalOrganisation = () => organisationArgument().argOptional();

function closeCommand(group: Command): void {
  group
    .command('close')
    .description(
      'Close a month of one organisation or of all; nothing can be booked into it afterwards; running the command again completes an interrupted run',
    )
    .addArgument(monthArgument())
    .addArgument(optionalOrganisation())
    .addOption(allOption())
    .addOption(environmentOption('wallets to close').default('live'))
    .action(async (month: string, org: string | undefined, { env, all }: ScopeOptions, command: Command) => {
      checkScope(org, all);
      const context = await changeContext(command);
      const { operator, change, confirm, print } = context;
      const who = org ? `${(await operator.getOrganisation(org)).name} (${org})` : 'all organisations';
      await confirm(
        `Close ${month} of the ${env} wallets of ${who}? Nothing can be booked into it afterwards.`,
      );
      const scope = { month, env, organisationId: org };
      const advance = progressBar();
      const result = await change('month close', { month, env, organisation: org }, (progress) => {
        const { done, total } = progress as { done: number; total: number };
        advance(done, total);
      });
      const status = await operator.monthStatus(scope);
      print(closedView(month, env, result, status), closedText(month, env, result, status));
      if (result.open.length > 0)
        throw new Error(
          'Not all wallets were closed. Resolve the problems above, and run the command again.',
        );
      if (all) await uploadAfterClosing(month, env, context);
    });
}

function statusCommand(group: Command): void {
  group
    .command('status')
    .description('Show which wallets are closed for a month, and what was earned and deferred, in naira')
    .addArgument(monthArgument())
    .addArgument(optionalOrganisation())
    .addOption(environmentOption('wallets to show').default('live'))
    .action(async (month: string, org: string | undefined, { env }: ScopeOptions, command: Command) => {
      const { operator, print } = await commandContext(command);
      const rows = await operator.monthStatus({ month, env, organisationId: org });
      print(statusView(month, env, rows), statusText(month, env, rows));
    });
}

function reopenCommand(group: Command): void {
  group
    .command('reopen')
    .description('Reopen the last closed month of a wallet, to compute its figures again')
    .addArgument(monthArgument())
    .addArgument(organisationArgument())
    .addOption(environmentOption('wallet to reopen').default('live'))
    .requiredOption('--reason <text>', 'reason, shown in the audit trail', parseReason)
    .action(
      async (
        month: string,
        organisationId: string,
        { env, reason }: ScopeOptions & { readonly reason: string },
        command: Command,
      ) => {
        const context = await changeContext(command);
        await reopen({ env, organisationId }, { work: 'reopen', month, reason }, context);
      },
    );
}

async function reopen(
  wallet: { readonly env: Environment; readonly organisationId: string },
  order: { readonly work: 'reopen'; readonly month: string; readonly reason: string },
  context: ChangeContext,
): Promise<void> {
  const { operator, deployment, changeOrRequest, confirm, print } = context;
  const { name } = await operator.getOrganisation(wallet.organisationId);
  const request = { wallet, month: order.month, reason: order.reason };
  const { statement } = await operator.checkReopening(request);
  const isRequest = await needsSecondPerson(order, deployment.secondPersonAbove);
  const number = statement ? ` The statement ${statement} keeps its number.` : '';
  const question = `Reopen ${order.month} of the ${wallet.env} wallet of ${name} (${wallet.organisationId})?${number}`;
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  const { env, organisationId: organisation } = wallet;
  const { month, reason } = order;
  const closing = await changeOrRequest('month reopen', { month, reason, env, organisation });
  if (closing) print(reopenedView(wallet, closing), reopenedText(printable(name), closing));
}

/** Requires an organisation or `--all`, so that nobody closes a month for all organisations by accident. */
function checkScope(organisation: string | undefined, all: true | undefined): void {
  if (organisation === undefined && !all)
    throw new UsageError('Pass the ID of an organisation, or `--all` for all organisations.');
  if (organisation !== undefined && all)
    throw new UsageError('Pass either the ID of an organisation or `--all`, not both.');
}
