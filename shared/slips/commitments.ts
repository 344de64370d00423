import { createHmac, timingSafeEqual } from 'node:crypto';
import { foldBirthDate, foldGivenNames, foldText, type SlipDetails } from './canonical-details.ts';

/**
 * Keyed commitments to the details on a slip. Without the key, nobody can test guesses offline. Each commitment
 * includes the start of its token, so that two slips for one person have different commitments.
 */

/**
 * In bytes. Short enough for the QR code, and long enough: each token permits few guesses on the page, and a wrong
 * guess matches by chance at most once in 2^57, because given names are compared in up to 120 orders.
 */
const COMMITMENT_LENGTH = 8;
export const COMMITMENTS_LENGTH = 2 * COMMITMENT_LENGTH;

/** The details that an officer typed. Given names and date of birth are both present or both absent. */
export type TypedDetails = Pick<SlipDetails, 'nin' | 'surname'> & {
  readonly person?: Pick<SlipDetails, 'givenNames' | 'birthDate'> | undefined;
};

export interface DetailsComparison {
  readonly numberAndSurname: boolean;
  readonly givenNamesAndBirthDate?: boolean;
}

function keyed(purpose: string, key: string, parts: readonly (string | Buffer)[]): Buffer {
  const derived = createHmac('sha256', key).update('slip-commitment.v2').digest();
  const hash = createHmac('sha256', derived).update(purpose);
  // The separator is unambiguous: no folded text contains it, and the start of a token has a fixed length.
  for (const part of parts) hash.update('\0').update(part);
  return hash.digest();
}

function numberAndSurname(
  start: Buffer,
  { nin, surname }: Pick<SlipDetails, 'nin' | 'surname'>,
  key: string,
) {
  return keyed('surname', key, [start, foldText(nin), foldText(surname)]).subarray(0, COMMITMENT_LENGTH);
}

function givenNamesAndBirthDate(start: Buffer, nin: string, names: string, birthDate: string, key: string) {
  const parts = [start, foldText(nin), names, foldBirthDate(birthDate)];
  return keyed('given-names', key, parts).subarray(0, COMMITMENT_LENGTH);
}

/** Returns both commitments to the details of a slip. `start` is the beginning of its token. */
export function commitTo(details: SlipDetails, start: Buffer, key: string): Buffer {
  const [names = ''] = foldGivenNames(details.givenNames);
  return Buffer.concat([
    numberAndSurname(start, details, key),
    givenNamesAndBirthDate(start, details.nin, names, details.birthDate, key),
  ]);
}

/** Compares the details that an officer typed with the commitments in a token. */
export function compareDetails(
  typed: TypedDetails,
  start: Buffer,
  commitments: Buffer,
  key: string,
): DetailsComparison {
  const [first, second] = [
    commitments.subarray(0, COMMITMENT_LENGTH),
    commitments.subarray(COMMITMENT_LENGTH, COMMITMENTS_LENGTH),
  ];
  const { nin, person } = typed;
  const surname = timingSafeEqual(first, numberAndSurname(start, typed, key));
  if (person === undefined) return { numberAndSurname: surname };
  const isEqual = (names: string) =>
    timingSafeEqual(second, givenNamesAndBirthDate(start, nin, names, person.birthDate, key));
  return {
    numberAndSurname: surname,
    givenNamesAndBirthDate: foldGivenNames(person.givenNames).some(isEqual),
  };
}

/** Returns the name of the row that counts a token's attempts. It reveals nothing about the token or its request. */
export function nameOfAttempts(start: Buffer, key: string): string {
  return keyed('attempts', key, [start]).subarray(0, 16).toString('base64url');
}
