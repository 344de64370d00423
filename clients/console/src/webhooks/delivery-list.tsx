import { useSignal } from '@preact/signals';
import { DAY_MS, HOUR_MS } from '../../../../shared/core/clock.ts';
import type { Environment } from '../../../../shared/core/environment.ts';
import type { ReplayBody } from '../../../../shared/webhooks/console/bodies.ts';
import type { DeliveriesView, DeliveryView, ReplayView } from '../../../../shared/webhooks/console/views.ts';
import { get, type Problem, type Result, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Notice, ProblemNotice } from '../components/notice.tsx';
import { Data } from '../components/page.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { mayManage } from '../session.ts';
import { sharedTexts } from '../shared-texts.ts';
import { DeliveryDetails } from './delivery-details.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { attemptsPath, deliveriesPath, sendAndFollow } from './routes.ts';

interface DeliveryListProps {
  readonly env: Environment;
  readonly endpointId: string;
  /** Called when deliveries may have changed, because the card shows the last one and whether they go on. */
  readonly onChanged: () => void;
}

function columnsOf(
  { env, endpointId }: DeliveryListProps,
  resend: (row: DeliveryView) => void,
  sending: string | undefined,
): Column<DeliveryView>[] {
  const actions: Column<DeliveryView> = {
    head: 'Actions',
    kind: 'actions',
    cell: (row) => (
      <Button about={row.event_type} isBusy={sending === row.id} onClick={() => resend(row)}>
        {sending === row.id ? 'Sending…' : 'Resend'}
      </Button>
    ),
  };
  return [
    {
      head: 'Event',
      cell: ({ event_type, created_at }) => (
        <>
          {event_type}
          <span class="small block">
            <Time at={created_at} as="seconds" />
          </span>
        </>
      ),
    },
    { head: 'State', cell: (row) => <DeliveryState shown={row} /> },
    {
      head: 'Attempts',
      cell: ({ attempts, attempted_at, next_at, is_in_progress }) => (
        <>
          {formatNumber(attempts)}
          {attempted_at && (
            <span class="small block">
              Last: <Time at={attempted_at} as="seconds" />
            </span>
          )}
          {next_at && !is_in_progress && (
            <span class="small block">
              Next: <Time at={next_at} as="seconds" />
            </span>
          )}
        </>
      ),
    },
    {
      head: 'Details',
      cell: ({ id, body, attempts }) => (
        <DeliveryDetails body={body} attempts={attempts} path={attemptsPath(env, endpointId, id)} />
      ),
    },
    ...(mayManage(env) ? [actions] : []),
  ];
}

const RESULTS: Readonly<Record<DeliveryView['state'], string>> = {
  PENDING: 'It has not been received yet, and further attempts follow.',
  DELIVERED: 'It was received.',
  FAILED: 'It was not received.',
  CANCELLED: 'It was cancelled.',
};

const LAGOS_AHEAD_MS = HOUR_MS;

const lagosDay = (days: number) =>
  new Date(Date.now() + LAGOS_AHEAD_MS + days * DAY_MS).toISOString().slice(0, 10);

function useDeliveries({ env, endpointId, onChanged }: DeliveryListProps) {
  const data = useData<DeliveriesView>(deliveriesPath(env, endpointId));
  const sending = useSignal<string | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const done = useSignal('');
  const resend = async (view: DeliveriesView, { id }: DeliveryView) => {
    sending.value = id;
    done.value = '';
    const body = { env, endpoint_id: endpointId };
    const result = await sendAndFollow(`/deliveries/${id}/resend`, body, endpointId);
    sending.value = undefined;
    problem.value = result.ok ? undefined : result.problem;
    if (!result.ok) return;
    done.value = `${result.data.event_type} was sent again. ${RESULTS[result.data.state]}`;
    const deliveries = view.deliveries.map((row) => (row.id === id ? result.data : row));
    data.replace({ ...view, deliveries });
    onChanged();
  };
  const refresh = () => {
    data.reload();
    onChanged();
  };
  const replay = async () => {
    sending.value = 'all';
    problem.value = undefined;
    done.value = '';
    let count = 0;
    for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
      const body: ReplayBody = { env, from: lagosDay(-30), to: lagosDay(0), which: 'failed', cursor };
      const result: Result<ReplayView> = await send('POST', `/webhooks/${endpointId}/replay`, body);
      if (result.ok) count += result.data.resent;
      else problem.value = result.problem;
      cursor = (result.ok && result.data.next_cursor) || undefined;
    }
    sending.value = undefined;
    if (!problem.value) done.value = `Failed deliveries that are being sent again: ${formatNumber(count)}.`;
    refresh();
  };
  const showOlder = async ({ deliveries, next_cursor }: DeliveriesView) => {
    const result = await get<DeliveriesView>(deliveriesPath(env, endpointId, next_cursor ?? ''));
    problem.value = result.ok ? undefined : result.problem;
    if (result.ok) data.replace({ ...result.data, deliveries: [...deliveries, ...result.data.deliveries] });
  };
  return { data, sending, problem, done, resend, refresh, replay, showOlder };
}

export function DeliveryList(props: DeliveryListProps) {
  const { data, sending, problem, done, resend, refresh, replay, showOlder } = useDeliveries(props);
  return (
    <section class="section" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="toolbar">
        <Button onClick={refresh}>Refresh</Button>
        {mayManage(props.env) && (
          <Button isBusy={sending.value === 'all'} onClick={replay}>
            Resend all that failed
          </Button>
        )}
      </div>
      {props.env === 'live' && mayManage('live') && <SignInHint />}
      <ProblemNotice problem={problem.value} />
      {done.value && <Notice kind="success">{done.value}</Notice>}
      <Data data={data}>
        {(view) =>
          view.deliveries.length > 0 ? (
            <>
              <DataTable
                caption="Deliveries, newest first"
                columns={columnsOf(props, (row) => resend(view, row), sending.value)}
                rows={view.deliveries}
                keyOf={({ id }) => id}
              />
              {view.next_cursor && <Button onClick={() => showOlder(view)}>Show older ones</Button>}
            </>
          ) : (
            <p>{sharedTexts.nothingSent}</p>
          )
        }
      </Data>
    </section>
  );
}
