import type { IncomingMessage } from 'node:http';

/** `sent`: could the registry have seen (and billed) the request? `detail` is harmless and goes to the log. */
export type HttpResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The parsed body; undefined where it is not UTF-8 JSON. */
      readonly json: unknown;
      /** From Retry-After, where the registry told it in seconds. */
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'unreachable' | 'timeout'; readonly sent: boolean; readonly detail: string }
  | {
      readonly kind: 'invalid';
      readonly detail: 'too-large' | 'redirect' | 'encoded' | 'truncated' | 'not-http';
    };

/** Reads an answer to its end, or to the point where it is refused; calls `settle` at least once. */
export function receive(
  incoming: IncomingMessage,
  maxBytes: number,
  settle: (answer: HttpResponse) => void,
): void {
  const refused = refusal(incoming, maxBytes);
  if (refused) {
    settle({ kind: 'invalid', detail: refused });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) settle({ kind: 'invalid', detail: 'too-large' });
    else chunks.push(chunk);
  });
  // A body cut short is an answer that began: the registry did the work, so it must not be asked again.
  incoming.on('error', () => settle({ kind: 'invalid', detail: 'truncated' }));
  incoming.on('end', () => {
    const retryAfter = incoming.headers['retry-after'] ?? '';
    settle({
      kind: 'response',
      status: incoming.statusCode ?? 0,
      json: parseJson(Buffer.concat(chunks)),
      ...(/^[0-9]{1,5}$/.test(retryAfter) && { retryAfterSeconds: Number(retryAfter) }),
    });
  });
}

/** What the headers alone tell against an answer. */
function refusal(
  incoming: IncomingMessage,
  maxBytes: number,
): 'redirect' | 'encoded' | 'too-large' | undefined {
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400) return 'redirect';
  if ((incoming.headers['content-encoding'] ?? 'identity') !== 'identity') return 'encoded';
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return 'too-large';
  return undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}
