import type { TopUpView } from '../../../../shared/payments/console/views.ts';
import { Badge } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { pageIn } from '../page-address.ts';

const STATES = {
  OPENED: 'Not paid yet',
  PAID: 'Paid, being credited',
  CREDITED: 'Credited',
  FAILED: 'Not successful',
  EXPIRED: 'Not paid in time',
  MISMATCH: 'Being checked',
  REFUNDED: 'Refunded',
} satisfies Record<TopUpView['state'], string>;

const STATE_BADGES = {
  OPENED: 'plain',
  PAID: 'warning',
  CREDITED: 'good',
  FAILED: 'bad',
  EXPIRED: 'plain',
  MISMATCH: 'warning',
  REFUNDED: 'plain',
} as const satisfies Record<TopUpView['state'], string>;

const COLUMNS: readonly Column<TopUpView>[] = [
  { head: 'Started', cell: ({ opened_at }) => <Time at={opened_at} /> },
  { head: 'Credits', kind: 'number', cell: ({ credits }) => formatNumber(credits) },
  {
    head: 'Total',
    kind: 'number',
    cell: ({ total_kobo, vat_kobo }) => (
      <>
        {formatNaira(total_kobo)}
        <span class="small block">including {formatNaira(vat_kobo)} of VAT</span>
      </>
    ),
  },
  {
    head: 'State',
    cell: ({ state }) => <Badge kind={STATE_BADGES[state]}>{STATES[state]}</Badge>,
  },
  { head: 'Actions', kind: 'actions', cell: (order) => <Actions order={order} /> },
];

const OPEN: readonly TopUpView['state'][] = ['OPENED', 'PAID', 'MISMATCH'];

export function TopUps({ topUps }: { readonly topUps: readonly TopUpView[] }) {
  if (topUps.length === 0) return null;
  const open = topUps.filter(({ state }) => OPEN.includes(state));
  const finished = topUps.filter(({ state }) => !OPEN.includes(state));
  return (
    <section aria-labelledby="top-ups">
      <h2 id="top-ups">Top-ups</h2>
      {open.length > 0 && <TopUpTable topUps={open} caption="Top-ups" />}
      {finished.length > 0 && (
        <details>
          <summary>Finished top-ups ({finished.length})</summary>
          <TopUpTable topUps={finished} caption={`Finished top-ups (${finished.length})`} />
        </details>
      )}
    </section>
  );
}

function TopUpTable({
  topUps,
  caption,
}: {
  readonly topUps: readonly TopUpView[];
  readonly caption: string;
}) {
  return <DataTable caption={caption} columns={COLUMNS} rows={topUps} keyOf={({ reference }) => reference} />;
}

function Actions({ order: { env, reference, state, checkout_url } }: { readonly order: TopUpView }) {
  const about = <span class="hidden"> the top-up {reference}</span>;
  if (state === 'CREDITED' || state === 'REFUNDED') return null;
  return (
    <>
      {checkout_url && state === 'OPENED' && (
        <a class="button plain" href={checkout_url}>
          Continue to pay
          {about}
        </a>
      )}
      <a class="button plain" href={pageIn(env, '/wallet', { top_up: reference })}>
        Check
        {about}
      </a>
    </>
  );
}
