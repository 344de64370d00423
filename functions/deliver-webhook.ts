import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';

/** Keeps each message of the queue of webhooks: there are no endpoints yet, so nothing can be delivered. */
export const handler = async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => ({
  batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});
