/**
 * Stands in the bundles for `@smithy/core/event-streams`, which the SDK loads for operations whose answer is a stream
 * of events. Neither DynamoDB nor Secrets Manager has one; the import alone keeps 20 KB alive.
 */
function refuse(): never {
  throw new Error('This bundle has no event streams.');
}

export const EventStreamSerde = refuse;
export const eventStreamSerdeProvider = refuse;
