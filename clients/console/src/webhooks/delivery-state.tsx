import type { DeliveryView } from '../../../../shared/webhooks/console/views.ts';
import { Badge } from '../components/badge.tsx';

const STATES = {
  PENDING: 'Waiting',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
};

const KINDS = { PENDING: 'warning', DELIVERED: 'good', FAILED: 'bad', CANCELLED: 'plain' } as const;

export function DeliveryState({ shown: { state, reason_text } }: { readonly shown: DeliveryView }) {
  return (
    <>
      <Badge kind={KINDS[state]}>{STATES[state]}</Badge>
      {reason_text && <span class="small block">{reason_text}</span>}
    </>
  );
}
