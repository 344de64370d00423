import { createSocket } from 'node:dgram';
import * as v from 'valibot';

/**
 * A test double for the X-Ray daemon. It rejects what X-Ray would reject, following the rules for independent
 * subsegments in AWS's page on segment documents. It also rejects unknown fields.
 */

const hexId = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));
const shortText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(250));
const annotationKey = v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_]{1,500}$/));
const annotation = v.union([v.pipe(v.string(), v.maxLength(1000)), v.number(), v.boolean()]);

const subsegment = v.pipe(
  v.strictObject({
    type: v.literal('subsegment'),
    trace_id: v.pipe(v.string(), v.regex(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/)),
    parent_id: hexId,
    id: hexId,
    name: v.pipe(v.string(), v.regex(/^[\p{L}\p{N}\p{Z}_.:/%&#=+\\@-]{1,200}$/u)),
    start_time: v.number(),
    end_time: v.number(),
    namespace: v.optional(v.picklist(['aws', 'remote'])),
    error: v.optional(v.literal(true)),
    throttle: v.optional(v.literal(true)),
    fault: v.optional(v.literal(true)),
    cause: v.optional(
      v.strictObject({
        exceptions: v.array(v.strictObject({ id: hexId, type: shortText, remote: v.boolean() })),
      }),
    ),
    http: v.optional(
      v.strictObject({
        request: v.optional(v.strictObject({ method: shortText, url: shortText })),
        response: v.optional(v.strictObject({ status: v.pipe(v.number(), v.integer()) })),
      }),
    ),
    aws: v.optional(
      v.strictObject({
        operation: shortText,
        request_id: v.optional(shortText),
        retries: v.pipe(v.number(), v.integer(), v.minValue(0)),
        table_name: v.optional(shortText),
        resource_names: v.optional(v.array(shortText)),
      }),
    ),
    annotations: v.optional(v.record(annotationKey, annotation)),
  }),
  v.check(({ start_time, end_time }) => end_time >= start_time, 'The end is before the start.'),
  // Also rejects milliseconds: X-Ray expects seconds.
  v.check(
    ({ start_time }) => Math.abs(start_time - Date.now() / 1000) < 3600,
    'The start is an hour or more from now.',
  ),
);

export type Subsegment = v.InferOutput<typeof subsegment>;

export interface TraceDaemon {
  /** For `AWS_XRAY_DAEMON_ADDRESS`. */
  readonly address: string;
  readonly datagrams: string[];
  /** Parses all datagrams. Throws if X-Ray would reject one. */
  read(): Subsegment[];
  /** Resolves when this many datagrams have been received. Rejects after 5 s. */
  waitFor(count: number): Promise<Subsegment[]>;
  close(): Promise<void>;
}

export async function startTraceDaemon(): Promise<TraceDaemon> {
  const socket = createSocket('udp4').unref();
  const datagrams: string[] = [];
  socket.on('message', (message) => datagrams.push(message.toString('utf8')));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const daemon: TraceDaemon = {
    address: `127.0.0.1:${socket.address().port}`,
    datagrams,
    read: () => datagrams.map(parse),
    async waitFor(count) {
      const deadlineMs = Date.now() + 5_000;
      while (datagrams.length < count) {
        if (Date.now() > deadlineMs)
          throw new Error(`Received only ${datagrams.length} of ${count} datagrams.`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return daemon.read();
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return daemon;
}

/** Parses a datagram: a header line, then one document of at most 64 KB. */
function parse(datagram: string): Subsegment {
  const [header = '', document = '', ...rest] = datagram.split('\n');
  v.parse(v.strictObject({ format: v.literal('json'), version: v.literal(1) }), JSON.parse(header));
  if (rest.length > 0 || Buffer.byteLength(document) > 64 * 1024)
    throw new Error('A datagram must contain one document of at most 64 KB.');
  return v.parse(subsegment, JSON.parse(document));
}

/** Returns a trace header as Lambda passes it to a function, with its suffix. */
export function traceHeaderOf({ root = ROOT, parent = PARENT, sampled = '1' } = {}): string {
  return `Root=${root};Parent=${parent};Sampled=${sampled};Lineage=1:2c8a1c3d:0`;
}

export const ROOT = '1-5759e988-bd862e3fe1be46a994272793';
export const PARENT = '557abcec3ee5a047';
