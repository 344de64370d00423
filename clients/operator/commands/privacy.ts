import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { amount } from '../output.ts';

interface EraseOptions {
  readonly env: Environment;
  readonly idType: IdType;
  readonly numberFile: string;
}

/** `privacy ...`: requests of people whose numbers were verified. */
export function privacyCommands(program: Command): void {
  program
    .command('privacy')
    .description('requests under data protection law')
    .command('erase')
    .description("cut the tie between one person's number and an organisation's log rows; money rows stay")
    .addArgument(organisationArgument())
    .addOption(environmentOption('whose log').makeOptionMandatory())
    .addOption(new Option('--id-type <type>', 'of the number').choices([...ID_TYPES]).makeOptionMandatory())
    .requiredOption('--number-file <file>', 'holds the number alone, so that it stands in no shell history')
    .action(async (id: string, { env, idType, numberFile }: EraseOptions, command: Command) => {
      const { operator, print, confirm } = await openSession(command);
      const number = readNumber(numberFile);
      await confirm(`Erase a ${idType} from the ${env} log of ${id}? Its slips need a new verification.`);
      const { erased } = await operator.erasePerson({ env, organisationId: id }, idType, number);
      const rows = erased === 1 ? 'row tells' : 'rows tell';
      print({ organisation: id, env, idType, erased }, `${amount(erased)} ${rows} of nobody any more.`);
    });
}

/** One line of the file, without its line break. Its content is in no message. */
function readNumber(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new Error(`The file ${file} cannot be read.`);
  }
}
