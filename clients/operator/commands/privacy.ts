import type { Command } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import type { ErasureStep } from '../../../shared/ledger/erase.ts';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { erasedText, progressOf } from './erasure-text.ts';
import { idTypeOption, numberFileOption, readNumber } from './privacy-number.ts';
import { exportCommand, impactCommand } from './privacy-reports.ts';

interface EraseOptions {
  readonly env: Environment;
  readonly idType: IdType;
  readonly numberFile: string;
}

/** Adds `privacy ...`: requests of people whose numbers were verified, and reports on breaches. */
export function privacyCommands(program: Command): void {
  const group = program.command('privacy').description('Handle requests under data protection law');
  exportCommand(group);
  eraseCommand(group);
  impactCommand(group);
}

function eraseCommand(group: Command): void {
  group
    .command('erase')
    .description("Erase one person's number from the rows of an organisation; charges remain")
    .addArgument(organisationArgument())
    .addOption(environmentOption('environment of the log rows').makeOptionMandatory())
    .addOption(idTypeOption())
    .addOption(numberFileOption())
    .action(async (id: string, { env, idType, numberFile }: EraseOptions, command: Command) => {
      const context = await changeContext(command);
      const { operator, deployment, changeOrRequest, print, notify, confirm } = context;
      const number = readNumber(numberFile, idType);
      const { name } = await operator.getOrganisation(id);
      const isRequest = await needsSecondPerson(
        { work: 'erasure', idType, numberTags: [] },
        deployment.secondPersonAbove,
      );
      const slip =
        idType === 'NIN'
          ? ' Its slips of this organisation are withdrawn, and a new one will need a new verification.'
          : '';
      const mayBeInProfile = env === 'live' && (idType === 'CAC' || idType === 'TIN');
      const profile = mayBeInProfile
        ? ' The profile is erased too if it contains the number and was not approved.'
        : '';
      const second = isRequest ? ' A second person must approve the erasure.' : '';
      await confirm(`Erase this ${idType} from the ${env} log of ${name} (${id})?${slip}${profile}${second}`);
      const input = { organisation: id, env, idType, number };
      const result = await changeOrRequest('privacy erase', input, (step) =>
        notify(progressOf(step as ErasureStep)),
      );
      if (result) print({ organisation: id, env, idType, ...result }, erasedText(result));
    });
}
