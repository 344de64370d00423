import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Claimed, MATCH_FIELDS, type Registered } from '../../../shared/matching/match.ts';

/**
 * The labelled pairs of claimed details and a record. test/fixtures/matching/README.md describes the format and the
 * labels.
 */

export const HALVES = ['develop', 'frozen'] as const;

export type Half = (typeof HALVES)[number];

export interface Pair {
  readonly id: string;
  readonly isSame: boolean;
  readonly reason: string;
  /** The kind of difficulty, or empty. */
  readonly kind: string;
  readonly claimed: Claimed;
  readonly registered: Registered;
}

const FOLDER = join(import.meta.dirname, '../../fixtures/matching');

export const PAIRS = join(FOLDER, 'pairs.csv');

/** Sets that were frozen before the algorithm saw them. */
export const FROZEN = ['frozen-1', 'frozen-2'].map((name) => join(FOLDER, `${name}.csv`));

const SEED = '20261125';

/** Returns the half that a pair is in. Pairs about the same two names have the same number, so they share a half. */
export function halfOf({ id }: Pick<Pair, 'id'>): Half {
  const [first = 0] = createHash('sha256')
    .update(`${SEED}:${Number.parseInt(id, 10)}`)
    .digest();
  return first % 2 === 1 ? 'frozen' : 'develop';
}

/** Reads a CSV file with a header, or JSON lines. Throws if a row has no label. */
export function readPairs(file: string): Pair[] {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const rows = text.trimStart().startsWith('{') ? jsonRows(text) : csvRows(text);
  return rows.map((row, index) => pairOf(row, index));
}

/** The parts of a set that are measured apart: pairs with a birth date on both sides, and the others. */
export const VIEWS = ['names alone', 'with birth date'] as const;

export type View = (typeof VIEWS)[number];

export function inView(pairs: readonly Pair[], view: View): Pair[] {
  const hasDates = ({ claimed, registered }: Pair) => Boolean(claimed.birthdate && registered.birthdate);
  return pairs.filter((pair) => hasDates(pair) === (view === 'with birth date'));
}

type Row = Readonly<Record<string, string>>;

const LABELS: Readonly<Record<string, boolean>> = {
  ...{ same: true, '1': true, true: true, yes: true },
  ...{ different: false, '0': false, false: false, no: false },
};

function pairOf(row: Row, index: number): Pair {
  const isSame = LABELS[(row['label'] ?? '').trim().toLowerCase()];
  if (isSame === undefined) throw new Error(`Row ${index + 1} of the pairs has no label: same or different.`);
  const side = (name: string) =>
    MATCH_FIELDS.map((field) => {
      const value = row[`${name}_${field}`] ?? '';
      const isWhole = field === 'firstname' && value === '';
      return [field, isWhole ? (row[`${name}_name`] ?? '') : value] as const;
    });
  return {
    id: row['id'] ?? String(index + 1),
    isSame,
    reason: row['reason'] ?? '',
    kind: row['kind'] ?? '',
    claimed: Object.fromEntries(side('claimed').filter(([, value]) => value !== '')),
    registered: Object.fromEntries(side('registered')) as unknown as Registered,
  };
}

function jsonRows(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const fields = Object.entries(JSON.parse(line) as Record<string, unknown>);
    return Object.fromEntries(fields.map(([key, value]) => [key, String(value ?? '')]));
  });
}

function csvRows(text: string): Row[] {
  const [header = [], ...rows] = cellsOf(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

/** Returns the cells of a CSV file (RFC 4180). */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
