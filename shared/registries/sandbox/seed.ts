import type { IdType } from '../../core/id-types.ts';

/**
 * Returns the seed of the person to whom a number belongs. Numbers of one person have the same seed
 * (docs/guides/sandbox.md, "One person, all numbers").
 */
export function personSeed(idType: IdType, number: string): string {
  const key = sharedKey(idType, number);
  return key === undefined ? `${idType}/${number}` : `BVN/2${key}`;
}

/** Returns the ten digits that the numbers of a person have in common, or undefined if the number has no others. */
export function sharedKey(idType: IdType, number: string): string | undefined {
  switch (idType) {
    case 'NIN':
      return /^9\d{10}$/.test(number) ? number.slice(1) : undefined;
    case 'BVN':
      return number.slice(1);
    case 'CAC':
      return /^[A-Z]+\d{8}$/.test(number) ? `00${number.slice(-8)}` : undefined;
    case 'TIN':
      return sharedKey('NIN', number) ?? (/^00\d{8}$/.test(number) ? number : undefined);
    case 'NUBAN':
      return number.startsWith('00') ? number : undefined;
  }
}
