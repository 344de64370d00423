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

const ALL = 'all';
const OLDER = 'older';

/** What is being sent, or was sent last: the ID of a delivery, or one of the above. Its result is shown next to its button. */
interface Sending {
  readonly of: string;
  readonly isSending?: boolean;
  readonly done?: string;
  readonly hasFailed?: boolean;
  readonly problem?: Problem;
}

function SendResult({ of, sent }: { readonly of: string; readonly sent: Sending | undefined }) {
  if (sent?.of !== of) return null;
  return (
    <>
      <ProblemNotice problem={sent.problem} />
      {sent.done && <Notice kind={sent.hasFailed ? 'error' : 'success'}>{sent.done}</Notice>}
    </>
  );
}

function columnsOf(
  { env, endpointId }: DeliveryListProps,
  resend: (row: DeliveryView) => void,
  sent: Sending | undefined,
): Column<DeliveryView>[] {
  const isSending = ({ id }: DeliveryView) => sent?.of === id && sent.isSending === true;
  const actions: Column<DeliveryView> = {
    head: 'Actions',
    kind: 'actions',
    cell: (row) => (
      <>
        <Button about={row.event_type} isBusy={isSending(row)} onClick={() => resend(row)}>
          {isSending(row) ? 'Sending…' : 'Resend'}
        </Button>
        <SendResult of={row.id} sent={sent} />
      </>
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
  PENDING: 'Sent again, without success so far. Further attempts follow.',
  DELIVERED: 'Sent again, and received.',
  FAILED: 'Sent again, without success.',
  CANCELLED: 'It was cancelled.',
};

const NONE_FAILED = 'No delivery of the last 30 days has failed for good.';
const WAITING = 'Those that are waiting are sent automatically, or when you choose Resend.';

function replayText(count: number, isWaiting: boolean): string {
  if (count === 0) return isWaiting ? `${NONE_FAILED} ${WAITING}` : NONE_FAILED;
  return count === 1
    ? '1 failed delivery is being sent again.'
    : `${formatNumber(count)} failed deliveries are being sent again.`;
}

const LAGOS_AHEAD_MS = HOUR_MS;

const lagosDay = (days: number) =>
  new Date(Date.now() + LAGOS_AHEAD_MS + days * DAY_MS).toISOString().slice(0, 10);

function useDeliveries({ env, endpointId, onChanged }: DeliveryListProps) {
  const data = useData<DeliveriesView>(deliveriesPath(env, endpointId));
  const sent = useSignal<Sending | undefined>(undefined);
  const resend = async (view: DeliveriesView, { id: of }: DeliveryView) => {
    sent.value = { of, isSending: true };
    const body = { env, endpoint_id: endpointId };
    const result = await sendAndFollow(`/deliveries/${of}/resend`, body, endpointId);
    if (!result.ok) {
      sent.value = { of, problem: result.problem };
      return;
    }
    const { state, reason_text } = result.data;
    const hasFailed = state === 'FAILED' || state === 'CANCELLED';
    const why = hasFailed && reason_text ? ` ${reason_text}` : '';
    sent.value = { of, done: `${RESULTS[state]}${why}`, hasFailed };
    const deliveries = view.deliveries.map((row) => (row.id === of ? result.data : row));
    data.replace({ ...view, deliveries });
    onChanged();
  };
  const refresh = () => {
    data.reload();
    onChanged();
  };
  const replay = async () => {
    sent.value = { of: ALL, isSending: true };
    let count = 0;
    let problem: Problem | undefined;
    for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
      const body: ReplayBody = { env, from: lagosDay(-30), to: lagosDay(0), which: 'failed', cursor };
      const result: Result<ReplayView> = await send('POST', `/webhooks/${endpointId}/replay`, body);
      if (result.ok) count += result.data.resent;
      else problem = result.problem;
      cursor = (result.ok && result.data.next_cursor) || undefined;
    }
    const shown = data.state.value;
    const isWaiting =
      shown.is === 'loaded' && shown.value.deliveries.some(({ state }) => state === 'PENDING');
    sent.value = problem ? { of: ALL, problem } : { of: ALL, done: replayText(count, isWaiting) };
    refresh();
  };
  const showOlder = async ({ deliveries, next_cursor }: DeliveriesView) => {
    const result = await get<DeliveriesView>(deliveriesPath(env, endpointId, next_cursor ?? ''));
    sent.value = result.ok ? undefined : { of: OLDER, problem: result.problem };
    if (result.ok) data.replace({ ...result.data, deliveries: [...deliveries, ...result.data.deliveries] });
  };
  return { data, sent, resend, refresh, replay, showOlder };
}

export function DeliveryList(props: DeliveryListProps) {
  const { data, sent, resend, refresh, replay, showOlder } = useDeliveries(props);
  return (
    <section class="section" aria-labelledby="deliveries">
      <h2 id="deliveries" tabIndex={-1}>
        Deliveries
      </h2>
      <div class="toolbar">
        <Button onClick={refresh}>Refresh</Button>
        {mayManage(props.env) && (
          <Button isBusy={sent.value?.of === ALL && sent.value.isSending === true} onClick={replay}>
            Resend all that failed
          </Button>
        )}
      </div>
      {props.env === 'live' && mayManage('live') && <SignInHint />}
      <SendResult of={ALL} sent={sent.value} />
      <Data data={data}>
        {(view) =>
          view.deliveries.length > 0 ? (
            <>
              <DataTable
                caption="Deliveries, newest first"
                columns={columnsOf(props, (row) => resend(view, row), sent.value)}
                rows={view.deliveries}
                keyOf={({ id }) => id}
              />
              {view.next_cursor && <Button onClick={() => showOlder(view)}>Show older ones</Button>}
              <SendResult of={OLDER} sent={sent.value} />
            </>
          ) : (
            <p>{sharedTexts.nothingSent}</p>
          )
        }
      </Data>
    </section>
  );
}
