import { sum } from '../../../../shared/core/sum.ts';
import { vatOf } from '../../../../shared/payments/naira.ts';
import type { UsageSeries, UsageView } from '../../../../shared/usage/console/views.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';

interface Row {
  readonly service: string;
  readonly requests: number;
  readonly credits: number;
  /** Null if the cost is not known. */
  readonly kobo: number | null;
}

/** Shares the cost by the credits, so that the rows add up to it. */
function serviceRows(services: readonly UsageSeries[], totalKobo: number | null): Row[] {
  const all = sum(services.flatMap(({ credits }) => credits));
  let creditsBefore = 0;
  return services.map(({ name, requests, credits: byDay }) => {
    const credits = sum(byDay);
    const upTo = (count: number) => (all === 0 ? 0 : Math.round(((totalKobo ?? 0) * count) / all));
    const kobo = totalKobo === null ? null : upTo(creditsBefore + credits) - upTo(creditsBefore);
    creditsBefore += credits;
    return { service: name, requests: sum(requests), credits, kobo };
  });
}

/** What each service has used, with its share of the cost. */
export function ServiceTable({
  usage: { by, totals, vat_basis_points: vat },
}: {
  readonly usage: UsageView;
}) {
  const naira = (head: string, amountOf: (kobo: number) => number): Column<Row> => ({
    head,
    kind: 'number',
    cell: ({ kobo }) => (kobo === null ? '–' : formatNaira(amountOf(kobo))),
  });
  const costs = [
    naira('Without VAT', (kobo) => kobo),
    ...(vat === null ? [] : [naira('With VAT', (kobo) => kobo + vatOf(kobo, vat))]),
  ];
  return (
    <section class="card" aria-labelledby="services">
      <h2 id="services">By service</h2>
      <DataTable
        caption="Usage by service"
        columns={[
          { head: 'Service', cell: ({ service }) => service },
          { head: 'Requests', kind: 'number', cell: ({ requests }) => formatNumber(requests) },
          { head: 'Credits', kind: 'number', cell: ({ credits }) => formatNumber(credits) },
          ...(totals.cost_kobo === null ? [] : costs),
        ]}
        rows={serviceRows(by.service, totals.cost_kobo)}
        keyOf={({ service }) => service}
      />
      {totals.cost_kobo !== null && (
        <p class="hint">The naira of each service are its share of the cost, by the credits that it used.</p>
      )}
    </section>
  );
}
