import type { ComponentChildren } from 'preact';
import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { formatNumber } from '../format.ts';
import { monthName } from '../months.ts';
import { formatNaira } from '../naira.ts';
import { usageTexts } from '../texts.ts';
import { comparisonText, percentText, previousPeriod } from './comparison.ts';

/** The sums of the month. Requests, errors and credits are compared with the same days of the previous month. */
export function Figures({ usage }: { readonly usage: UsageView }) {
  const { totals, previous, month, days } = usage;
  const period = previousPeriod(month, days.length);
  const before = previous && previous.requests > 0 ? previous : undefined;
  const shareOf = (count: number, all: number) => usageTexts.share(percentText(all === 0 ? 0 : count / all));
  return (
    <section class="card" aria-labelledby="totals">
      <h2 id="totals">{monthName(month)}</h2>
      <dl class="figures">
        <Figure name={usageTexts.requests} value={formatNumber(totals.requests)}>
          {before && comparisonText(totals.requests, before.requests, period)}
        </Figure>
        <Figure name={usageTexts.found} value={formatNumber(totals.found)}>
          {shareOf(totals.found, totals.requests)}
        </Figure>
        <Figure name={usageTexts.errors} value={formatNumber(totals.errors)}>
          {shareOf(totals.errors, totals.requests)}
          {before && `. ${usageTexts.before(percentText(before.errors / before.requests), period)}`}
        </Figure>
        <Figure name={usageTexts.credits} value={formatNumber(totals.credits)}>
          {before && comparisonText(totals.credits, before.credits, period)}
        </Figure>
        <Cost usage={usage} />
      </dl>
      {!before && <p class="hint">{usageTexts.noPrevious(period)}</p>}
      <p class="hint">{usageTexts.errorsHint}</p>
    </section>
  );
}

/** The cost of the month. Test credits are free. */
function Cost({ usage: { env, totals } }: { readonly usage: UsageView }) {
  const { cost_kobo, is_closed } = totals;
  if (cost_kobo !== null)
    return (
      <Figure name={usageTexts.cost} value={formatNaira(cost_kobo)}>
        {is_closed ? usageTexts.final : usageTexts.estimate}
      </Figure>
    );
  const { value, hint } = env === 'test' ? usageTexts.free : usageTexts.noCost;
  return (
    <Figure name={usageTexts.cost} value={value}>
      {hint}
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
