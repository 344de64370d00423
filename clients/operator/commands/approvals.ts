import { Argument, type Command } from 'commander';
import { cancellationCodes } from '../../../shared/core/database.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { questionOf, requestsText, requestView, withNames } from './approval-text.ts';
import { makeChange } from './make-change.ts';

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
      const request = await context.operator.requestToApprove(id, context.actor);
      await context.confirm(await questionOf(request, context.operator));
      try {
        await makeChange(request, context);
      } catch (error) {
        // The approval is the last item of its transaction (`approvingRecorder`).
        if (cancellationCodes(error)?.at(-1) !== 'ConditionalCheckFailed') throw error;
        throw new Error(
          'Another run of `admin approve` has already approved this request. This run changed nothing. ' +
            '`admin approvals` lists the open requests.',
        );
      }
    });
}
