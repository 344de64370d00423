import type { ErrorCode } from './errors.ts';
import type { WebhookEvent, WebhookEventType } from './webhooks.ts';

/** The types of `ng-identity/testing`. Its code is in the folder testing next to this one. */

export interface FakeCharge {
  readonly idempotencyKey: string;
  /** Such as `nin-basic` or `nin-slip`. */
  readonly service: string;
}

export interface FakeRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Headers;
  /** The parsed JSON, or undefined. */
  readonly body: unknown;
}

/**
 * An invented API for your tests, which needs no network. It checks requests with the service's own code, and invents
 * the sandbox's people. The last four digits of a number select an error, as in the sandbox.
 */
export declare class FakeIdentity {
  constructor(options?: { credits?: number });
  readonly apiKey: string;
  readonly baseUrl: string;
  /** For code that creates its own client, assign it to `globalThis.fetch`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** For `new IdentityClient(...)`. */
  readonly options: Readonly<Pick<FakeIdentity, 'apiKey' | 'baseUrl' | 'fetch'>>;
  /** How many credits the wallet has left. */
  credits: number;
  readonly charges: readonly FakeCharge[];
  readonly requests: readonly FakeRequest[];
  /** The NINs whose slips can be downloaded. A verification adds its NIN. */
  readonly verified: Set<string>;
  /** Makes the next requests fail with an error code of the API. Nothing is charged. */
  failNext(code: ErrorCode, options?: { times?: number; retryAfterSeconds?: number }): void;
  /** Breaks the connections of the next requests after they were processed and charged. */
  cutNext(times?: number): void;
  /** Pays an order of `startTopUp`, and adds its credits. The fake writes no invoices. */
  payTopUp(reference: string): void;
}

/** Returns an event of the type, with invented data. */
export declare function webhookEvent<Type extends WebhookEventType>(
  type: Type,
): Extract<WebhookEvent, { type: Type }>;

/** Returns the body and the headers of a delivery, as the service signs it. */
export declare function signWebhook(
  eventOrBody: WebhookEvent | string,
  secret: string,
  options?: { nowSeconds?: number },
): Promise<{ readonly body: string; readonly headers: Readonly<Record<string, string>> }>;
