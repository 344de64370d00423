/**
 * Replaces `@smithy/core/event-streams` in the bundles. The SDK imports it for operations that stream events. The SDK
 * clients that functions use have no such operations.
 */
function fail(): never {
  throw new Error('Bundles contain no event streams.');
}

export const EventStreamSerde = fail;
export const eventStreamSerdeProvider = fail;
