import type { WordPair } from './assign-tokens.ts';
import { givenNameOf } from './name-tables.ts';
import type { NameWord } from './name-tokens.ts';

interface Assignment {
  readonly pairs: readonly WordPair[];
  readonly claimed: readonly NameWord[];
  readonly registered: readonly NameWord[];
}

/**
 * Whether the first names speak against a match. `sure`: the claimed first name has no counterpart in the record, as if
 * a child claimed the record of a parent after whom it is named. `support`: the record's first name is not claimed, and
 * the claimed one is probably that of the father or husband.
 */
export function firstNameDoubt({ pairs, claimed, registered }: Assignment): 'none' | 'support' | 'sure' {
  const partnerOf = new Map(pairs.map((pair) => [pair.claimed, pair.registered]));
  const ours = claimedFirstName(claimed, registered, partnerOf);
  if (!ours) return 'none';
  const used = partnerOf.get(ours);
  if (!used) return 'sure';
  const theirs = registered.find(({ fields, isOptional }) => fields.includes('firstname') && !isOptional);
  const isClaimed = pairs.some((pair) => pair.registered === theirs);
  return theirs && !isClaimed && isNamedAfter(theirs, used) ? 'support' : 'none';
}

/** Returns the claimed first name, even if the surname is claimed first. */
function claimedFirstName(
  claimed: readonly NameWord[],
  registered: readonly NameWord[],
  partnerOf: ReadonlyMap<NameWord, NameWord>,
): NameWord | undefined {
  const names = claimed.filter(({ isOptional }) => !isOptional);
  const [first] = names;
  if (!first?.fields.includes('firstname')) return undefined;
  const isSurname = registered.length > 1 && partnerOf.get(first) === registered.at(-1);
  if (!isSurname) return first;
  const isInOneField = new Set(names.flatMap(({ fields }) => fields)).size === 1;
  return isInOneField ? names[1] : names.find(({ fields }) => fields.includes('lastname'));
}

/** Whether a person with this first name probably has the other name from a father or husband. */
function isNamedAfter(first: NameWord, other: NameWord): boolean {
  const [own, given] = [givenNameOf(first.key), givenNameOf(other.key)];
  if (!own || !given || given.gender === 'female') return false;
  return (own.isMuslim && given.isMuslim) || (own.gender === 'female' && given.gender === 'male');
}
