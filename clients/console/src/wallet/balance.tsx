import { DAY_MS } from '../../../../shared/core/clock.ts';
import type { WalletView } from '../../../../shared/payments/console/views.ts';
import { ButtonLink } from '../components/button.tsx';
import { type ChartPoint, LineChart } from '../components/line-chart.tsx';
import { pageIn } from '../environment.ts';
import { formatDay, formatNumber } from '../format.ts';
import { walletTexts as texts } from '../texts.ts';

/** With more projected days, the chart would have little room for past days. */
const MOST_PROJECTED_DAYS = 30;

/** The credits, the balance in recent days, and how long the credits will last. */
export function Balance({ wallet }: { readonly wallet: WalletView }) {
  const { env, available, held, days } = wallet;
  return (
    <section class="card" aria-labelledby="balance">
      <h2 id="balance">{texts.balance}</h2>
      <dl class="figures">
        <div>
          <dt>{texts.available}</dt>
          <dd class="figure">{formatNumber(available)}</dd>
        </div>
        <div>
          <dt>{texts.held}</dt>
          <dd class="figure">{formatNumber(held)}</dd>
        </div>
      </dl>
      <p>{endText(wallet)}</p>
      {days.length > 1 && (
        <LineChart
          summary={texts.balanceDays(days.length)}
          heads={[texts.day, texts.balance]}
          points={days.map(({ day, balance }) => ({ label: day, value: balance }))}
          projection={{ name: texts.projected, points: projectionOf(wallet) }}
          formatLabel={(day) => formatDay(day, 'UTC')}
        />
      )}
      <div class="buttons">
        <ButtonLink href={pageIn(env, '/wallet/statement')}>{texts.statement}</ButtonLink>
      </div>
    </section>
  );
}

/** Says how long the credits will last. */
function endText({ available, daily_use, runs_out_on }: WalletView): string {
  if (available === 0) return texts.empty;
  if (daily_use === null) return texts.useUnknown;
  if (daily_use === 0) return texts.notUsed;
  const use = texts.use(formatNumber(Math.round(daily_use * 10) / 10));
  return `${runs_out_on ? texts.lastsUntil(longDay(runs_out_on)) : texts.lastsLong} ${use}`;
}

/** Returns a day without its year, such as "14 December", because it is at most a year away. */
function longDay(day: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return format.format(new Date(day));
}

/** Returns the projected balance for each of the coming days, at the current rate of use. */
function projectionOf({ days, daily_use, runs_out_on }: WalletView): ChartPoint[] {
  const last = days.at(-1);
  if (!last || !daily_use || !runs_out_on) return [];
  const count = Math.min(MOST_PROJECTED_DAYS, (Date.parse(runs_out_on) - Date.parse(last.day)) / DAY_MS);
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    label: new Date(Date.parse(last.day) + (index + 1) * DAY_MS).toISOString().slice(0, 10),
    value: Math.max(0, Math.round(last.balance - daily_use * (index + 1))),
  }));
}
