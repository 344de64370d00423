import { IdentityError } from './errors.ts';
import { isPdfResponse, notPdf, startsPdf, unusable } from './responses.ts';
import { type Attempt, interrupted } from './transport.ts';

/** Returns the stream of a PDF, once its first bytes have arrived. */
export async function readSlipStream(
  response: Response,
  idempotencyKey: string,
  signal: AbortSignal | undefined,
): Promise<Attempt<ReadableStream<Uint8Array>>> {
  if (!isPdfResponse(response) || !response.body) return notPdf(response);
  const reader = response.body.getReader();
  const first = await reader.read();
  if (first.done || !startsPdf(first.value)) {
    await reader.cancel();
    return { failure: unusable(response, true) };
  }
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first.value),
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (thrown) {
        const failure = interrupted(thrown, true, signal);
        controller.error(new IdentityError(failure, undefined, idempotencyKey));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { value: stream };
}
