import {
  ARABIC_HEADS,
  ARABIC_TAILS,
  CLIPPED_HEADS,
  EQUAL_HEADS,
  IGBO_HEADS,
  IGBO_TAILS,
  LEFT_OUT_ENDS,
  OTHER_HEADS,
  OTHER_TAILS,
  YORUBA_HEADS,
  YORUBA_TAILS,
} from './names/elements.ts';
import { KNOWN_NAMES } from './names/known-names.ts';
import { SHORT_FORMS } from './names/short-forms.ts';
import { VARIANTS } from './names/variants.ts';
import { spellingKey } from './spelling.ts';

/** The reviewed tables of names, by spelling key. */
interface NameTables {
  /** The names of each group of spellings. */
  readonly groups: readonly (readonly string[])[];
  /** The indexes of the groups that contain each name. */
  readonly groupsOf: ReadonlyMap<string, readonly number[]>;
  /** The full names of each short form. */
  readonly longForms: ReadonlyMap<string, ReadonlySet<string>>;
  readonly known: ReadonlySet<string>;
  /** The heads of compound names, and the tails that follow them. */
  readonly tailsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The index of the line in `EQUAL_HEADS` that contains each head. */
  readonly equalHeads: ReadonlyMap<string, number>;
  readonly clippedHeads: ReadonlySet<string>;
  /** Spelling keys of the endings that are left out in daily use. */
  readonly leftOutEnds: readonly string[];
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const linesOf = (text: string) => text.trim().split('\n');

let tables: NameTables | undefined;

/** Returns the tables. Builds them on the first call, so that requests without a match do not spend time on this. */
export function nameTables(): NameTables {
  tables ??= buildTables();
  return tables;
}

function buildTables(): NameTables {
  const groups = linesOf(VARIANTS).map(wordsOf);
  const groupsOf = new Map<string, number[]>();
  for (const [index, names] of groups.entries())
    for (const key of new Set(names.map(spellingKey)))
      groupsOf.set(key, [...(groupsOf.get(key) ?? []), index]);
  const longForms = new Map<string, Set<string>>();
  for (const line of linesOf(SHORT_FORMS)) {
    const [short = '', long = ''] = line.split(':');
    const key = spellingKey(short);
    longForms.set(key, new Set([...(longForms.get(key) ?? []), ...wordsOf(long).map(spellingKey)]));
  }
  const known = new Set(wordsOf(KNOWN_NAMES).map(spellingKey));
  for (const key of groupsOf.keys()) known.add(key);
  for (const [short, long] of longForms) for (const key of [short, ...long]) known.add(key);
  return {
    ...{ groups, groupsOf, longForms, known },
    tailsOf: tailsOfHeads(),
    equalHeads: equalHeadsOf(),
    clippedHeads: new Set(wordsOf(CLIPPED_HEADS)),
    leftOutEnds: wordsOf(LEFT_OUT_ENDS).map(spellingKey),
  };
}

function equalHeadsOf(): Map<string, number> {
  return new Map(linesOf(EQUAL_HEADS).flatMap((line, index) => wordsOf(line).map((head) => [head, index])));
}

function tailsOfHeads(): Map<string, ReadonlySet<string>> {
  const families: readonly (readonly [readonly string[], string])[] = [
    [wordsOf(YORUBA_HEADS), YORUBA_TAILS],
    [wordsOf(IGBO_HEADS), IGBO_TAILS],
    [wordsOf(ARABIC_HEADS), ARABIC_TAILS],
    [wordsOf(OTHER_HEADS), OTHER_TAILS],
  ];
  const tailsOf = new Map<string, Set<string>>();
  for (const [heads, tails] of families) {
    const keys = wordsOf(tails).map(spellingKey);
    for (const head of heads) tailsOf.set(head, new Set([...(tailsOf.get(head) ?? []), ...keys]));
  }
  return tailsOf;
}
