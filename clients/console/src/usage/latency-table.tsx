import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { formatNumber } from '../format.ts';

type Latency = UsageView['latency'][number];

const WIDTH = 100;
const HEIGHT = 12;

const latencyText = (ms: number | null) => (ms === null ? 'None' : `${formatNumber(ms)} ms`);

export function LatencyTable({ latency }: Pick<UsageView, 'latency'>) {
  const asked = latency.filter(({ requests }) => requests > 0);
  if (asked.length === 0) return <p>No request reached a registry.</p>;
  const highest = Math.max(1, ...asked.map(({ p99_ms }) => p99_ms ?? 0));
  const columns: Column<Latency>[] = [
    { head: 'Registry', cell: ({ id_type }) => id_type },
    { head: 'Requests', kind: 'number', cell: ({ requests }) => formatNumber(requests) },
    { head: 'p50', kind: 'number', cell: ({ p50_ms }) => latencyText(p50_ms) },
    { head: 'p95', kind: 'number', cell: ({ p95_ms }) => latencyText(p95_ms) },
    { head: 'p99', kind: 'number', cell: ({ p99_ms }) => latencyText(p99_ms) },
    { head: 'Chart', cell: (one) => <Bar {...one} highest={highest} /> },
  ];
  return (
    <>
      <p class="hint">
        p95 means that 95 of 100 requests were at least this fast. The bar ends at p99. Its marks show p50 and
        p95.
      </p>
      <DataTable
        caption="Response times by registry"
        columns={columns}
        rows={asked}
        keyOf={({ id_type }) => id_type}
      />
    </>
  );
}

/** A bar that ends at p99, and is thicker up to p95 and thickest up to p50. The numbers are next to it. */
function Bar({ p50_ms, p95_ms, p99_ms, highest }: Latency & { readonly highest: number }) {
  const xOf = (ms: number | null) => ((ms ?? 0) / highest) * WIDTH;
  return (
    <svg class="latency" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="p99" y={4} width={xOf(p99_ms)} height={4} />
      <rect class="p95" y={2} width={xOf(p95_ms)} height={8} />
      <rect class="p50" width={xOf(p50_ms)} height={HEIGHT} />
    </svg>
  );
}
