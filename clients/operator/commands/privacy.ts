import type { Command } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { askSecondPerson, needsSecondPerson } from '../second-person.ts';
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
      const { operator, deployment, print, notify, confirm } = context;
      const wallet = { env, organisationId: id };
      const numberTags = await operator.tagsOf(wallet, idType, readNumber(numberFile));
      const { name } = await operator.getOrganisation(id);
      const order = { work: 'erasure', idType, numberTags } as const;
      const isRequest = needsSecondPerson(order, deployment.secondPersonAbove);
      const slip = idType === 'NIN' ? ' A slip for this NIN will need a new verification.' : '';
      const mayBeInProfile = env === 'live' && (idType === 'CAC' || idType === 'TIN');
      const profile = mayBeInProfile
        ? ' The profile is erased too if it contains the number and was not approved.'
        : '';
      const second = isRequest ? ' A second person must approve the erasure.' : '';
      await confirm(`Erase this ${idType} from the ${env} log of ${name} (${id})?${slip}${profile}${second}`);
      if (isRequest) {
        await askSecondPerson(wallet, order, context);
        return;
      }
      const result = await operator.eraseTags(wallet, idType, numberTags, (step) => notify(progressOf(step)));
      print({ organisation: id, env, idType, ...result }, erasedText(result));
    });
}
