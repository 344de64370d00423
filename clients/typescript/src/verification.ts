import type { IdType, Match } from './records.ts';
import {
  creditsCharged,
  headersOf,
  isReplay,
  objectOf,
  type RateLimit,
  type ResponseHeaders,
  rateLimitOf,
  requestIdOf,
  type Success,
  textOf,
} from './responses.ts';

/** The result of a successful look-up. `data` is the record of the registry. */
export class Verification<Data> {
  /** The record. Personal data: do not log it. */
  readonly data: Data;
  readonly code: `${IdType}_VERIFIED`;
  readonly message: string;
  readonly verificationType: IdType;
  readonly verified: boolean;
  /** The name of the provider that returned the record. "Sandbox" for test keys. */
  readonly provider: string;
  readonly confidenceScore: number;
  /** How the details in `match` compare with the record. Undefined without `match`. */
  readonly match: Match | undefined;
  /** Store it with your own record of the call, and quote it in support requests. */
  readonly requestId: string;
  /** When the service responded: UTC, ISO 8601. */
  readonly timestamp: string;
  /** The credits that this response cost: 0 for a free replay. Undefined if the API does not say. */
  readonly creditsCharged: number | undefined;
  /** Whether this response is a free replay of a charged call. */
  readonly replayed: boolean;
  /** The key of the call. It permits three free replays within 24 hours. */
  readonly idempotencyKey: string;

  /** The headers of the response. */
  readonly headers: ResponseHeaders;
  /** Undefined if the response does not say. */
  readonly rateLimit: RateLimit | undefined;

  constructor(body: Success, response: Response, idempotencyKey: string) {
    const summary = objectOf(body['summary']);
    this.data = body.data as Data;
    this.code = body.code as `${IdType}_VERIFIED`;
    this.message = textOf(body['message']) ?? '';
    this.verificationType = body['verification_type'] as IdType;
    this.verified = summary['verified'] === true;
    this.provider = textOf(summary['provider']) ?? '';
    this.confidenceScore = Number(summary['confidence_score'] ?? 0);
    this.match = body['match'] as Match | undefined;
    this.requestId = requestIdOf(body) ?? '';
    this.timestamp = textOf(objectOf(body['meta'])['timestamp']) ?? '';
    this.creditsCharged = creditsCharged(response);
    this.replayed = isReplay(response);
    this.idempotencyKey = idempotencyKey;
    this.headers = headersOf(response);
    this.rateLimit = rateLimitOf(response);
  }

  /** Returns the text that `console.log` prints in Node.js, Deno and Bun. It contains no personal data. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const { code, requestId, provider } = this;
    return `Verification { code: '${code}', provider: '${provider}', requestId: '${requestId}', data: [personal data] }`;
  }
}

/**
 * Frameworks pass only plain objects from the server to components in the browser. To them, an object is plain if its
 * prototype has the members of Object.prototype and no prototype of its own.
 */
function makePlain(prototype: object): void {
  const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(Object.prototype);
  Object.setPrototypeOf(Object.defineProperties(prototype, members), null);
}

makePlain(Verification.prototype);
