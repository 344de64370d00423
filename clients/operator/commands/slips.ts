import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { REQUEST_ID } from '../../../shared/core/request-id.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { changeContext } from '../command-context.ts';

/** Adds `slip ...`. */
export function slipCommands(program: Command): void {
  program
    .command('slip')
    .description('Handle slips that customers made')
    .command('withdraw')
    .description('Let the page that checks a slip say that it was withdrawn')
    .addArgument(organisationArgument())
    .addArgument(requestArgument())
    .addOption(environmentOption('environment in which the slip was made').makeOptionMandatory())
    .action(async (id: string, requestId: string, { env }: { env: Environment }, command: Command) => {
      const { change, print, confirm } = await changeContext(command);
      await confirm(`Withdraw the ${env} slip ${requestId}? It will never be valid again.`);
      await change('slip withdraw', { organisation: id, env, requestId });
      print(
        { organisation: id, env, requestId, withdrawn: true },
        `Withdrew the slip ${requestId}. Slips of other organisations for the same person are not withdrawn.`,
      );
    });
}

function requestArgument(): Argument {
  return new Argument('<request>', 'request ID that is printed on the slip').argParser((text) => {
    if (!REQUEST_ID.test(text)) throw new InvalidArgumentError('It must be like req_0a1b2c3d4e5f.');
    return text;
  });
}
