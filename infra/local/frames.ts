/**
 * How the runtime and a function instance talk through a pipe: frames of a JSON head and a raw body, each with
 * its length before it. The body travels apart so that a photo or a PDF is neither parsed nor escaped.
 */
export interface Frame<Head> {
  readonly head: Head;
  readonly body: Buffer;
}

const PREFIX_BYTES = 8;

/** The bytes of one frame. */
export function encodeFrame(head: unknown, body: Buffer | string = ''): Buffer {
  const text = JSON.stringify(head);
  const headLength = Buffer.byteLength(text);
  const bodyLength = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + headLength + bodyLength);
  frame.writeUInt32LE(headLength, 0);
  frame.writeUInt32LE(bodyLength, 4);
  frame.write(text, PREFIX_BYTES);
  if (typeof body === 'string') frame.write(body, PREFIX_BYTES + headLength);
  else body.copy(frame, PREFIX_BYTES + headLength);
  return frame;
}

/** Gathers the chunks of a pipe until frames are whole. */
export class FrameReader<Head> {
  #chunks: Buffer[] = [];
  #size = 0;

  /** The frames that this chunk completes. */
  push(chunk: Buffer): Frame<Head>[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const frames: Frame<Head>[] = [];
    for (let next = this.#take(); next; next = this.#take()) frames.push(next);
    return frames;
  }

  #take(): Frame<Head> | undefined {
    if (this.#size < PREFIX_BYTES) return undefined;
    const first = this.#gathered(PREFIX_BYTES);
    const headEnd = PREFIX_BYTES + first.readUInt32LE(0);
    const end = headEnd + first.readUInt32LE(4);
    if (this.#size < end) return undefined;
    const whole = this.#gathered(end);
    this.#chunks = whole.length > end ? [whole.subarray(end)] : [];
    this.#size -= end;
    const head = JSON.parse(whole.toString('utf8', PREFIX_BYTES, headEnd)) as Head;
    return { head, body: whole.subarray(headEnd, end) };
  }

  /** All chunks as one, unless the first alone holds enough. */
  #gathered(bytes: number): Buffer {
    const [first] = this.#chunks;
    if (first && first.length >= bytes) return first;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}
