import * as v from 'valibot';
import type { ServiceEvent } from './event.ts';

export interface ReceivedEvent extends Omit<ServiceEvent, 'type'> {
  readonly type: string;
  /** When it was published. ISO time. */
  readonly at: string;
}

const busEvent = v.object({
  'detail-type': v.string(),
  time: v.string(),
  detail: v.objectWithRest({ id: v.string() }, v.union([v.string(), v.number()])),
});
/** An event as EventBridge delivers it. */
export type BusEvent = v.InferInput<typeof busEvent>;

/** Throws if it does not have this shape. */
export function receivedEvent(event: BusEvent): ReceivedEvent {
  const { 'detail-type': type, time, detail } = v.parse(busEvent, event);
  const { id, ...others } = detail;
  // With milliseconds, like every other time.
  return { type, id, at: new Date(time).toISOString(), detail: others };
}
