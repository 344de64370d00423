import type { ErasureStep } from '../../../shared/ledger/erase.ts';
import type { Erasure } from '../../../shared/operators/operations/privacy.ts';
import { counted, time } from '../output.ts';
import { type People, peopleText } from './credit-text.ts';

/** Says how far an erasure has progressed. */
export function progressOf(step: ErasureStep): string {
  if (step.kind === 'marked') return 'Marked the number as erased. Anonymising its log rows.';
  const seconds = Math.ceil(step.waitMs / 1000);
  return `Anonymised ${counted(step.erased, 'log row')}. Waiting ${seconds} s for requests in progress. The erasure continues if you interrupt the command.`;
}

const OTHERS_SLIPS =
  'Slips that other organisations made for this person are not withdrawn: each organisation must erase or withdraw its own.';

const PROFILE_TEXTS = {
  erased: 'Erased the profile of the organisation, which contained the number.',
  kept: 'The profile still contains the number, because the organisation was approved with it.',
} as const satisfies Record<NonNullable<Erasure['profile']>, string>;

/** Says what an erasure did. `people` is given if it needed a second person. */
export function erasedText(
  { erased, slips, erasedEarlier, lookUps, profile }: Erasure,
  people?: People,
): string {
  const suffix = people ? ` (${peopleText(people)})` : '';
  const inConsole = [
    ...(slips > 0 ? [`Withdrew ${counted(slips, 'slip')}. ${OTHERS_SLIPS}`] : []),
    ...(lookUps > 0 ? [`Deleted ${counted(lookUps, 'look-up')} for the profile.`] : []),
    ...(profile === null ? [] : [PROFILE_TEXTS[profile]]),
  ];
  if (erased > 0 || inConsole.length > 0)
    return [`Anonymised ${counted(erased, 'log row')}${suffix}.`, ...inConsole].join(' ');
  if (erasedEarlier === null)
    return `No log row was found${suffix}. Check the number, \`--env\` and \`--id-type\`.`;
  return `No other log row was found${suffix}. This number was already erased up to ${time(erasedEarlier)}. If you did not expect this, check the number, \`--env\` and \`--id-type\`.`;
}
