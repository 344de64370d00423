import { isDeepStrictEqual } from 'node:util';
import { decodeTime } from 'ulid';
import { DAY_MS, HOUR_MS } from '../core/clock.ts';
import type { Row } from '../core/database.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type ArchivedRow, archivedForm, monthOf, type TrailArchive, trailKeyOf } from './archive.ts';
import type { AuditRowsTable } from './audit-rows-table.ts';

interface TrailProblem {
  readonly kind: 'trail-removed' | 'trail-changed' | 'trail-not-copied' | 'trail-event';
  /** Undefined for the whole stage. */
  readonly organisationId: string | undefined;
  /** The ID of the row. */
  readonly id: string;
  /** When the row was written, or changed (`trail-event`). */
  readonly atMs: number;
  readonly expected: string;
  readonly found: string;
}

export interface TrailScope {
  /** In addition to those in the archive. */
  readonly organisations: readonly string[];
  /** Compares only the rows of `organisations`, without those of the stage. @default false */
  readonly isOnlyThese?: boolean;
  /** The months to compare, such as `2026-11`. @default all */
  readonly months?: readonly string[];
  /** The first day (`yyyy-mm-dd`) whose changes to rows are reported. @default all that the archive keeps */
  readonly changesSince?: string;
}

export interface TrailSource {
  readonly table: Pick<AuditRowsTable, 'partitionPages'>;
  readonly archive: Pick<TrailArchive, 'listRows' | 'listOrganisations' | 'listChanges' | 'readRow'>;
}

/** Younger rows may not be copied yet. An alarm fires if copies take longer. */
const COPIED_WITHIN_MS = HOUR_MS;
const PARALLEL = 8;
/** Of an organisation's month each day, the others in turn: many rows must not keep the comparison from ending. */
const MOST_COPIES_READ = 5_000;

/** In both directions, with the changes that the archive has recorded. Writes nothing. */
export async function compareTrail(
  { table, archive }: TrailSource,
  scope: TrailScope,
  nowMs: number,
): Promise<TrailProblem[]> {
  const known = scope.isOnlyThese ? [] : [undefined, ...(await archive.listOrganisations())];
  const partitions = new Set([...known, ...scope.organisations]);
  const changes = await archive.listChanges(scope.changesSince);
  const problems = changes.flatMap(({ event, pk, sk, at }): TrailProblem[] => {
    const { organisationId, id } = trailKeyOf({ pk, sk }) ?? { organisationId: undefined, id: sk };
    if (scope.isOnlyThese && (organisationId === undefined || !partitions.has(organisationId))) return [];
    const found = `${EVENTS[event] ?? 'changed'} at ${at}`;
    return [{ kind: 'trail-event', organisationId, id, atMs: Date.parse(at), expected: 'unchanged', found }];
  });
  await inParallel([...partitions], PARALLEL, async (organisationId) => {
    for (const month of scope.months ?? [undefined])
      problems.push(...(await comparePartition({ table, archive }, organisationId, month, nowMs)));
  });
  return problems;
}

const EVENTS: Readonly<Record<string, string>> = {
  INSERT: 'written again with other content',
  MODIFY: 'changed',
  REMOVE: 'deleted',
};

async function comparePartition(
  { table, archive }: TrailSource,
  organisationId: string | undefined,
  month: string | undefined,
  nowMs: number,
): Promise<TrailProblem[]> {
  // A row is written before its copy.
  const copies = await archive.listRows(organisationId, month);
  const turns = month === undefined ? 1 : Math.ceil(copies.size / MOST_COPIES_READ);
  const isInTurn = (atMs: number) => turns <= 1 || (atMs + Math.floor(nowMs / DAY_MS)) % turns === 0;
  const problems: TrailProblem[] = [];
  for await (const page of table.partitionPages(
    organisationId,
    month === undefined ? undefined : monthRange(month),
  ))
    await inParallel(page, PARALLEL, async (row) => {
      const key = trailKeyOf(row);
      if (!key) return;
      const copy = copies.get(key.id);
      copies.delete(key.id);
      if (copy && !isInTurn(decodeTime(key.id))) return;
      const problem = copy ? await compareRow(row, copy, archive) : missingCopy(nowMs, decodeTime(key.id));
      if (problem) problems.push({ ...problem, ...key, atMs: decodeTime(key.id) });
    });
  await inParallel([...copies.values()], PARALLEL, async (copy) => {
    const { action, actor } = Object(await archive.readRow(copy)) as Row;
    const { id } = copy;
    const expected = `${action} by ${actor}`;
    problems.push({
      kind: 'trail-removed',
      organisationId,
      id,
      atMs: decodeTime(id),
      expected,
      found: 'none',
    });
  });
  return problems;
}

type Finding = Pick<TrailProblem, 'kind' | 'expected' | 'found'>;

function missingCopy(nowMs: number, writtenAtMs: number): Finding | undefined {
  if (nowMs - writtenAtMs < COPIED_WITHIN_MS) return undefined;
  return { kind: 'trail-not-copied', expected: 'a copy in the archive', found: 'none' };
}

async function compareRow(
  row: Row,
  copy: ArchivedRow,
  archive: Pick<TrailArchive, 'readRow'>,
): Promise<Finding | undefined> {
  const [now, then] = [archivedForm(row), await archive.readRow(copy)].map((one) => Object(one) as Row);
  const names = [...new Set([...Object.keys(now ?? {}), ...Object.keys(then ?? {})])].sort();
  const changed = names.filter((name) => !isDeepStrictEqual(now?.[name], then?.[name]));
  if (changed.length > 0)
    return {
      kind: 'trail-changed',
      expected: 'as in the archive',
      found: `different: ${changed.join(', ')}`,
    };
  if (copy.versions === 1) return undefined;
  // A second version cannot hide a change, but someone has tried.
  return {
    kind: 'trail-changed',
    expected: 'one version in the archive',
    found: `${copy.versions} versions`,
  };
}

/**
 * The months of the last three days, and one earlier month in turn: so a run also finds changes that the stream has not
 * shown, and its cost does not grow.
 */
export function monthsOfDay(nowMs: number, firstMs: number): string[] {
  const months: string[] = [];
  for (let date = new Date(nowMs); monthOf(date.getTime()) >= monthOf(firstMs); date = previousMonth(date))
    months.push(monthOf(date.getTime()));
  const earlier = months[Math.floor(nowMs / DAY_MS) % months.length];
  const recent = [nowMs, nowMs - 2 * DAY_MS].map(monthOf);
  return [...new Set([...recent, ...(earlier ? [earlier] : [])])];
}

const previousMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1));

function monthRange(month: string) {
  const from = new Date(`${month}-01T00:00:00Z`);
  const next = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1);
  return { fromMs: from.getTime(), toMs: next - 1 };
}
