import { endingOf } from './protocol.ts';

/** Unusual ways in which a registry may have recorded a person. */
export type Variant =
  | 'tone-marks'
  | 'swapped-names'
  | 'married-name'
  | 'initials'
  | 'swapped-birth-date'
  | 'none';

const VARIANTS: Readonly<Record<string, Variant>> = {
  '0301': 'tone-marks',
  '0302': 'swapped-names',
  '0303': 'married-name',
  '0304': 'initials',
  '0305': 'swapped-birth-date',
};

/** Returns the variant that the last four digits of a number select (contract G1). */
export function variantOf(number: string): Variant {
  return VARIANTS[endingOf(number)] ?? 'none';
}
