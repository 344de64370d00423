import type { RequestDetails } from '../../../../shared/verifications/console/views.ts';
import { formatNumber } from '../format.ts';

const PARTS = { checks: 'Checks', registry: 'Registry', ledger: 'Ledger', rest: 'Other' };

interface TimingsProps {
  readonly timings: NonNullable<RequestDetails['timings']>;
  readonly latencyMs: number;
}

const WIDTH = 300;
const HEIGHT = 16;

export function Timings({ timings: { checks_ms, registry_ms, ledger_ms }, latencyMs }: TimingsProps) {
  const rest = Math.max(0, latencyMs - checks_ms - registry_ms - ledger_ms);
  const parts = [
    { name: 'checks', ms: checks_ms },
    { name: 'registry', ms: registry_ms },
    { name: 'ledger', ms: ledger_ms },
    { name: 'rest', ms: rest },
  ] as const;
  const sum = Math.max(
    1,
    parts.reduce((total, { ms }) => total + ms, 0),
  );
  let x = 0;
  const segments = parts.map(({ name, ms }) => {
    const width = (ms / sum) * WIDTH;
    x += width;
    return { name, width, x: x - width };
  });
  return (
    <section class="timings" aria-labelledby="timings">
      <h3 id="timings">
        Time taken <span class="small">{formatNumber(latencyMs)} ms in total</span>
      </h3>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {segments.map((segment) => (
          <rect key={segment.name} class={segment.name} x={segment.x} width={segment.width} height={HEIGHT} />
        ))}
      </svg>
      <ul>
        {parts.map(({ name, ms }) => (
          <li key={name}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <rect class={name} width={12} height={12} />
            </svg>
            {`${PARTS[name]} ${formatNumber(ms)} ms`}
          </li>
        ))}
      </ul>
    </section>
  );
}
