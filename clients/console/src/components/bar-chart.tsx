import { formatNumber } from '../format.ts';
import { Axes, someOf } from './chart-marks.tsx';
import { ChartTable } from './chart-table.tsx';

interface BarChartProps {
  /** A sentence that says what the chart shows, with its most important number. */
  readonly summary: string;
  readonly heads: readonly [label: string, value: string];
  /** In the order in which they are shown. */
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

const HEIGHT = 100;
const STEP = 20;
const WIDTH = 14;

export function BarChart({ summary, heads, bars }: BarChartProps) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure class="chart">
      <figcaption>{summary}</figcaption>
      <Axes highest={highest} labels={someOf(bars.map(({ label }) => label))}>
        <svg viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map(({ label, value }, index) => {
            const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
            const x = index * STEP + (STEP - WIDTH) / 2;
            return (
              <rect key={label} x={x} y={HEIGHT - height} width={WIDTH} height={height}>
                <title>{`${label}: ${formatNumber(value)}`}</title>
              </rect>
            );
          })}
        </svg>
      </Axes>
      <ChartTable heads={heads} rows={bars.map(({ label, value }) => [label, formatNumber(value)])} />
    </figure>
  );
}
