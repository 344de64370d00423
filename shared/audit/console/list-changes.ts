import { dayPlus, lagosDayStartMs } from '../../core/accounting-month.ts';
import { ulidRange } from '../../core/ids.ts';
import type { MemberNames } from '../../members/member-names.ts';
import type { AuditTable } from '../audit-table.ts';
import { changeView } from './change-views.ts';
import type { ChangesView, ChangeView } from './views.ts';

export interface ChangesFilter {
  /** Text that the action, the target or the name of the author must contain, ignoring case. Empty: everything. */
  readonly search: string;
  /** Days (`yyyy-mm-dd`, Africa/Lagos), both included. Empty: no limit. */
  readonly from: string;
  readonly to: string;
}

export interface ChangesPage {
  /** The ID of the entry after which the page begins. Undefined for the first page. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** The maximum number of entries that are searched for one page. */
const MOST_READ = 500;
/** The last millisecond that a ULID can hold. */
const END_MS = 2 ** 48 - 1;

/**
 * Returns a page of the changes of an organisation, newest first, from one read of the table. A page of a search may
 * contain few entries or none even if more pages follow.
 */
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
  const search = filter.search.trim().toLowerCase();
  const most = search === '' ? limit : MOST_READ;
  // One more than the page, plus the entry of the cursor, which is in the range.
  const { entries, isLast } = await table.readEntries(organisationId, { ...range, last }, most + 2);
  const unseen = entries.filter(({ id }) => id !== cursor);
  const read = unseen.slice(0, most).map((entry) => changeView(entry, names));
  const found = read.filter((change) => contains(change, search));
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

function contains({ action, target, by }: ChangeView, search: string): boolean {
  return [action, target, by.name].some((text) => text.toLowerCase().includes(search));
}
