/**
 * Replaces `@smithy/core/event-streams` in the bundles. The SDK imports it for operations that stream events, which
 * neither DynamoDB nor Secrets Manager has. Saves 20 KB.
 */
function fail(): never {
  throw new Error('Event streams are not part of this bundle (infra/bundle/bundle.ts).');
}

export const EventStreamSerde = fail;
export const eventStreamSerdeProvider = fail;
