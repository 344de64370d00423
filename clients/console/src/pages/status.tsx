import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { MINUTE_MS } from '../../../../shared/core/clock.ts';
import type {
  IncidentView,
  RegistryStatusView,
  StatusView,
} from '../../../../shared/registries/console/views.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Data, Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { formatNumber } from '../format.ts';
import { useData } from '../loaded-data.ts';
import { session } from '../session.ts';
import { pageTitles, registryStates, sharedTexts } from '../shared-texts.ts';
import { HEIGHTS, RegistryCard, STATE_BADGES } from '../status/registry-card.tsx';
import '../components/legend.css';
import './status.css';

const LEGEND = [
  ['whole', 'Up all day'],
  ['part', 'Down for less than an hour'],
  ['bad', 'Down for longer'],
  ['none', 'No figures'],
] as const;

/** Shows whether the registries work. The page is public, so it does not need the session. */
export default function Status() {
  const data = useData<StatusView>('/status');
  return (
    <Page
      title={pageTitles.status}
      lead="Whether live look-ups work now, and how reliable they were in the last 90 days."
    >
      <Data data={data}>{(status) => <Content status={status} />}</Data>
      <p class="status-links">
        {session.value ? <a href="/">Back to Home</a> : <a href="/sign-in">Sign in to the console</a>}
        <a href="/console/api/status">As JSON</a>
        <a href="/console/api/status/feed">Atom feed</a>
      </p>
    </Page>
  );
}

function Content({ status }: { readonly status: StatusView }) {
  // Scrolls to the incident that a link from the feed names, because the browser tried before it was loaded.
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <div class="stack">
      <Summary status={status} />
      <div class="stack registries">
        {status.registries.map((registry) => (
          <RegistryCard key={registry.id_type} registry={registry} />
        ))}
      </div>
      <ul class="legend">
        {LEGEND.map(([kind, label]) => (
          <li key={kind}>
            <svg viewBox="0 0 16 16" class="days" aria-hidden="true">
              <rect class={kind} x="5" width="6" y={16 - HEIGHTS[kind] * 0.4} height={HEIGHTS[kind] * 0.4} />
            </svg>
            {label}
          </li>
        ))}
      </ul>
      <Incidents incidents={status.incidents} />
    </div>
  );
}

function Summary({ status: { registries, updated_at } }: { readonly status: StatusView }) {
  const troubled = registries.filter(({ status }) => status === 'down' || status === 'degraded');
  const kind = troubled.some(({ status }) => status === 'down') ? 'error' : 'warning';
  const nameOf = ({ id_type, status }: RegistryStatusView) =>
    `${id_type} (${registryStates[status].toLowerCase()})`;
  return (
    <div class={`notice ${troubled.length === 0 ? 'success' : kind}`}>
      <p>
        <strong>
          {troubled.length === 0
            ? 'All registries are working.'
            : `Some look-ups fail or take longer: ${troubled.map(nameOf).join(', ')}.`}
        </strong>
      </p>
      <p class="small">
        Updated <Time at={updated_at} />. {!session.value && sharedTexts.timesInLagos}
      </p>
    </div>
  );
}

const SHOWN = 10;
const LONG_MINUTES = 120;

function Incidents({ incidents }: { readonly incidents: readonly IncidentView[] }) {
  // Opens the list if the address names an incident in it.
  const areAllShown = useSignal(location.hash !== '');
  const shown = areAllShown.value ? incidents : incidents.slice(0, SHOWN);
  return (
    <section class="card" aria-labelledby="incidents">
      <h2 id="incidents">Incidents</h2>
      <p class="hint">
        Down: no look-up was possible. Degraded: some look-ups failed or were slow. Look-ups that fail cost
        nothing.
      </p>
      {incidents.length === 0 && <p>There were no incidents in the last 90 days.</p>}
      <ul class="rows">
        {shown.map((incident) => (
          <Incident key={incident.id} incident={incident} />
        ))}
      </ul>
      {shown.length < incidents.length && (
        <Button
          onClick={() => {
            areAllShown.value = true;
          }}
        >
          {`Show older incidents (${incidents.length - shown.length})`}
        </Button>
      )}
    </section>
  );
}

function Incident({
  incident: { id, id_type, status, started_at, ended_at },
}: {
  readonly incident: IncidentView;
}) {
  return (
    <li id={id}>
      <span>
        <strong>{id_type}</strong>{' '}
        <Badge kind={ended_at ? 'plain' : STATE_BADGES[status]}>
          {registryStates[status]}
          {ended_at && ', ended'}
        </Badge>
      </span>
      <span>
        <Time at={started_at} />
        {' – '}
        {ended_at ? <Time at={ended_at} /> : 'ongoing'}
        {ended_at && <span class="small">{` (${durationOf(started_at, ended_at)})`}</span>}
      </span>
    </li>
  );
}

function durationOf(from: string, to: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS));
  if (minutes < LONG_MINUTES) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${formatNumber(Math.round(minutes / 6) / 10)} hours`;
}
