import { outcomeNames, pageTitles } from '../shared-texts.ts';
import './usage.css';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import {
  accountingMonthOf,
  dayPlus,
  isAccountingMonth,
  lagosDay,
} from '../../../../shared/core/accounting-month.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { Outcome } from '../../../../shared/core/outcome.ts';
import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { consoleNowMs } from '../api.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { Results } from '../components/results.tsx';
import { StackedBars } from '../components/stacked-bars.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { formatDay, formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { monthChoices, monthName } from '../months.ts';
import { pageIn } from '../page-address.ts';
import { queryText } from '../query.ts';
import { Figures } from '../usage/figures.tsx';
import { LatencyTable } from '../usage/latency-table.tsx';
import { largestSeries } from '../usage/series.ts';
import { ServiceTable } from '../usage/service-table.tsx';
import { UsageExport } from '../usage/usage-export.tsx';

const MEASURE_NAMES = { requests: 'Requests', credits: 'Credits' };

export default function Usage() {
  const env = useEnvironment();
  const { query } = useRoute();
  const { month: asked = '', from = '', to = '' } = query;
  const isMonth = isAccountingMonth(asked) && asked <= accountingMonthOf(Date.now());
  const month = isMonth ? asked : '';
  const data = useData<UsageView>(`/usage?${queryText({ env, month, from, to })}`);
  const exported = useSignal<UsageView | undefined>(undefined);
  const { value: state } = data.state;
  // As the address says, while these days are loaded.
  const asOther = from || to ? { month: null, from, to } : {};
  // The fields stay while another period is loaded, so that they keep the focus.
  const latest = useRef<UsageView>(undefined);
  if (state.is === 'loaded') latest.current = state.value;
  return (
    <Page
      title={pageTitles.usage}
      lead="What your servers looked up, what it cost, and how fast the registries responded."
      action={
        state.is === 'loaded' && (
          <Button
            onClick={() => {
              exported.value = state.value;
            }}
          >
            Export CSV
          </Button>
        )
      }
    >
      <div class="controls">
        {latest.current && <MonthField env={env} month={month} usage={{ ...latest.current, ...asOther }} />}
        <DayFields
          key={`${month} ${from} ${to}`}
          env={env}
          usage={from || to ? { from, to } : latest.current}
        />
      </div>
      <Results key={env} data={data}>
        {(usage) => <Content usage={usage} />}
      </Results>
      {exported.value && (
        <UsageExport
          usage={exported.value}
          onClose={() => {
            exported.value = undefined;
          }}
        />
      )}
    </Page>
  );
}

function Content({ usage }: { readonly usage: UsageView }) {
  const { counted_until, env, month, totals, latency } = usage;
  const nothing = month === null ? 'on these days' : `in ${monthName(month)}`;
  return (
    <div class="stack">
      <p class="hint">
        {counted_until === null ? (
          'Nothing has been counted yet. Requests are counted every hour.'
        ) : (
          <>
            Counted until <Time at={counted_until} />
          </>
        )}
      </p>
      {totals.requests === 0 ? (
        <EmptyState title={`No requests ${nothing}`}>
          <p>Requests appear here within about an hour.</p>
          <p>
            {env === 'test'
              ? 'This page shows test requests only. Choose Live at the top to see live requests.'
              : 'This page shows live requests only. Choose Test at the top to see test requests.'}
          </p>
        </EmptyState>
      ) : (
        <>
          <Figures usage={usage} />
          <ServiceTable usage={usage} />
          <Days usage={usage} />
          <section class="card" aria-labelledby="latency">
            <h2 id="latency">Response times of the registries</h2>
            <LatencyTable latency={latency} />
          </section>
        </>
      )}
    </div>
  );
}

/** Returns a function that shows another month or other days, which the address keeps: people can share a link. */
function useShowPeriod(env: Environment) {
  const { query } = useRoute();
  const { route } = useLocation();
  return (period: Readonly<Record<string, string>>) => {
    const { env: _, month: __, from: ___, to: ____, ...others } = query;
    const text = queryText({ env: env === 'test' ? env : '', ...others, ...period });
    route(text ? `/usage?${text}` : '/usage');
  };
}

/** The value of the last 30 days among the months. */
const RECENT = 'recent';

interface MonthFieldProps {
  readonly env: Environment;
  /** The month in the address. */
  readonly month: string;
  readonly usage: UsageView;
}

function MonthField({ env, month, usage }: MonthFieldProps) {
  const show = useShowPeriod(env);
  const today = lagosDay(consoleNowMs());
  const recent = { from: dayPlus(today, -29), to: today };
  const isRecent = usage.month === null && usage.from === recent.from && usage.to === today;
  const shown = month || (isRecent ? RECENT : (usage.month ?? ''));
  const choices = [
    { value: RECENT, label: 'Last 30 days' },
    ...monthChoices(usage.first_month, accountingMonthOf(consoleNowMs())),
  ];
  return (
    <SelectField
      name="month"
      label="Period"
      value={shown}
      choices={shown ? choices : [{ value: '', label: 'Other days' }, ...choices]}
      onChange={(chosen) => show(chosen === RECENT ? recent : { month: chosen })}
    />
  );
}

interface DayFieldsProps {
  readonly env: Environment;
  /** The days that are shown. */
  readonly usage: Pick<UsageView, 'from' | 'to'> | undefined;
}

function DayFields({ env, usage }: DayFieldsProps) {
  const show = useShowPeriod(env);
  const entered = useSignal<Partial<Pick<UsageView, 'from' | 'to'>>>({});
  const days = { from: usage?.from ?? '', to: usage?.to ?? '', ...entered.value };
  const field = (name: 'from' | 'to', label: string) => (
    <TextField
      name={name}
      type="date"
      label={label}
      value={days[name]}
      onInput={(day) => {
        entered.value = { ...entered.value, [name]: day };
      }}
    />
  );
  return (
    <form
      class="controls"
      onSubmit={(event) => {
        event.preventDefault();
        show(days);
      }}
    >
      {field('from', 'From')}
      {field('to', 'To')}
      <Button type="submit">Show days</Button>
    </form>
  );
}

type Group = keyof UsageView['by'];

/** Returns a choice in the address, or the first one. */
const chosenOf = <T extends string>(choices: readonly { readonly value: T }[], asked: string | undefined) =>
  (choices.find(({ value }) => value === asked) ?? choices[0])?.value as T;

const choicesOf = <T extends string>(names: Readonly<Record<T, string>>) =>
  (Object.keys(names) as T[]).map((value) => ({ value, label: names[value] }));
const GROUPS = choicesOf({ service: 'Service', outcome: 'Outcome', key: 'Key' });
const MEASURES = choicesOf(MEASURE_NAMES);

const NAMES: Readonly<Record<Group, (name: string) => string>> = {
  service: (name) => name,
  outcome: (name) => outcomeNames[name as Outcome] ?? name,
  key: (name) => name || 'No key',
};

/** What the chart shows is part of the address too. */
function Days({ usage: { env, days, by } }: { readonly usage: UsageView }) {
  const { query } = useRoute();
  const { route } = useLocation();
  const group = chosenOf(GROUPS, query['by']);
  const measure = chosenOf(MEASURES, query['show']);
  const show = (change: Readonly<Record<string, string>>) => {
    const { env: _, ...others } = query;
    route(pageIn(env, '/usage', { ...others, ...change }), true);
  };
  const series = largestSeries(by[group], measure, NAMES[group], 'Other');
  const labels = days.map((day) => formatDay(day, 'UTC'));
  const sums = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
  const highest = Math.max(0, ...sums);
  const count = formatNumber(sums.reduce((all, sum) => all + sum, 0));
  const busiest = `${formatNumber(highest)}, on ${labels[sums.indexOf(highest)] ?? ''}`;
  return (
    <section class="card" aria-labelledby="days">
      <h2 id="days">By day</h2>
      <div class="controls">
        <SelectField
          name="by"
          label="Split by"
          value={group}
          choices={GROUPS}
          onChange={(chosen) => show({ by: chosen })}
        />
        <SelectField
          name="measure"
          label="Show"
          value={measure}
          choices={MEASURES}
          onChange={(chosen) => show({ show: chosen })}
        />
      </div>
      <StackedBars
        summary={`${MEASURE_NAMES[measure]}: ${count}. Busiest day: ${busiest}.`}
        heads={['Day (Nigerian time)', 'Total']}
        labels={labels}
        series={series}
      />
    </section>
  );
}
