import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso/router';
import {
  accountingMonthOf,
  isAccountingMonth,
  monthBefore,
} from '../../../../shared/core/accounting-month.ts';
import type { StatementView } from '../../../../shared/ledger/console/views.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { SelectField } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { Results } from '../components/results.tsx';
import { Time } from '../components/time.tsx';
import { useEnvironment } from '../environment.ts';
import { isRefused, useData } from '../loaded-data.ts';
import { monthChoices } from '../months.ts';
import { pageIn } from '../page-address.ts';
import { LineList } from '../statement/line-list.tsx';
import { type Selection, statementPath } from '../statement/selection.ts';
import { StatementExport } from '../statement/statement-export.tsx';

const MONTHS = 24;

export default function Statement() {
  const env = useEnvironment();
  const { query } = useRoute();
  const { route } = useLocation();
  const current = accountingMonthOf(Date.now());
  const { month: asked = '', since = '', line } = query;
  const from = Number.isNaN(Date.parse(since)) ? '' : since;
  const month = isAccountingMonth(asked) && asked <= current ? asked : current;
  const selection: Selection = { env, month, from };
  const path = statementPath(selection, null);
  const data = useData<StatementView>(path);
  const isExporting = useSignal(false);
  return (
    <Page
      title="Statement"
      lead="The credits that were added and used in a month, with the balance after each line."
      action={
        data.state.value.is === 'loaded' && (
          <Button
            onClick={() => {
              isExporting.value = true;
            }}
          >
            Export CSV
          </Button>
        )
      }
    >
      {!isRefused(data) && (
        <div class="toolbar">
          <SelectField
            name="month"
            label="Month"
            value={month}
            choices={monthChoices(firstChoice(current, month), current)}
            onChange={(next) => route(pageIn(env, '/wallet/statement', { month: next }))}
          />
          <ButtonLink href={pageIn(env, '/wallet')}>Back to the wallet</ButtonLink>
        </div>
      )}
      {from && (
        <p class="before-fields">
          The list begins with the line of <Time at={from} as="seconds" />.{' '}
          <a href={pageIn(env, '/wallet/statement', { month })}>Show the whole month</a>
        </p>
      )}
      <Results key={env} data={data}>
        {(first) => <LineList key={path} first={first} selection={selection} marked={line} />}
      </Results>
      {isExporting.value && (
        <StatementExport
          selection={selection}
          onClose={() => {
            isExporting.value = false;
          }}
        />
      )}
    </Page>
  );
}

/** Returns the earliest month to choose from: the first of the latest `MONTHS`, or the shown month if it is older. */
function firstChoice(current: string, shown: string): string {
  let first = current;
  for (let count = 1; count < MONTHS; count += 1) first = monthBefore(first);
  return shown < first ? shown : first;
}
