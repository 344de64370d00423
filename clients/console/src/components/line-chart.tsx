import type { ComponentChildren } from 'preact';
import { formatNumber } from '../format.ts';
import { Axes, someOf } from './chart-marks.tsx';
import { ChartTable } from './chart-table.tsx';

export interface ChartPoint {
  readonly label: string;
  readonly value: number;
}

interface LineChartProps {
  readonly summary: ComponentChildren;
  readonly heads: readonly [label: string, value: string];
  /** In the order in which they are shown. */
  readonly points: readonly ChartPoint[];
  /** The expected points after the last one, shown as a dashed line, and the text that marks them in the table. */
  readonly projection?: { readonly name: string; readonly points: readonly ChartPoint[] } | undefined;
  /** Returns the text of a label. The default is the label itself. */
  readonly formatLabel?: (label: string) => string;
}

const WIDTH = 300;
const HEIGHT = 100;
/** Leaves space for the width of the line, so that it is not cut off. */
const MARGIN = 2;

const LINE = {
  fill: 'none',
  stroke: 'var(--accent)',
  'stroke-width': 2.5,
  'vector-effect': 'non-scaling-stroke',
};

/** A line chart from zero to the highest value, and the same numbers as a table. */
export function LineChart({
  summary,
  heads,
  points,
  projection,
  formatLabel = (label) => label,
}: LineChartProps) {
  const expected = projection?.points ?? [];
  const all = [...points, ...expected];
  const highest = Math.max(1, ...all.map(({ value }) => value));
  const places = placesOf(all, highest);
  const known = places.slice(0, points.length);
  const rowOf = ({ label, value }: ChartPoint, mark = ''): [string, string] => [
    formatLabel(label) + mark,
    formatNumber(value),
  ];
  return (
    <figure class="chart">
      <figcaption>{summary}</figcaption>
      <Axes highest={highest} labels={someOf(all).map((point) => point && formatLabel(point.label))}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <polyline points={known.join(' ')} {...LINE} />
          {expected.length > 0 && (
            <polyline points={places.slice(points.length - 1).join(' ')} {...LINE} stroke-dasharray="6 5" />
          )}
        </svg>
      </Axes>
      <ChartTable
        heads={heads}
        rows={[
          ...points.map((point) => rowOf(point)),
          ...expected.map((point) => rowOf(point, `, ${projection?.name}`)),
        ]}
      />
    </figure>
  );
}

function placesOf(points: readonly ChartPoint[], highest: number): string[] {
  return points.map(({ value }, index) => {
    const x = (index / Math.max(1, points.length - 1)) * WIDTH;
    const y = MARGIN + (1 - value / highest) * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
}
