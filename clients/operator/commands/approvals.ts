import { Argument, type Command } from 'commander';
import { approvalPath } from '../../../shared/operators/actions.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { questionOf, requestsText, requestView, withNames } from './approval-text.ts';
import { printApproved, printProgress } from './approved-text.ts';

/** Adds `approvals` and `approve`: changes that need a second person. */
export function approvalCommands(program: Command): void {
  program
    .command('approvals')
    .description('List the changes that are waiting for a second person, newest first')
    .action(async (_: object, command: Command) => {
      const context = await commandContext(command);
      const named = await withNames(await context.operator.openRequests(), context.operator);
      context.print(named.map(requestView), requestsText(named));
    });
  program
    .command('approve')
    .description('Make a change that another person requested')
    .addArgument(new Argument('<id>', 'ID of the request, as printed by `approvals`'))
    .action(async (id: string, _: object, command: Command) => {
      const context = await changeContext(command);
      const { operator, change, confirm } = context;
      const request = await operator.requestToApprove(id);
      await confirm(await questionOf(request, operator));
      const approved = await change(
        'approve',
        { request: id },
        (step) => printProgress(request, step, context),
        approvalPath(request.action),
      );
      await printApproved(approved, context);
    });
}
