import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso/router';
import type { ChangesView } from '../../../../shared/audit/console/views.ts';
import { ChangeList } from '../audit/change-list.tsx';
import { ChangesExport } from '../audit/changes-export.tsx';
import { type Filter, filterOf, pathOf, queryOf } from '../audit/filter.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { Results } from '../components/results.tsx';
import { useEnvironment } from '../environment.ts';
import { isRefused, useData } from '../loaded-data.ts';
import { pageIn } from '../page-address.ts';
import { pageTitles } from '../shared-texts.ts';

export default function Audit() {
  const environment = useEnvironment();
  const { query } = useRoute();
  const { route } = useLocation();
  const filter = filterOf(query);
  const path = pathOf(filter, null);
  const data = useData<ChangesView>(path);
  const isExporting = useSignal(false);
  const show = (next: Filter) => {
    const filters = new URLSearchParams(queryOf(next));
    route(pageIn(environment, '/audit', Object.fromEntries(filters)));
    if (pathOf(next, null) === path) data.reload();
  };
  return (
    <Page
      title={pageTitles.audit}
      lead="Every change to your organisation: who made it, what changed, and from where."
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
      {!isRefused(data) && <FilterForm key={path} filter={filter} onShow={show} />}
      <Results key={environment} data={data}>
        {(first) => <ChangeList key={first} first={first} filter={filter} />}
      </Results>
      {isExporting.value && (
        <ChangesExport
          filter={filter}
          onClose={() => {
            isExporting.value = false;
          }}
        />
      )}
    </Page>
  );
}

interface FilterFormProps {
  readonly filter: Filter;
  readonly onShow: (filter: Filter) => void;
}

function FilterForm({ filter, onShow }: FilterFormProps) {
  const input = useSignal(filter);
  const { search, from, to } = input.value;
  const set = (change: Partial<Filter>) => {
    input.value = { ...input.value, ...change };
  };
  return (
    <search>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          onShow(input.value);
        }}
      >
        <TextField
          name="search"
          type="search"
          label="Search"
          hint="A name, an email address, what was changed, or words such as “created an API key”."
          value={search}
          maxLength={100}
          onInput={(value) => set({ search: value })}
        />
        <TextField
          name="from"
          type="date"
          label="From"
          value={from}
          onInput={(value) => set({ from: value })}
        />
        <TextField name="to" type="date" label="To" value={to} onInput={(value) => set({ to: value })} />
        <div class="buttons">
          <Button type="submit" kind="primary">
            Show
          </Button>
          {queryOf(filter) !== '' && (
            <Button onClick={() => onShow({ search: '', from: '', to: '' })}>Clear</Button>
          )}
        </div>
      </form>
    </search>
  );
}
