import type { Command } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import type { ErasureStep } from '../../../shared/ledger/erase.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { counted } from '../output.ts';
import { idTypeOption, numberFileOption, readNumber } from './privacy-number.ts';
import { exportCommand, impactCommand } from './privacy-reports.ts';

interface EraseOptions {
  readonly env: Environment;
  readonly idType: IdType;
  readonly numberFile: string;
}

/** Adds `privacy ...`: requests of people whose numbers were verified. */
export function privacyCommands(program: Command): void {
  const group = program.command('privacy').description('Handle requests under data protection law');
  exportCommand(group);
  eraseCommand(group);
  impactCommand(group);
}

function eraseCommand(group: Command): void {
  group
    .command('erase')
    .description("Anonymise an organisation's log rows about one person's number; charges remain")
    .addArgument(organisationArgument())
    .addOption(environmentOption('environment of the log rows').makeOptionMandatory())
    .addOption(idTypeOption())
    .addOption(numberFileOption())
    .action(async (id: string, { env, idType, numberFile }: EraseOptions, command: Command) => {
      const { operator, print, progress, confirm } = await changeContext(command);
      const number = readNumber(numberFile);
      await confirm(
        `Erase this ${idType} from the ${env} log of ${id}?${idType === 'NIN' ? ' A slip for this NIN will need a new verification.' : ''}`,
      );
      const { erased } = await operator.erasePerson({ env, organisationId: id }, idType, number, (step) =>
        progress(progressOf(step)),
      );
      print({ organisation: id, env, idType, erased }, `Anonymised ${counted(erased, 'log row')}.`);
    });
}

function progressOf(step: ErasureStep): string {
  if (step.kind === 'marked')
    return 'The erasure is recorded: no replay and no late log row uses the number any more.';
  const seconds = Math.ceil(step.waitMs / 1000);
  return `Anonymised ${counted(step.erased, 'log row')}. Waiting ${seconds} s for requests in progress. Do not interrupt; if you do, run the command again.`;
}
