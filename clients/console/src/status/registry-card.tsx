import type { RegistryStatusView } from '../../../../shared/registries/console/views.ts';
import { Badge } from '../components/badge.tsx';
import { ChartTable } from '../components/chart-table.tsx';
import { formatDay, formatNumber } from '../format.ts';
import { idTypeNames, registryStates } from '../shared-texts.ts';

export const STATE_BADGES = { up: 'good', degraded: 'warning', down: 'bad', off: 'plain' } as const;

export function RegistryCard({ registry }: { readonly registry: RegistryStatusView }) {
  const { id_type, status, uptime, days } = registry;
  const observed = days.filter((day) => day.uptime !== null).length;
  const latest = days.findLast(({ p95_ms }) => p95_ms !== null);
  return (
    <section class="card" aria-labelledby={id_type}>
      <div class="registry-head">
        <h2 id={id_type}>{idTypeNames[id_type]}</h2>
        <Badge kind={STATE_BADGES[status]}>{registryStates[status]}</Badge>
      </div>
      {uptime === null ? (
        <p>There are no figures yet.</p>
      ) : (
        <figure class="chart">
          <figcaption>
            {observed === 1
              ? `${percentOf(uptime)} uptime today`
              : `${percentOf(uptime)} uptime in ${observed} days`}
          </figcaption>
          <Bars days={days} />
          <div class="chart-marks" aria-hidden="true">
            <span>{formatDay(days[0]?.day ?? '', 'UTC')}</span>
            <span>Today</span>
          </div>
          {latest && (
            <p class="small">
              95% of look-ups took at most {formatNumber(latest.p95_ms ?? 0)} ms on{' '}
              {formatDay(latest.day, 'UTC')}.
            </p>
          )}
          <ChartTable
            heads={['Day (UTC)', 'Uptime', '95th percentile (ms)']}
            rows={days.toReversed().map(rowOf)}
          />
        </figure>
      )}
    </section>
  );
}

type Day = RegistryStatusView['days'][number];

const rowOf = ({ day, uptime, p95_ms }: Day): [string, string, string] => [
  formatDay(day, 'UTC'),
  uptime === null ? '–' : percentOf(uptime),
  p95_ms === null ? '–' : formatNumber(p95_ms),
];

const STEP = 4;
const WIDTH = 3;
const HEIGHT = 40;
/** The height of a bar has the same meaning as its colour. */
export const HEIGHTS = { whole: HEIGHT, part: 28, bad: 16, none: 2 };
const HOUR_MINUTES = 60;

function Bars({ days }: Pick<RegistryStatusView, 'days'>) {
  return (
    <svg
      class="days"
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {days.map((day, index) => {
        const kind = kindOf(day);
        const height = HEIGHTS[kind];
        return (
          <rect
            key={day.day}
            class={kind}
            x={index * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
          />
        );
      })}
    </svg>
  );
}

function kindOf({ uptime, down_minutes }: Day): keyof typeof HEIGHTS {
  if (uptime === null) return 'none';
  if (uptime === 1) return 'whole';
  return down_minutes < HOUR_MINUTES ? 'part' : 'bad';
}

/**
 * Returns 100%, or a percentage with two decimals. It is rounded down, so that a registry that was down for a moment
 * never shows 100%.
 */
const percentOf = (share: number) =>
  share === 1 ? '100%' : `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
