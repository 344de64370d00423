import { signal } from '@preact/signals';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';

const LOCALE = 'en-NG';

const UTC_KEPT = 'utc';
export const isUtcShown = signal(globalThis.localStorage?.getItem(UTC_KEPT) === 'yes');

/** Also for the next visit. */
export function showUtc(isShown: boolean): void {
  isUtcShown.value = isShown;
  if (isShown) localStorage.setItem(UTC_KEPT, 'yes');
  else localStorage.removeItem(UTC_KEPT);
}

const zone = () => (isUtcShown.value ? 'UTC' : 'Africa/Lagos');

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(LOCALE).format(value);
}

/** "Ada, Bola and Chidi" */
export const formatList = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);

/** Returns a time such as "14 Nov 2026, 09:30", or with `seconds` "14 Nov 2026, 09:30:05". */
export function formatTime(iso: string, timeZone = zone(), seconds?: 'seconds'): string {
  return formatted(iso, {
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
    timeZone,
  });
}

/** "14 Nov 2026" */
export function formatDay(iso: string, timeZone = zone()): string {
  return formatted(iso, { timeZone });
}

/** How long credits will last, such as "until about 14 Nov 2026". `runsOutOn` is null if it is more than a year away. */
export const lastsText = (runsOutOn: string | null) =>
  runsOutOn ? `until about ${formatDay(runsOutOn, 'UTC')}` : 'for more than a year';

/** All months have three letters, unlike in en-GB, which has "Sept". */
function formatted(iso: string, options: Intl.DateTimeFormatOptions): string {
  const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { ...date, ...options });
  return format.format(new Date(iso)).replace('Sept', 'Sep');
}

const STEPS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
] as const;

/** Returns how far a time is from now, such as "2 minutes ago" or "in 61 days". */
export function formatDistance(iso: string, nowMs: number): string {
  const differenceMs = Date.parse(iso) - nowMs;
  const [unit, unitMs] = STEPS.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? ['minute', 60_000];
  const count = Math.round(differenceMs / unitMs);
  return new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(count, unit);
}
