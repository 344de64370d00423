import type { LotView } from '../../../../shared/payments/console/views.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { sharedTexts } from '../shared-texts.ts';
import { walletTexts as texts } from '../texts.ts';

const COLUMNS: readonly Column<LotView>[] = [
  {
    head: texts.kind,
    cell: ({ kind, created_at }) => (
      <>
        {texts.lotKinds[kind]}
        <span class="small block">
          <Time at={created_at} as="day" />
        </span>
      </>
    ),
  },
  {
    head: texts.left,
    kind: 'number',
    cell: ({ remaining, credits }) => texts.leftOf(formatNumber(remaining), formatNumber(credits)),
  },
  {
    head: texts.price,
    kind: 'number',
    cell: ({ kobo_per_credit }) => (kobo_per_credit === null ? texts.free : formatNaira(kobo_per_credit)),
  },
  {
    head: texts.expires,
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} as="day" /> : sharedTexts.never),
  },
];

/** The remaining credits of each lot. */
export function Lots({ lots }: { readonly lots: readonly LotView[] }) {
  if (lots.length === 0) return null;
  return (
    <section aria-labelledby="lots">
      <h2 id="lots">{texts.lots}</h2>
      <p class="hint before-fields">{texts.lotsHint}</p>
      <DataTable caption={texts.lots} columns={COLUMNS} rows={lots} keyOf={({ id }) => id} />
    </section>
  );
}
