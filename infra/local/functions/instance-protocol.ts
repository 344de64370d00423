/**
 * Each message on the pipe has a JSON header and a raw body, both prefixed with their lengths, so that a photo or a PDF
 * is neither parsed nor escaped.
 */
export interface Message<Header> {
  readonly header: Header;
  readonly body: Buffer;
}

/** The body is the event as JSON. */
export interface InvocationRequest {
  readonly requestId: string;
  readonly functionArn: string;
  /** Epoch milliseconds. */
  readonly deadlineMs: number;
  readonly traceId: string;
}

/** Once after its start, and once for each invocation. */
export type InstanceMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'load-failed' }
  /** A string `body` of the payload is the message's body, decoded. */
  | { readonly type: 'returned'; readonly payload: unknown; readonly hasBody: boolean }
  | { readonly type: 'threw' };

const PREFIX_BYTES = 8;

/** Returns the bytes of one message. */
export function encodeMessage(header: unknown, body: Buffer | string = ''): Buffer {
  const text = JSON.stringify(header);
  const headerLength = Buffer.byteLength(text);
  const bodyLength = Buffer.byteLength(body);
  const message = Buffer.allocUnsafe(PREFIX_BYTES + headerLength + bodyLength);
  message.writeUInt32LE(headerLength, 0);
  message.writeUInt32LE(bodyLength, 4);
  message.write(text, PREFIX_BYTES);
  if (typeof body === 'string') message.write(body, PREFIX_BYTES + headerLength);
  else body.copy(message, PREFIX_BYTES + headerLength);
  return message;
}

export class MessageReader<Header> {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Returns the messages that this chunk completes. */
  push(chunk: Buffer): Message<Header>[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: Message<Header>[] = [];
    for (let next = this.#take(); next; next = this.#take()) messages.push(next);
    return messages;
  }

  #take(): Message<Header> | undefined {
    if (this.#size < PREFIX_BYTES) return undefined;
    const prefix = this.#atLeast(PREFIX_BYTES);
    const headerEnd = PREFIX_BYTES + prefix.readUInt32LE(0);
    const end = headerEnd + prefix.readUInt32LE(4);
    if (this.#size < end) return undefined;
    const bytes = this.#atLeast(end);
    this.#chunks = bytes.length > end ? [bytes.subarray(end)] : [];
    this.#size -= end;
    const header = JSON.parse(bytes.toString('utf8', PREFIX_BYTES, headerEnd)) as Header;
    return { header, body: bytes.subarray(headerEnd, end) };
  }

  /** Joins chunks only if the first is too short. */
  #atLeast(bytes: number): Buffer {
    const [first] = this.#chunks;
    if (first && first.length >= bytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}
