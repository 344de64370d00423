import type { TopUpView } from '../../../../shared/payments/console/views.ts';
import { Badge } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { pageIn } from '../environment.ts';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { walletTexts as texts } from '../texts.ts';

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
  { head: texts.opened, cell: ({ opened_at }) => <Time at={opened_at} /> },
  { head: texts.credits, kind: 'number', cell: ({ credits }) => formatNumber(credits) },
  { head: texts.total, kind: 'number', cell: ({ total_kobo }) => formatNaira(total_kobo) },
  {
    head: texts.state,
    cell: ({ state }) => <Badge kind={STATE_BADGES[state]}>{texts.states[state]}</Badge>,
  },
  { head: texts.actions, kind: 'actions', cell: (order) => <Actions order={order} /> },
];

/** The states of top-ups in progress. */
const OPEN: readonly TopUpView['state'][] = ['OPENED', 'PAID', 'MISMATCH'];

/** The top-ups in progress, with their actions. Finished ones are shown on demand. */
export function TopUps({ topUps }: { readonly topUps: readonly TopUpView[] }) {
  if (topUps.length === 0) return null;
  const open = topUps.filter(({ state }) => OPEN.includes(state));
  const finished = topUps.filter(({ state }) => !OPEN.includes(state));
  return (
    <section aria-labelledby="top-ups">
      <h2 id="top-ups">{texts.topUps}</h2>
      {open.length > 0 && <TopUpTable topUps={open} caption={texts.topUps} />}
      {finished.length > 0 && (
        <details>
          <summary>{texts.earlierTopUps(finished.length)}</summary>
          <TopUpTable topUps={finished} caption={texts.earlierTopUps(finished.length)} />
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
  const about = <span class="hidden"> {texts.aboutTopUp(reference)}</span>;
  if (state === 'CREDITED' || state === 'REFUNDED') return null;
  return (
    <>
      {checkout_url && state === 'OPENED' && (
        <a class="button plain" href={checkout_url}>
          {texts.pay}
          {about}
        </a>
      )}
      <a class="button plain" href={pageIn(env, '/wallet', { top_up: reference })}>
        {texts.check}
        {about}
      </a>
    </>
  );
}
