import { fold } from './fold.ts';

/** Words that do not distinguish companies, and the short form of words that are often shortened. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ limited: '', ltd: '', plc: '', llp: '', lp: '', gte: '', the: '', and: '' },
  ...{ company: 'co', nigeria: 'nig', enterprises: 'ent', enterprise: 'ent' },
};

/**
 * Whether two names of companies are equal, apart from the legal form, abbreviations and what `fold` ignores. Stricter
 * than the comparison of people's names: a typing mistake may name a different company.
 */
export function isSameCompanyName(one: string, other: string): boolean {
  const [first, second] = [essentialsOf(one), essentialsOf(other)];
  return first !== '' && first === second;
}

/** Returns the words that distinguish a company. Unlike the names of people, these may contain digits. */
function essentialsOf(name: string): string {
  const words = name.split(/(\d+)/).flatMap((part) => (/^\d/.test(part) ? [part] : fold(part).split(' ')));
  return words
    .map((word) => WORDS[word] ?? word)
    .filter((word) => word !== '')
    .join(' ');
}
