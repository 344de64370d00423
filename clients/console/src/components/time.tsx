import { useEffect, useState } from 'preact/hooks';
import { consoleNowMs } from '../api.ts';
import { formatDay, formatDistance, formatTime } from '../format.ts';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** `time` by default. `seconds`: the time with seconds. `distance`: "2 minutes ago". */
  readonly as?: 'time' | 'seconds' | 'day' | 'distance';
}

export function Time({ at, as = 'time' }: TimeProps) {
  const [, setMinutes] = useState(0);
  useEffect(() => {
    if (as !== 'distance') return;
    const timer = setInterval(() => setMinutes((minutes) => minutes + 1), 60_000);
    return () => clearInterval(timer);
  }, [as]);
  const text =
    as === 'distance'
      ? formatDistance(at, consoleNowMs())
      : as === 'day'
        ? formatDay(at)
        : formatTime(at, undefined, as === 'seconds' ? as : undefined);
  return (
    <time dateTime={at} title={`${formatTime(at, 'Africa/Lagos')} WAT, ${formatTime(at, 'UTC')} UTC`}>
      {text}
    </time>
  );
}
