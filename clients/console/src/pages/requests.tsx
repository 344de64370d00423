import { pageTitles } from '../shared-texts.ts';
import './requests.css';
import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso/router';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { RequestsView } from '../../../../shared/verifications/console/views.ts';
import { Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { Results } from '../components/results.tsx';
import { Later } from '../dialogs/later.tsx';
import { useEnvironment } from '../environment.ts';
import { isRefused, useData } from '../loaded-data.ts';
import { addressOf, type Filter, filterOf, pathOf } from '../requests/filter.ts';
import { FilterForm } from '../requests/filter-form.tsx';
import { RequestList } from '../requests/request-list.tsx';
import { RequestsExport } from '../requests/requests-export.tsx';

const loadDialog = async () => (await import('../request-detail/request-dialog.tsx')).RequestDialog;

export default function Requests() {
  const env = useEnvironment();
  const { query } = useRoute();
  const { route } = useLocation();
  const filter = filterOf(query);
  const path = pathOf(env, filter, null);
  const data = useData<RequestsView>(path);
  const isExporting = useSignal(false);
  const id = query['id'];
  const loaded = data.state.value.is === 'loaded' ? data.state.value.value : undefined;
  const show = (next: Filter) => {
    route(addressOf(env, next));
    if (pathOf(env, next, null) === path) data.reload();
  };
  return (
    <Page
      title={pageTitles.requests}
      lead="Each request from your servers: what happened, whether it was charged, and why."
      action={
        loaded && (
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
        <FilterForm
          key={addressOf('live', filter)}
          filter={filter}
          days={loaded}
          onShow={show}
          onOpen={(found) => route(addressOf(env, filter, found))}
        />
      )}
      <Results key={env} data={data}>
        {(first) => <RequestList key={first} first={first} env={env} filter={filter} onShow={show} />}
      </Results>
      {id && <Detail id={id} env={env} onClose={() => route(addressOf(env, filter))} />}
      {isExporting.value && loaded && (
        <RequestsExport
          env={env}
          filter={filter}
          from={loaded.from}
          onClose={() => {
            isExporting.value = false;
          }}
        />
      )}
    </Page>
  );
}

interface DetailProps {
  readonly id: string;
  readonly env: Environment;
  readonly onClose: () => void;
}

/** The dialog about one request. A different request gets a new dialog. */
function Detail(props: DetailProps) {
  return <Later key={`${props.env} ${props.id}`} load={loadDialog} props={props} isOpen />;
}
