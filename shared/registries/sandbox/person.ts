import { CULTURES, type Culture, NAMES } from './names.ts';
import type { Random } from './pick.ts';
import { PLACES, type Place, STREETS } from './places.ts';

/** An invented person, whole enough for every registry. */
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
  readonly home: Place;
  readonly origin: Place;
}

const PREFIXES = ['0803', '0805', '0806', '0807', '0810', '0813', '0816', '0903', '0905', '0701'];

export function drawPerson(draws: Random): Person {
  const culture = draws.pick(CULTURES);
  const gender = draws.pick(['m', 'f'] as const);
  const names = NAMES[culture];
  const firstname = draws.pick(names[gender]);
  const others = names[gender].filter((name) => name !== firstname);
  const person = {
    culture,
    gender,
    firstname,
    middlename: draws.below(5) === 0 ? '' : draws.pick(others),
    surname: draws.pick(names.family),
    birth: { day: 1 + draws.below(28), month: 1 + draws.below(12), year: 1950 + draws.below(57) },
    phone: `${draws.pick(PREFIXES)}${draws.digits(7)}`,
    street: `${1 + draws.below(180)} ${draws.pick(STREETS)}`,
    home: draws.pick(PLACES[draws.pick(CULTURES)]),
    origin: draws.pick(PLACES[culture]),
  };
  return { ...person, email: draws.below(4) === 0 ? '' : emailOf(person.firstname, person.surname, draws) };
}

/** example.com is reserved for documentation: nobody gets mail by accident. */
function emailOf(firstname: string, surname: string, draws: Random): string {
  return `${asciiWord(firstname)}.${asciiWord(surname)}${draws.digits(2)}@example.com`;
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
