import { sharedTexts } from '../shared-texts.ts';
import { ShowMore } from './show-more.tsx';

interface ChartTableProps {
  /** The heading of the column with the labels, and the heading of each column with values. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [label: string, ...values: string[]])[];
}

export function ChartTable({ heads: [labelHead, ...valueHeads], rows }: ChartTableProps) {
  return (
    <ShowMore what={sharedTexts.theTable}>
      <table class="data narrow">
        <thead>
          <tr>
            <th scope="col">{labelHead}</th>
            {valueHeads.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ...values]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {values.map((value, index) => (
                <td key={valueHeads[index]} class="number">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ShowMore>
  );
}
