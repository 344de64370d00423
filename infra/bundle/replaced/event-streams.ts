/**
 * Replaces `@smithy/core/event-streams` in the bundles. The SDK imports it for operations that stream events, which
 * neither DynamoDB nor Secrets Manager has. Saves 20 KB.
 */
function fail(): never {
  throw new Error('Bundles contain no event streams.');
}

export const EventStreamSerde = fail;
export const eventStreamSerdeProvider = fail;
