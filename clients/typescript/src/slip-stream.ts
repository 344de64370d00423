import { IdentityError } from './errors.ts';
import { onAbort } from './on-abort.ts';
import { isPdfResponse, notPdf, PDF, startsPdf, unusable } from './responses.ts';
import { type Attempt, interrupted } from './transport.ts';

/** Returns the stream of a PDF, once its first bytes have arrived. */
export async function readSlipStream(
  response: Response,
  idempotencyKey: string,
  signal: AbortSignal | undefined,
): Promise<Attempt<ReadableStream<Uint8Array>>> {
  if (!isPdfResponse(response) || !response.body) return notPdf(response, true);
  const reader = response.body.getReader();
  const first = await firstBytes(reader);
  if (!startsPdf(first)) {
    await reader.cancel();
    return { failure: unusable(response, true) };
  }
  let end = () => {};
  const fail = (controller: ReadableStreamDefaultController, thrown: unknown) => {
    end();
    controller.error(new IdentityError(interrupted(thrown, true, signal), undefined, idempotencyKey));
  };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(first);
      end = onAbort(signal, () => {
        fail(controller, undefined);
        void reader.cancel(signal?.reason);
      });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal?.aborted) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (thrown) {
        fail(controller, thrown);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return { value: stream };
}

/** Reads at least the number of bytes that identify a PDF. They may arrive in pieces. */
async function firstBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  let first = new Uint8Array();
  while (first.length < PDF.length) {
    const { done, value } = await reader.read();
    if (done) break;
    first = new Uint8Array([...first, ...value]);
  }
  return first;
}
