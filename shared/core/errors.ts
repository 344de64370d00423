import type { IdType } from './id-types.ts';

/**
 * The catalogue of all error codes. Sources: specification "Errors", decisions C4 to C9. Tests compare the docs, the
 * OpenAPI document and the Python client with it.
 */
export interface CatalogueEntry {
  readonly status: number;
  /** The public message. It never contains identity data, a key, or the name of an internal component. */
  readonly message: string;
  /** Whether the same request may succeed if it is sent again. `later`: after Retry-After or a back-off. */
  readonly retry: 'no' | 'once' | 'later';
  /** Whether a credit was taken. `unknown`: a retry under the same Idempotency-Key shows it, without a second charge. */
  readonly charged: 'no' | 'unknown';
}

const GENERAL = {
  HTTPS_REQUIRED: {
    status: 403,
    message: 'Use HTTPS. Plain HTTP requests are rejected.',
    retry: 'no',
    charged: 'no',
  },
  INVALID_API_KEY: {
    status: 401,
    message:
      'The API key is missing, malformed, expired or revoked. Send it as "Authorization: Bearer <API key>".',
    retry: 'no',
    charged: 'no',
  },
  AUTH_FAILURE: {
    status: 401,
    message:
      'The API key is missing, malformed, expired or revoked. Send it as "Authorization: Bearer <API key>".',
    retry: 'no',
    charged: 'no',
  },
  UNAPPROVED_ORGANIZATION: {
    status: 401,
    message:
      'The organisation is not approved for live access. Complete its verification in the account console.',
    retry: 'no',
    charged: 'no',
  },
  SUBSCRIPTION_REQUIRED: {
    status: 401,
    message: 'The requested service is not enabled for this account. Enable it under Services.',
    retry: 'no',
    charged: 'no',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests. Wait for the number of seconds in Retry-After, then retry.',
    retry: 'later',
    charged: 'no',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as UTF-8 JSON with "Content-Type: application/json".',
    retry: 'no',
    charged: 'no',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is larger than 4,096 bytes.',
    retry: 'no',
    charged: 'no',
  },
  INVALID_SCHEMA: {
    status: 400,
    message: 'The request body does not match the documented schema.',
    retry: 'no',
    charged: 'no',
  },
  INSUFFICIENT_FUNDS: {
    status: 402,
    message: 'The wallet balance does not cover this request. Top up the wallet.',
    retry: 'no',
    charged: 'no',
  },
  VERIFICATION_FAILED: {
    status: 400,
    message:
      'The registry returned an error for this number. Retry once, then contact support with the request id.',
    retry: 'once',
    charged: 'no',
  },
  RECORD_NOT_FOUND: {
    status: 404,
    message: 'The registry has no record for this number. Check the number.',
    retry: 'no',
    charged: 'no',
  },
  VERIFICATION_LOG_NOT_FOUND: {
    status: 404,
    message: 'This NIN has not been verified yet. Verify it first, then download its slip.',
    retry: 'no',
    charged: 'no',
  },
  VERIFICATION_NOT_FOUND: {
    status: 404,
    message: 'There is no verification with this request id.',
    retry: 'no',
    charged: 'no',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: 'No route matches this method and path. The OpenAPI document is at /v1/openapi.json.',
    retry: 'no',
    charged: 'no',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    message:
      'A request with this Idempotency-Key is still in progress. Retry after the number of seconds in Retry-After.',
    retry: 'later',
    charged: 'no',
  },
  REPLAY_EXHAUSTED: {
    status: 409,
    message:
      'The request with this Idempotency-Key was charged, and its free replays are used up. Use a new key.',
    retry: 'no',
    charged: 'no',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key belongs to a different request. Use a new key for each new request.',
    retry: 'no',
    charged: 'no',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The registry cannot be reached at the moment. Retry with exponential backoff.',
    retry: 'later',
    charged: 'no',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    message:
      'The outcome could not be confirmed in time. Retry with the same Idempotency-Key: you are never charged twice.',
    retry: 'later',
    charged: 'unknown',
  },
  TIMEOUT: {
    status: 504,
    message: 'The registry did not respond in time. Retry once after a short delay.',
    retry: 'once',
    charged: 'no',
  },
  SERVER_ERROR: {
    status: 500,
    message:
      'An unexpected error occurred on our side. Retry once, then contact support with the request id.',
    retry: 'once',
    charged: 'no',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type GeneralCode = keyof typeof GENERAL;
export type ErrorCode = GeneralCode | `${IdType}_NOT_FOUND` | `${IdType}_VERIFICATION_FAILED`;
export type SuccessCode = `${IdType}_VERIFIED`;

/** The two codes that each ID type has on its dedicated routes (decision C5). */
function codesOf<T extends IdType>(idType: T) {
  return {
    [`${idType}_NOT_FOUND`]: { ...GENERAL.RECORD_NOT_FOUND, status: 400 },
    [`${idType}_VERIFICATION_FAILED`]: GENERAL.VERIFICATION_FAILED,
  } as Record<`${T}_NOT_FOUND` | `${T}_VERIFICATION_FAILED`, CatalogueEntry>;
}

export const CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  ...GENERAL,
  ...codesOf('NIN'),
  ...codesOf('BVN'),
  ...codesOf('CAC'),
  ...codesOf('TIN'),
  ...codesOf('NUBAN'),
};

export interface ServiceErrorOptions {
  /** A more specific public message than the catalogue's; never identity data. */
  readonly message?: string;
  /** Whole seconds for the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/** The only error that the service throws on purpose: a rejected or failed request, with its public code. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? CATALOGUE[code].message, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
