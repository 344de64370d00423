import { ID_TYPES, type IdType } from './id-types.ts';

/**
 * The one catalogue of everything that the API answers when it does not answer with data.
 * Sources: specification "Errors", decisions C4 to C9. Documents, OpenAPI and the Python client are checked
 * against it by tests.
 */
export interface CatalogueEntry {
  readonly status: number;
  /** The public words. They never carry identity data, a key, or the name of an internal part. */
  readonly message: string;
  /** May the same request succeed if it is simply sent again? `later`: after Retry-After or a back-off. */
  readonly retry: 'no' | 'once' | 'later';
  /** Was a credit taken? `unknown`: repeat under the same Idempotency-Key to learn it, without a second charge. */
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
    message: 'The organisation is not approved for this access. Complete organisation verification.',
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
    message: 'Too many requests. Wait for the seconds in Retry-After, then send the request again.',
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
    message: 'The request body is larger than 4096 bytes.',
    retry: 'no',
    charged: 'no',
  },
  INVALID_SCHEMA: {
    status: 400,
    message: 'The request body does not have the documented form.',
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
    message: 'No verification of this NIN was found. Verify the NIN first, then download its slip.',
    retry: 'no',
    charged: 'no',
  },
  VERIFICATION_NOT_FOUND: {
    status: 404,
    message: 'No verification with this request id was found.',
    retry: 'no',
    charged: 'no',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    message: 'There is no such method and path. The API document is at /v1/openapi.json.',
    retry: 'no',
    charged: 'no',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    message:
      'A request with this Idempotency-Key is still in progress. Send it again after Retry-After seconds.',
    retry: 'later',
    charged: 'no',
  },
  REPLAY_EXHAUSTED: {
    status: 409,
    message: 'This Idempotency-Key was charged before and its free repeats are used up. Use a new key.',
    retry: 'no',
    charged: 'no',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key belongs to another request. Use a new key for each new request.',
    retry: 'no',
    charged: 'no',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The registry cannot be reached at the moment. Retry with exponential back-off.',
    retry: 'later',
    charged: 'no',
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    message:
      'The outcome could not be confirmed in time. Send the request again with the same Idempotency-Key: it is never charged twice.',
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
      'An unexpected error happened on our side. Retry once, then contact support with the request id.',
    retry: 'once',
    charged: 'no',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type GeneralCode = keyof typeof GENERAL;
export type ErrorCode = GeneralCode | `${IdType}_NOT_FOUND` | `${IdType}_VERIFICATION_FAILED`;
export type SuccessCode = `${IdType}_VERIFIED`;

/** The two codes that each ID type has of its own on its dedicated routes (decision C5). */
function ofType(idType: IdType): [ErrorCode, CatalogueEntry][] {
  return [
    [`${idType}_NOT_FOUND`, { ...GENERAL.RECORD_NOT_FOUND, status: 400 }],
    [`${idType}_VERIFICATION_FAILED`, GENERAL.VERIFICATION_FAILED],
  ];
}

export const CATALOGUE = Object.fromEntries([
  ...Object.entries(GENERAL),
  ...ID_TYPES.flatMap(ofType),
]) as unknown as Readonly<Record<ErrorCode, CatalogueEntry>>;

export interface ServiceErrorOptions {
  /** Public words that say more than the catalogue's; never identity data. */
  readonly message?: string;
  /** Whole seconds for the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/** The only error that the service throws on purpose: a promise that cannot be kept, with its public code. */
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
