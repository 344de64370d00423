import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { counted } from '../output.ts';

interface EraseOptions {
  readonly env: Environment;
  readonly idType: IdType;
  readonly numberFile: string;
}

/** Adds `privacy ...`: requests of people whose numbers were verified. */
export function privacyCommands(program: Command): void {
  program
    .command('privacy')
    .description('Handle requests under data protection law')
    .command('erase')
    .description("Anonymise an organisation's log rows about one person's number; charges remain")
    .addArgument(organisationArgument())
    .addOption(environmentOption('environment of the log rows').makeOptionMandatory())
    .addOption(
      new Option('--id-type <type>', 'ID type of the number').choices([...ID_TYPES]).makeOptionMandatory(),
    )
    .requiredOption(
      '--number-file <file>',
      'file that contains only the number, so that the shell history does not keep the number',
    )
    .action(async (id: string, { env, idType, numberFile }: EraseOptions, command: Command) => {
      const { operator, print, confirm } = await commandContext(command);
      const number = readNumber(numberFile);
      await confirm(
        `Erase this ${idType} from the ${env} log of ${id}?${idType === 'NIN' ? ' A slip for this NIN will need a new verification.' : ''}`,
      );
      const { erased } = await operator.erasePerson({ env, organisationId: id }, idType, number);
      print({ organisation: id, env, idType, erased }, `Anonymised ${counted(erased, 'log row')}.`);
    });
}

/** Reads the number without its line break. Errors never contain the number. */
function readNumber(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new Error(`The file ${file} cannot be read.`);
  }
}
