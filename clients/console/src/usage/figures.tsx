import type { ComponentChildren } from 'preact';
import { vatOf } from '../../../../shared/payments/naira.ts';
import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { formatNumber } from '../format.ts';
import { formatNaira } from '../naira.ts';
import { comparisonText, percentText, periodName, previousPeriod } from './comparison.ts';

export function Figures({ usage }: { readonly usage: UsageView }) {
  const { totals, previous, month, days } = usage;
  const period = previousPeriod(month, days.length);
  const before = previous && previous.requests > 0 ? previous : undefined;
  const shareOf = (count: number, all: number) =>
    `${percentText(all === 0 ? 0 : count / all)} of the requests`;
  return (
    <section class="card" aria-labelledby="totals">
      <h2 id="totals">{periodName(usage)}</h2>
      <dl class="figures">
        <Figure name="Requests" value={formatNumber(totals.requests)}>
          {before && comparisonText(totals.requests, before.requests, period)}
        </Figure>
        <Figure name="Records found" value={formatNumber(totals.found)}>
          {shareOf(totals.found, totals.requests)}
        </Figure>
        <Figure name="Errors" value={formatNumber(totals.errors)}>
          {shareOf(totals.errors, totals.requests)}
          {before && `. ${percentText(before.errors / before.requests)} in ${period}`}
        </Figure>
        <Figure name="Credits used" value={formatNumber(totals.credits)}>
          {before && comparisonText(totals.credits, before.credits, period)}
        </Figure>
        <Cost usage={usage} />
      </dl>
      {!before && <p class="hint">There were no requests in {period} to compare with.</p>}
      <p class="hint">Errors are requests that failed because of an error in the service or a registry.</p>
    </section>
  );
}

const NOT_CLOSED = ': the month is not closed yet';

function Cost({ usage: { env, month, totals, vat_basis_points } }: { readonly usage: UsageView }) {
  const { cost_kobo, is_closed } = totals;
  if (cost_kobo !== null)
    return (
      <Figure name="Cost, without VAT" value={formatNaira(cost_kobo)}>
        {vat_basis_points !== null &&
          `${formatNaira(cost_kobo + vatOf(cost_kobo, vat_basis_points))} with ${vat_basis_points / 100}% VAT. `}
        {is_closed ? 'Final: the month is closed' : `Estimate${month === null ? '' : NOT_CLOSED}`}
      </Figure>
    );
  const isTest = env === 'test';
  return (
    <Figure name="Cost, without VAT" value={isTest ? 'Free' : 'Unknown'}>
      {isTest ? 'Test credits cost nothing' : 'No price is set'}
    </Figure>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly children: ComponentChildren;
}

function Figure({ name, value, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="figure">{value}</span>
        <span class="small">{children}</span>
      </dd>
    </div>
  );
}
