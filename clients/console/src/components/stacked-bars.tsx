import { sum } from '../../../../shared/core/sum.ts';
import './legend.css';
import { formatNumber } from '../format.ts';
import { sharedTexts } from '../shared-texts.ts';
import { Axes, someOf } from './chart-marks.tsx';
import { DataTable } from './data-table.tsx';
import type { Series } from './series.ts';
import { ShowMore } from './show-more.tsx';

interface StackedBarsProps {
  /** A sentence that says what the chart shows, with its most important number. */
  readonly summary: string;
  /** The headings of the column with the labels and of the column with the sums. */
  readonly heads: readonly [label: string, sum: string];
  readonly labels: readonly string[];
  /** At most six, the most important one first. The first series is at the bottom of the bars. */
  readonly series: readonly Series[];
}

const WIDTH = 640;
const HEIGHT = 200;
/** Keeps bars narrow if there are only a few days. */
const LEAST_BARS = 14;
const PATTERN_PX = 8;

/**
 * The line pattern over the colour of each series, so that series differ by more than colour. The first has no pattern.
 */
const PATTERNS = [
  '',
  'M-2 2l4-4M-2 10L10-2M6 10l4-4',
  'M0 4h8',
  'M1 2h2M5 6h2',
  'M4 0v8',
  'M0 4h8M4 0v8',
] as const;

export function StackedBars({ summary, heads: [labelHead, sumHead], labels, series }: StackedBarsProps) {
  const bars = labels.map((label, index) => {
    const values = series.map((one) => one.values[index] ?? 0);
    return { label, values, sum: sum(values) };
  });
  const highest = Math.max(1, ...bars.map(({ sum }) => sum));
  return (
    <figure class="stacked">
      <figcaption>{summary}</figcaption>
      <ul class="legend">
        {series.map(({ name, values }, index) => (
          <li key={name}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <rect width={16} height={16} {...fillOf(index)} />
            </svg>
            <span class="name">{name}</span> {formatNumber(sum(values))}
          </li>
        ))}
      </ul>
      <Axes highest={highest} labels={someOf(labels)}>
        <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          <Patterns count={series.length} />
          {bars.map((bar, index) => (
            <Bar key={bar.label} {...bar} index={index} count={bars.length} highest={highest} />
          ))}
        </svg>
      </Axes>
      <ShowMore what={sharedTexts.theTable}>
        <DataTable
          caption={summary}
          columns={[
            { head: labelHead, cell: ({ label }) => label },
            ...series.map(({ name }, index) => ({
              head: name,
              kind: 'number' as const,
              cell: ({ values }: (typeof bars)[number]) => formatNumber(values[index] ?? 0),
            })),
            { head: sumHead, kind: 'number' as const, cell: ({ sum }) => formatNumber(sum) },
          ]}
          rows={bars}
          keyOf={({ label }) => label}
        />
      </ShowMore>
    </figure>
  );
}

function Patterns({ count }: { readonly count: number }) {
  return (
    <defs>
      {PATTERNS.slice(0, count).map((lines, index) => (
        <pattern
          key={lines}
          id={`pattern-${index}`}
          width={PATTERN_PX}
          height={PATTERN_PX}
          patternUnits="userSpaceOnUse"
        >
          <rect width={PATTERN_PX} height={PATTERN_PX} class={`series-${index}`} />
          <path d={lines} />
        </pattern>
      ))}
    </defs>
  );
}

const fillOf = (index: number) => ({ fill: `url(#pattern-${index})` });

interface BarProps {
  readonly label: string;
  readonly values: readonly number[];
  readonly sum: number;
  readonly index: number;
  readonly count: number;
  readonly highest: number;
}

function Bar({ label, values, sum, index, count, highest }: BarProps) {
  const width = (WIDTH / Math.max(count, LEAST_BARS)) * 0.7;
  // The first and the last bar are above their labels.
  const x = (index * (WIDTH - width)) / Math.max(1, count - 1);
  let y = HEIGHT;
  return (
    <g>
      <title>{`${label}: ${formatNumber(sum)}`}</title>
      {values.map((value, series) => {
        // Keeps a single request among thousands visible.
        const height = value === 0 ? 0 : Math.max(2, (value / highest) * HEIGHT);
        y -= height;
        return (
          height > 0 && <rect key={series} x={x} y={y} width={width} height={height} {...fillOf(series)} />
        );
      })}
    </g>
  );
}
