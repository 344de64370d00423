import { dayPlus, lagosDayStartMs } from '../../core/accounting-month.ts';
import { ulidRange } from '../../core/ids.ts';
import type { MemberNames } from '../../members/member-names.ts';
import type { AuditTable } from '../audit-table.ts';
import { changeView } from './change-views.ts';
import type { ChangesView, ChangeView } from './views.ts';

export interface ChangesFilter {
  /** Words that are all in the action, the target, the values or the author's name, ignoring case and tone marks. */
  readonly search: string;
  /** Days in Africa/Lagos, both inclusive, or empty. */
  readonly from: string;
  readonly to: string;
}

export interface ChangesPage {
  /** The page begins after this entry. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** For one page. */
const MOST_READ = 500;
/** Of a ULID. */
const END_MS = 2 ** 48 - 1;

/** Newest first, from one read: a page may be empty even if more follow. */
export async function listChanges(
  organisationId: string,
  filter: ChangesFilter,
  { cursor, limit }: ChangesPage,
  names: MemberNames,
  table: Pick<AuditTable, 'readEntries'>,
): Promise<ChangesView> {
  const range = rangeOf(filter);
  const last = cursor !== undefined && cursor < range.last ? cursor : range.last;
  if (last < range.first) return { changes: [], next_cursor: null };
  const words = searchedWords(filter.search);
  const most = words.length === 0 ? limit : MOST_READ;
  // One more than the page, plus the cursor's entry.
  const { entries, isLast } = await table.readEntries(organisationId, { ...range, last }, most + 2);
  const unseen = entries.filter(({ id }) => id !== cursor);
  const read = unseen.slice(0, most).map((entry) => changeView(entry, names));
  const found = read.filter((change) => contains(change, words));
  const changes = found.slice(0, limit);
  const isComplete = isLast && unseen.length <= most;
  const next = found.length > limit ? changes.at(-1) : isComplete ? undefined : read.at(-1);
  return { changes, next_cursor: next?.id ?? null };
}

function rangeOf({ from, to }: ChangesFilter) {
  const fromMs = from === '' ? 0 : lagosDayStartMs(from);
  const toMs = to === '' ? END_MS : lagosDayStartMs(dayPlus(to, 1)) - 1;
  return ulidRange(fromMs, toMs);
}

const ARTICLES = ['a', 'an', 'the'];

/** "Webhooks" also finds "webhook". Of an address, entries have only the host. */
const searchedWords = (search: string): string[] =>
  folded(search)
    .split(/\s+/)
    .filter((word) => word !== '' && !ARTICLES.includes(word))
    .map((word) => word.replace(/^https?:\/\/([^/?#]+).*$/, '$1').replace(/(?<=..)s$/, ''));

function contains(change: ChangeView, words: readonly string[]): boolean {
  const { action, action_text, target, by, before, after } = change;
  const text = folded([action, action_text, target, by.name, JSON.stringify([before, after])].join(' '));
  return words.every((word) => text.includes(word));
}

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
