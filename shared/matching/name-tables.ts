import elements from './data/elements.json' with { type: 'json' };
import givenNames from './data/given-names.json' with { type: 'json' };
import knownNames from './data/known-names.json' with { type: 'json' };
import shortForms from './data/short-forms.json' with { type: 'json' };
import spellings from './data/spellings.json' with { type: 'json' };
import { spellingKey } from './spelling.ts';

/** The reviewed tables of names, by spelling key. */
interface NameTables {
  /** The names of each group of spellings, and their keys. */
  readonly groups: readonly (readonly string[])[];
  readonly groupKeys: readonly ReadonlySet<string>[];
  /** The indexes of the groups that contain each name. */
  readonly groupsOf: ReadonlyMap<string, readonly number[]>;
  /** The full names of each short form that stands for one name, and of those that people of several names use. */
  readonly usualForms: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sharedForms: ReadonlyMap<string, ReadonlySet<string>>;
  readonly known: ReadonlySet<string>;
  /** The heads of compound names, and the tails that follow them. */
  readonly tailsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The index of the line of heads with one meaning that contains each head. */
  readonly equalHeads: ReadonlyMap<string, number>;
  readonly clippedHeads: ReadonlySet<string>;
  /** Spelling keys of the endings that are left out in daily use. */
  readonly leftOutEnds: readonly string[];
}

const wordsOf = (lines: string | readonly string[]) => [lines].flat().flatMap((line) => line.split(' '));
const keysOf = (lines: string | readonly string[]) => wordsOf(lines).map(spellingKey);

let tables: NameTables | undefined;

/** Returns the tables. Builds them on the first call, so that requests without a match do not spend time on this. */
export function nameTables(): NameTables {
  tables ??= buildTables();
  return tables;
}

function buildTables(): NameTables {
  const groups = spellings.groups.map(wordsOf);
  const groupKeys = groups.map((names) => new Set(names.map(spellingKey)));
  const groupsOf = new Map<string, number[]>();
  for (const [index, keys] of groupKeys.entries())
    for (const key of keys) {
      const numbers = groupsOf.get(key);
      if (numbers) numbers.push(index);
      else groupsOf.set(key, [index]);
    }
  const [usualForms, sharedForms] = [formsOf(shortForms.usual), formsOf(shortForms.shared)];
  const known = new Set(keysOf(knownNames.names));
  for (const key of groupsOf.keys()) known.add(key);
  for (const forms of [usualForms, sharedForms])
    for (const [short, long] of forms) for (const key of [short, ...long]) known.add(key);
  for (const { male, female } of [givenNames.muslim, givenNames.others])
    for (const key of keysOf([...male, ...female])) known.add(key);
  return {
    ...{ groups, groupKeys, groupsOf, usualForms, sharedForms, known },
    tailsOf: tailsOfHeads(),
    equalHeads: new Map(
      elements.equalHeads.flatMap((line, index) => wordsOf(line).map((head) => [head, index])),
    ),
    clippedHeads: new Set(wordsOf(elements.clippedHeads)),
    leftOutEnds: keysOf(elements.leftOutEnds),
  };
}

function formsOf(lines: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const forms = new Map<string, Set<string>>();
  for (const [short, long] of Object.entries(lines)) {
    const key = spellingKey(short);
    forms.set(key, new Set([...(forms.get(key) ?? []), ...keysOf(long)]));
  }
  return forms;
}

function tailsOfHeads(): Map<string, ReadonlySet<string>> {
  const tailsOf = new Map<string, ReadonlySet<string>>();
  for (const family of elements.families) {
    const tails = keysOf(family.tails);
    for (const head of wordsOf(family.heads))
      tailsOf.set(head, new Set([...tails, ...(tailsOf.get(head) ?? [])]));
  }
  return tailsOf;
}

interface GivenName {
  readonly gender: 'male' | 'female' | 'both';
  readonly isMuslim: boolean;
}

let given: Map<string, GivenName> | undefined;

/** Returns the given names that are usual for a gender, by spelling key. */
export function givenNameOf(key: string): GivenName | undefined {
  given ??= buildGivenNames();
  return given.get(key);
}

function buildGivenNames(): Map<string, GivenName> {
  const { groupKeys, groupsOf } = nameTables();
  const names = new Map<string, GivenName>();
  for (const [list, isMuslim] of [
    [givenNames.muslim, true],
    [givenNames.others, false],
  ] as const)
    for (const gender of ['male', 'female'] as const)
      for (const key of keysOf(list[gender]))
        for (const spelling of [
          key,
          ...(groupsOf.get(key) ?? []).flatMap((group) => [...(groupKeys[group] ?? [])]),
        ]) {
          const other = names.get(spelling);
          names.set(spelling, {
            gender: other && other.gender !== gender ? 'both' : gender,
            isMuslim: isMuslim || (other?.isMuslim ?? false),
          });
        }
  return names;
}
