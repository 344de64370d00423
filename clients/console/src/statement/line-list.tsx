import { useSignal } from '@preact/signals';
import type { StatementLineView, StatementView } from '../../../../shared/ledger/console/views.ts';
import { get, type Problem } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { monthName } from '../months.ts';
import { formatNaira } from '../naira.ts';
import { pageIn } from '../page-address.ts';
import { may } from '../session.ts';
import { type Selection, statementPath } from './selection.ts';

const KINDS = {
  CHARGE: 'Charge',
  TOP_UP: 'Top-up',
  CORRECTION: 'Correction',
} satisfies Record<StatementLineView['kind'], string>;

interface LineListProps {
  readonly first: StatementView;
  readonly selection: Selection;
  /** The ID of the line that the page was opened for. */
  readonly marked: string | undefined;
}

export function LineList({ first, selection, marked }: LineListProps) {
  const last = useSignal(first);
  const lines = useSignal(first.lines);
  const isLoading = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const { next_cursor, closing_balance } = last.value;
  const load = async () => {
    isLoading.value = true;
    const result = await get<StatementView>(statementPath(selection, next_cursor));
    isLoading.value = false;
    problem.value = result.ok ? undefined : result.problem;
    if (!result.ok) return;
    last.value = result.data;
    lines.value = [...lines.value, ...result.data.lines];
  };
  const count = lines.value.length;
  return (
    <>
      <dl class="figures">
        <Figure name="Balance before" credits={first.opening_balance} />
        {next_cursor === null && <Figure name="Balance after" credits={closing_balance} />}
      </dl>
      {count > 0 && selection.env === 'live' && (
        <p class="hint before-fields">
          The naira of each charge are an estimate: its share of the top-up that it used.
        </p>
      )}
      {count > 0 ? (
        <DataTable
          caption={`Statement of ${monthName(selection.month)}`}
          columns={columnsIn(selection)}
          rows={lines.value}
          keyOf={({ id, kind }) => `${kind} ${id}`}
          isMarked={({ id }) => id === marked}
        />
      ) : (
        <EmptyState title="Nothing was added or used in this month." />
      )}
      <ProblemNotice problem={problem.value} onRetry={load} />
      {count > 0 && (
        <div class="list-end">
          <span role="status">
            {formatNumber(count)} {count === 1 ? 'line is' : 'lines are'} shown.{' '}
            {next_cursor === null && 'There are no more lines.'}
          </span>
          {next_cursor !== null && (
            <Button isBusy={isLoading.value} onClick={load}>
              Load more
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function Figure({ name, credits }: { readonly name: string; readonly credits: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{formatNumber(credits)}</dd>
    </div>
  );
}

const columnsIn = ({ env }: Selection): readonly Column<StatementLineView>[] => [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'What', cell: (line) => <What line={line} env={env} /> },
  { head: 'Credits', kind: 'number', cell: ({ amount }) => signed(amount) },
  ...(env === 'live' ? NAIRA : []),
  {
    head: 'Balance',
    kind: 'number',
    cell: ({ balance_after }) => formatNumber(balance_after),
  },
];

const NAIRA: readonly Column<StatementLineView>[] = [
  {
    head: 'Without VAT',
    kind: 'number',
    cell: ({ net_kobo }) => (net_kobo === null ? '–' : formatNaira(net_kobo)),
  },
  {
    head: 'With VAT',
    kind: 'number',
    cell: ({ net_kobo, vat_kobo }) => (net_kobo === null ? '–' : formatNaira(net_kobo + (vat_kobo ?? 0))),
  },
];

const signed = (amount: number) => `${amount > 0 ? '+' : ''}${formatNumber(amount)}`;

interface WhatProps {
  readonly line: StatementLineView;
  readonly env: Selection['env'];
}

/** The subject of the line. A charge links to its request if the member may see it. */
function What({ line: { kind, id, service, key_label, request_id, reason }, env }: WhatProps) {
  if (kind !== 'CHARGE')
    return (
      <>
        {KINDS[kind]}
        {reason && `: ${reason}`}
        <span class="small block">{id}</span>
      </>
    );
  const about = `${service ?? KINDS.CHARGE}${key_label ? `, key ${key_label}` : ''}`;
  return (
    <>
      {about}
      {request_id && (
        <span class="small block">
          Request{' '}
          {may('list-requests') ? (
            <a href={pageIn(env, '/requests', { id: request_id })}>{request_id}</a>
          ) : (
            request_id
          )}
        </span>
      )}
    </>
  );
}
