import { useSignal } from '@preact/signals';
import type { InvoicesView, InvoiceView, WalletView } from '../../../../shared/payments/console/views.ts';
import { get, type Problem } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { Time } from '../components/time.tsx';
import { TOP_UPS } from '../documentation.ts';
import { monthName } from '../months.ts';
import { formatNaira } from '../naira.ts';
import { documentationUrl } from '../session.ts';
import { InvoiceLink } from './invoice-link.tsx';

const KINDS = {
  invoice: 'Invoice',
  receipt: 'Receipt',
  'credit-note': 'Credit note',
  statement: 'Statement',
} satisfies Record<InvoiceView['kind'], string>;

/** How many documents are shown at first. On a phone, more would hide the content below them. */
const FIRST_COUNT = 4;
const PAGE_LIMIT = 50;

export function Documents({ wallet: { env, invoices } }: { readonly wallet: WalletView }) {
  const more = useSignal<InvoicesView | undefined>(undefined);
  const isLoading = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const shown = more.value?.invoices ?? invoices.slice(0, FIRST_COUNT);
  const hasMore = more.value ? more.value.next_cursor !== null : invoices.length > FIRST_COUNT;
  const load = async () => {
    isLoading.value = true;
    // The wallet's response has no cursor, so the first load starts again and replaces the shown documents.
    const cursor = more.value?.next_cursor;
    const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const result = await get<InvoicesView>(`/invoices?env=${env}&limit=${PAGE_LIMIT}${after}`);
    isLoading.value = false;
    problem.value = result.ok ? undefined : result.problem;
    if (!result.ok) return;
    const { invoices: next, next_cursor } = result.data;
    more.value = { invoices: [...(more.value?.invoices ?? []), ...next], next_cursor };
  };
  return (
    <section aria-labelledby="documents">
      <h2 id="documents">Invoices and receipts</h2>
      {shown.length > 0 ? (
        <DataTable
          caption="Invoices and receipts"
          columns={columnsIn(env)}
          rows={shown}
          keyOf={({ number }) => number}
        />
      ) : (
        <EmptyState title="No documents yet">
          <p>
            The invoice and receipt of each top-up appear here.{' '}
            <a href={documentationUrl(TOP_UPS)}>How to top up</a>
          </p>
        </EmptyState>
      )}
      <ProblemNotice problem={problem.value} onRetry={load} />
      {hasMore && (
        <div class="buttons">
          <Button isBusy={isLoading.value} onClick={load}>
            Load older
          </Button>
        </div>
      )}
    </section>
  );
}

const columnsIn = (env: WalletView['env']): readonly Column<InvoiceView>[] => [
  {
    head: 'Number',
    cell: ({ number, kind, month }) => (
      <>
        {number}
        <span class="small block">
          {KINDS[kind]} {kind === 'statement' && monthName(month)}
        </span>
      </>
    ),
  },
  { head: 'Issued', cell: ({ issued_at }) => <Time at={issued_at} as="day" /> },
  {
    head: 'Total',
    kind: 'number',
    // A statement summarises other documents, so its total would be counted twice.
    cell: ({ kind, total_kobo, vat_kobo }) =>
      kind === 'statement' ? (
        '–'
      ) : (
        <>
          {formatNaira(total_kobo)}
          <span class="small block">including {formatNaira(vat_kobo)} of VAT</span>
        </>
      ),
  },
  {
    head: 'Actions',
    kind: 'actions',
    cell: ({ number, kind }) => (
      <InvoiceLink env={env} number={number}>
        PDF
        <span class="hidden">
          {' '}
          {KINDS[kind]} {number}
        </span>
      </InvoiceLink>
    ),
  },
];
