import type * as v from 'valibot';
import { newOperationId } from '../core/ids.ts';
import type { WalletId } from '../core/keys.ts';
import type { DeliveredType, EVENT_DATA, WebhookEvent } from './event-type.ts';

/**
 * Invented data of each event, for "Send test" and the documentation. Their sequence is lower than that of any event, so
 * that a receiver that ignores older ones still accepts the next.
 */
export const SAMPLE_DATA: { readonly [T in DeliveredType]: v.InferOutput<(typeof EVENT_DATA)[T]> } = {
  'balance.low': { available: 99, low_below: 100, sequence: 0 },
  'wallet.empty': { available: 0, low_below: 100, sequence: 0 },
  'top_up.credited': {
    reference: 'TOPUP-01KF0ZB7M0000000000000000V',
    credits: 1_000,
    invoice: 'IDV-2026-000041',
    available: 1_000,
    sequence: 0,
  },
  'key.expiring': {
    label: 'branch 12',
    last_four: '7Kq2',
    not_after: '2026-12-25T09:00:00.000Z',
    days_left: 30,
  },
  'registry.down': { id_type: 'NIN' },
  'registry.up': { id_type: 'NIN' },
  'organisation.approved': { organisation: 'kBDG57GjU9' },
  test: { message: 'This is a test. Your endpoint received it, and can verify its signature.' },
};

const SAMPLE_PREFIX = 'test_';

export const isSample = (eventId: string): boolean => eventId.startsWith(SAMPLE_PREFIX);

/** Its ID begins with `test_`, which no other event has. */
export function sampleEvent(
  type: DeliveredType,
  { env, organisationId }: WalletId,
  nowMs: number,
): WebhookEvent {
  const id = `${SAMPLE_PREFIX}${newOperationId(nowMs)}`;
  return { id, type, at: new Date(nowMs).toISOString(), organisationId, env, data: SAMPLE_DATA[type] };
}
