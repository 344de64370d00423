import type { ComponentChildren } from 'preact';
import { formatNumber } from '../format.ts';

interface AxesProps {
  /** The value of the line at the top. The line at the bottom is zero. */
  readonly highest: number;
  /** Those that are shown below the chart, from left to right. */
  readonly labels: readonly (string | undefined)[];
  readonly children: ComponentChildren;
}

/** The axes of a chart. Its table has all values, so screen readers skip these. */
export function Axes({ highest, labels, children }: AxesProps) {
  return (
    <>
      <Marks texts={[`Highest: ${formatNumber(highest)}`]} />
      {children}
      <Marks texts={labels} />
    </>
  );
}

function Marks({ texts }: { readonly texts: AxesProps['labels'] }) {
  return (
    <div class="chart-marks" aria-hidden="true">
      {[...new Set(texts)].map((text) => text && <span key={text}>{text}</span>)}
    </div>
  );
}

/** Returns the first, the middle and the last label. Of an even number, none is in the middle of the chart. */
export const someOf = <T,>(all: readonly T[]) => [
  all[0],
  all.length % 2 === 1 ? all[all.length >> 1] : undefined,
  all.at(-1),
];
