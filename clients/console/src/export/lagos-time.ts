import { HOUR_MS } from '../../../../shared/core/clock.ts';

/** Returns a time in Lagos in a form that spreadsheets read: "2026-11-23 17:04:05". */
export function lagosTime(at: string): string {
  return new Date(Date.parse(at) + HOUR_MS).toISOString().slice(0, 19).replace('T', ' ');
}
