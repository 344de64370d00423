import { CULTURES, type Culture, NAMES } from './names.ts';
import type { Random } from './random.ts';
import { STREETS, TOWNS, type Town } from './towns.ts';

/** An invented person, with what every registry needs. */
export interface Person {
  readonly culture: Culture;
  readonly gender: 'm' | 'f';
  readonly firstname: string;
  readonly middlename: string;
  readonly surname: string;
  readonly birth: { readonly day: number; readonly month: number; readonly year: number };
  readonly phone: string;
  readonly email: string;
  readonly street: string;
  readonly home: Town;
  readonly origin: Town;
}

const PREFIXES = ['0803', '0805', '0806', '0807', '0810', '0813', '0816', '0903', '0905', '0701'];

/** Invents a person of one culture who may live in a town of another. */
export function inventPerson(random: Random): Person {
  const culture = random.pick(CULTURES);
  const gender = random.pick(['m', 'f'] as const);
  const names = NAMES[culture];
  const firstname = random.pick(names[gender]);
  const others = names[gender].filter((name) => name !== firstname);
  const person = {
    culture,
    gender,
    firstname,
    middlename: random.below(5) === 0 ? '' : random.pick(others),
    surname: random.pick(names.family),
    birth: { day: 1 + random.below(28), month: 1 + random.below(12), year: 1950 + random.below(57) },
    phone: `${random.pick(PREFIXES)}${random.digits(7)}`,
    street: `${1 + random.below(180)} ${random.pick(STREETS)}`,
    home: random.pick(TOWNS[random.pick(CULTURES)]),
    origin: random.pick(TOWNS[culture]),
  };
  return { ...person, email: random.below(4) === 0 ? '' : emailOf(person.firstname, person.surname, random) };
}

/** example.com is reserved for documentation, so mail to these addresses reaches no one. */
function emailOf(firstname: string, surname: string, random: Random): string {
  return `${asciiWord(firstname)}.${asciiWord(surname)}${random.digits(2)}@example.com`;
}

const HOOKED: Readonly<Record<string, string>> = { ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y' };

function asciiWord(name: string): string {
  return name
    .toLowerCase()
    .replace(/[ɓɗƙƴ]/g, (letter) => HOOKED[letter] ?? '')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
