import { CULTURES, type Culture, NAMES, type NameList } from './names.ts';
import type { Random } from './random.ts';
import { STREETS, TOWNS, type Town } from './towns.ts';
import type { Variant } from './variants.ts';

/**
 * An invented person, as in a registry: the names are in capitals and, except in the variant with tone marks, in ASCII.
 */
export interface Person extends Names {
  readonly culture: Culture;
  readonly gender: 'm' | 'f';
  readonly isMarried: boolean;
  readonly birth: { readonly day: number; readonly month: number; readonly year: number };
  readonly phone: string;
  readonly email: string;
  readonly street: string;
  readonly home: Town;
  readonly origin: Town;
}

interface Names {
  readonly firstname: string;
  readonly middlename: string;
  readonly surname: string;
}

export const PREFIXES = ['0803', '0805', '0806', '0807', '0810', '0813', '0816', '0903', '0905', '0701'];

/** Invents a person of one culture, who may live in a town of another. docs/guides/sandbox.md describes the variants. */
export function inventPerson(random: Random, variant: Variant = 'none'): Person {
  const culture = random.pick(CULTURES);
  const gender = variant === 'married-name' ? 'f' : random.pick(['m', 'f'] as const);
  const names = inventNames(random, NAMES[culture], gender, variant);
  return {
    culture,
    gender,
    ...recorded(names, random.pick(NAMES[culture].family.filter((name) => name !== names.surname)), variant),
    isMarried: random.below(2) === 0 || variant === 'married-name',
    birth: inventBirth(random, variant),
    phone: `${random.pick(PREFIXES)}${random.digits(7)}`,
    email: random.below(4) === 0 ? '' : emailOf(names, random),
    street: `${1 + random.below(180)} ${random.pick(STREETS)}`,
    home: random.pick(TOWNS[random.pick(CULTURES)]),
    origin: random.pick(TOWNS[culture]),
  };
}

/** Invents names in the spelling of their language. */
function inventNames(random: Random, lists: NameList, gender: 'm' | 'f', variant: Variant): Names {
  const usable = (names: readonly string[]) =>
    variant === 'tone-marks' ? names.filter((name) => name !== withoutMarks(name)) : names;
  const firstname = random.pick(usable(lists[gender]));
  const others = usable(lists[gender]).filter((name) => name !== firstname);
  const hasMiddlename = random.below(5) > 0 || variant === 'initials';
  return {
    firstname,
    middlename: hasMiddlename ? random.pick(others) : '',
    surname: random.pick(usable(lists.family)),
  };
}

function recorded(names: Names, husbandsName: string, variant: Variant): Names {
  const spelled = (name: string) => (variant === 'tone-marks' ? name : withoutMarks(name)).toUpperCase();
  const firstname = spelled(names.firstname);
  const middlename = spelled(names.middlename);
  const surname = spelled(names.surname);
  switch (variant) {
    case 'swapped-names':
      return { firstname: surname, middlename, surname: firstname };
    case 'married-name':
      return { firstname, middlename: surname, surname: spelled(husbandsName) };
    case 'initials':
      return { firstname: firstname.charAt(0), middlename: middlename.charAt(0), surname };
    default:
      return { firstname, middlename, surname };
  }
}

/** Invents a date whose day exists in every month. */
function inventBirth(random: Random, variant: Variant): Person['birth'] {
  const month = 1 + random.below(12);
  const year = 1950 + random.below(57);
  if (variant !== 'swapped-birth-date') return { day: 1 + random.below(28), month, year };
  return { day: 1 + ((month + random.below(11)) % 12), month, year };
}

/** example.com is reserved for documentation, so mail to these addresses reaches no one. */
function emailOf({ firstname, surname }: Names, random: Random): string {
  const word = (name: string) => withoutMarks(name).toLowerCase();
  return `${word(firstname)}.${word(surname)}${random.digits(2)}@example.com`;
}

const HOOKED: Readonly<Record<string, string>> = {
  Ɓ: 'B',
  ɓ: 'b',
  Ɗ: 'D',
  ɗ: 'd',
  Ƙ: 'K',
  ƙ: 'k',
  Ƴ: 'Y',
  ƴ: 'y',
};

/** Returns a name in the letters A to Z, as registries write it and people type it. */
function withoutMarks(name: string): string {
  return name
    .replace(/[ƁɓƊɗƘƙƳƴ]/g, (letter) => HOOKED[letter] ?? '')
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '');
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
