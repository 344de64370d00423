import type { LotView } from '../../../../shared/payments/console/views.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { sharedTexts } from '../shared-texts.ts';

const KINDS = {
  paid: 'Bought',
  promotional: 'Free',
  refund: 'Returned',
  correction: 'Correction',
} satisfies Record<LotView['kind'], string>;

const COLUMNS: readonly Column<LotView>[] = [
  {
    head: 'Kind',
    cell: ({ kind, created_at }) => (
      <>
        {KINDS[kind]}
        <span class="small block">
          <Time at={created_at} as="day" />
        </span>
      </>
    ),
  },
  {
    head: 'Left',
    kind: 'number',
    cell: ({ remaining, credits }) => `${formatNumber(remaining)} of ${formatNumber(credits)}`,
  },
  {
    head: 'Price per credit',
    kind: 'number',
    cell: ({ kobo_per_credit }) => (kobo_per_credit === null ? 'Free' : formatNaira(kobo_per_credit)),
  },
  {
    head: 'Expires',
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} as="day" /> : sharedTexts.never),
  },
];

export function Lots({ lots }: { readonly lots: readonly LotView[] }) {
  if (lots.length === 0) return null;
  return (
    <section aria-labelledby="lots">
      <h2 id="lots">Credits by purchase</h2>
      <p class="hint before-fields">
        Bought credits are used before free ones, unless the free ones expire earlier. The credits left are
        estimates until the month is closed.
      </p>
      <DataTable caption="Credits by purchase" columns={COLUMNS} rows={lots} keyOf={({ id }) => id} />
    </section>
  );
}
