import type { Environment, WebhookData } from './models.ts';
import type { Bytes } from './responses.ts';

export type WebhookEventType = keyof WebhookData;

interface EventOf<Type extends WebhookEventType> {
  /** The same in each delivery of the event, so that you can recognise repeated deliveries. */
  readonly id: string;
  readonly type: Type;
  /** When the event was published: UTC, ISO 8601. */
  readonly timestamp: string;
  readonly environment: Environment;
  readonly data: Readonly<WebhookData[Type]>;
}

/** An event, as a union by `type`. Newer versions of the service may send other types: ignore those. */
export type WebhookEvent = { [Type in WebhookEventType]: EventOf<Type> }[WebhookEventType];

export type WebhookErrorReason = 'missing_header' | 'wrong_time' | 'wrong_signature' | 'not_json';

/** Thrown for a request that is not from the service, has a wrong time, or is damaged. Respond with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The headers of a request, as any framework has them: with a function `get`, iterable, or a plain object. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | Iterable<readonly [name: string, value: string | readonly string[]]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How far the time of the request may be from now, in milliseconds. @default 5 minutes */
  toleranceMs?: number;
  /** @default the current time of this machine */
  now?: Date;
}

const TOLERANCE_MS = 5 * 60_000;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * Checks the signature of a webhook (Standard Webhooks 1.0) and returns its event. `body` is the body exactly as
 * received, before any parser: JSON that was parsed and written again has a different signature. `secret` begins with
 * `whsec_`; white space around it is ignored. During a rotation, pass both secrets. Throws a WebhookError if the request must be rejected, and a
 * TypeError if an argument is not valid.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceMs = TOLERANCE_MS, now = new Date() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const secrets = [secret].flat();
  if (secrets.length === 0) throw new TypeError('Pass the secret of the webhook endpoint.');
  const keys = secrets.map(keyBytes);
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1000 - now.getTime()) > toleranceMs)
    throw new WebhookError('wrong_time', 'The time of the webhook is too far from the time of this machine.');

  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const key of keys)
    for (const signature of signatures.split(' '))
      if (await isSignature(signature, signed, key)) return parse(bytes);
  throw new WebhookError('wrong_signature', 'The webhook has no signature that was made with this secret.');
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError('Pass the raw body of the request, as received before any parser: a string or bytes.');
}

function keyBytes(secret: unknown): Bytes {
  const bytes = typeof secret === 'string' ? decode(secret.trim().replace(/^whsec_/, '')) : undefined;
  if (!bytes?.length)
    throw new TypeError('The secret is not the text that the console shows: whsec_ and Base64.');
  return bytes;
}

function header(headers: WebhookHeaders, name: string): string {
  const found = [headerValue(headers, name)].flat();
  const [value] = found;
  if (found.length !== 1 || typeof value !== 'string' || value === '')
    throw new WebhookError('missing_header', `The request has no header ${name}.`);
  return value;
}

function headerValue(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('Pass the headers of the request.');
  // A Map has `get` too, but compares capitals.
  const value = 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : undefined;
  if (value) return value;
  const entries: Iterable<unknown> =
    Symbol.iterator in headers ? (headers as Iterable<unknown>) : Object.entries(headers);
  for (const entry of entries) {
    const [key, value] = Array.isArray(entry) ? entry : [];
    if (String(key).toLowerCase() === name) return value;
  }
  return undefined;
}

/** Whether a signature matches. Compares in constant time. */
async function isSignature(text: string, signed: Bytes, key: Bytes) {
  const signature = text.startsWith('v1,') ? decode(text.slice(3)) : undefined;
  if (!signature) return false;
  const { subtle } = globalThis.crypto;
  return subtle.verify(HMAC, await subtle.importKey('raw', key, HMAC, false, ['verify']), signature, signed);
}

function parse(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent;
  } catch {
    throw new WebhookError('not_json', 'The body of the webhook is not JSON.');
  }
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function decode(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
