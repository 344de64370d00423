import { DAY_MS } from '../../../../shared/core/clock.ts';
import type { WalletView } from '../../../../shared/payments/console/views.ts';
import { ButtonLink } from '../components/button.tsx';
import { type ChartPoint, LineChart } from '../components/line-chart.tsx';
import { formatDay, formatNumber, lastsText } from '../format.ts';
import { pageIn } from '../page-address.ts';

/** With more projected days, the chart would have little room for past days. */
const MOST_PROJECTED_DAYS = 30;

export function Balance({ wallet }: { readonly wallet: WalletView }) {
  const { env, available, held, days } = wallet;
  const projected = projectionOf(wallet);
  const end = projected.at(-1);
  const until = end ? `, and as projected until ${formatDay(end.label, 'UTC')}` : '';
  return (
    <section class="card" aria-labelledby="balance">
      <h2 id="balance">Balance</h2>
      <dl class="figures">
        <div>
          <dt>Available</dt>
          <dd class="figure">{formatNumber(available)}</dd>
        </div>
        <div>
          <dt>Held for requests in progress</dt>
          <dd class="figure">{formatNumber(held)}</dd>
        </div>
      </dl>
      <p>{endText(wallet)}</p>
      {days.length > 1 && (
        <LineChart
          summary={`Balance at the end of each of the last ${days.length} days${until}, in credits`}
          heads={['Day', 'Balance']}
          points={days.map(({ day, balance }) => ({ label: day, value: balance }))}
          projection={{ name: 'projected', points: projected }}
          formatLabel={(day) => formatDay(day, 'UTC')}
        />
      )}
      <div class="buttons">
        <ButtonLink href={pageIn(env, '/wallet/statement')}>Statement</ButtonLink>
      </div>
    </section>
  );
}

function endText({ available, daily_use, runs_out_on }: WalletView): string {
  if (available === 0) return 'The wallet is empty. Requests that cost credits are rejected.';
  if (daily_use === null) return 'After 7 days of use, this page shows how long the credits will last.';
  if (daily_use === 0) return 'No credits were used in the previous 14 days.';
  const use = formatNumber(Math.round(daily_use * 10) / 10);
  return `At this rate, the credits will last ${lastsText(runs_out_on)}. Recent average use: ${use} credits a day.`;
}

function projectionOf({ days, daily_use, runs_out_on }: WalletView): ChartPoint[] {
  const last = days.at(-1);
  if (!last || !daily_use || !runs_out_on) return [];
  const count = Math.min(MOST_PROJECTED_DAYS, (Date.parse(runs_out_on) - Date.parse(last.day)) / DAY_MS);
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    label: new Date(Date.parse(last.day) + (index + 1) * DAY_MS).toISOString().slice(0, 10),
    value: Math.max(0, Math.round(last.balance - daily_use * (index + 1))),
  }));
}
