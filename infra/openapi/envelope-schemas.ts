import { ERROR_REASONS, type ErrorCode, type SuccessCode } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { viewSchema } from '../../shared/verifications/views.ts';
import { balanceData, banksData, healthData, transactionsData, verificationData } from './account-data.ts';
import { type JsonSchema, outputSchema } from './json-schemas.ts';

/** The response envelopes as JSON Schema: specification "Response envelope", decisions C1 to C4 and C11. */

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema {
  const required = Object.keys(properties);
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required,
    additionalProperties: false,
  };
}

const TYPE_OR_EMPTY = { type: 'string', enum: [...ID_TYPES, ''] } as const;
const MESSAGE = {
  type: 'string',
  description: 'For people. Programs use `code`.',
} as const;

const meta = object({
  request_id: {
    type: 'string',
    pattern: '^req_[0-9a-f]{12}$',
    description: 'Unique ID of the request. Quote it when you contact support.',
  },
  timestamp: {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    description: 'ISO 8601 in UTC, with milliseconds.',
  },
});

const apiGatewayMeta = object(
  {
    request_id: { type: 'string', pattern: '^[0-9a-f-]{36}$', description: "API Gateway's own request ID." },
    timestamp: { const: '' },
  },
  'A response that API Gateway sends itself has its own request ID and an empty timestamp.',
);

const errorDetails = object(
  {
    reason: {
      type: 'string',
      enum: ERROR_REASONS,
      description: 'Why the request is rejected, for programs. More reasons may be added.',
    },
    field: {
      type: 'string',
      description:
        'The path of the field, such as `params.id_number`, or the name of the header or query parameter. Empty if the error concerns no single one.',
    },
    hint: { type: 'string', description: 'What to do, as a sentence.' },
  },
  'What is wrong with what you sent (the body, its number, a header or a query parameter), or that credits are held by other requests. Absent from all other errors. It never contains a value that you sent.',
);

/** The envelope of a failure. Failures that concern what the caller sent, or held credits, also contain `error` (decision C7). */
function failureWithDetails(metaName: string, verificationType: JsonSchema, description: string): JsonSchema {
  const envelope = failure(metaName, verificationType, description);
  const properties = envelope['properties'] as Readonly<Record<string, JsonSchema>>;
  return { ...envelope, properties: { ...properties, error: schemaRef('ErrorDetails') } };
}

function failure(metaName: string, verificationType: JsonSchema, description: string): JsonSchema {
  return object(
    {
      success: { const: false },
      code: { type: 'string' },
      message: MESSAGE,
      verification_type: verificationType,
      summary: object({
        verified: { const: false },
        verification_type: verificationType,
        provider: {
          type: 'string',
          description: 'The provider that returned the result. Empty if the request failed before a look-up.',
        },
        confidence_score: { const: 0 },
      }),
      data: { type: 'null' },
      meta: schemaRef(metaName),
    },
    description,
  );
}

function verified(service: ServiceName): JsonSchema {
  const { idType } = SERVICES[service];
  return object({
    success: { const: true },
    code: { const: successCode(idType) },
    message: MESSAGE,
    verification_type: { const: idType },
    summary: object({
      verified: { const: true },
      verification_type: { const: idType },
      provider: {
        type: 'string',
        minLength: 1,
        description: 'The provider that returned the record. `Sandbox` for test keys.',
      },
      confidence_score: { const: 1, description: 'Always 1.0. Reserved for partial matches.' },
    }),
    data: schemaRef(recordName(service)),
    meta: schemaRef('Meta'),
  });
}

export function successCode(idType: IdType): SuccessCode {
  return `${idType}_VERIFIED`;
}

function pascal(name: string): string {
  return name.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function recordName(service: ServiceName): string {
  return `${pascal(service)}Record`;
}

export function verifiedName(service: ServiceName): string {
  return `${pascal(service)}Verified`;
}

/** The success code and data of the routes with the short envelope: `success`, `code`, `message`, `data`, `meta`. */
export const SHORT_ENVELOPES = {
  banks: { code: 'BANKS', data: banksData },
  'wallet-balance': { code: 'WALLET_BALANCE', data: balanceData },
  'wallet-transactions': { code: 'WALLET_TRANSACTIONS', data: transactionsData },
  verification: { code: 'VERIFICATION', data: verificationData },
  health: { code: 'HEALTH', data: healthData },
} as const;
export type ShortEnvelopeRoute = keyof typeof SHORT_ENVELOPES;

export function shortEnvelopeName(route: ShortEnvelopeRoute): string {
  return `${pascal(route)}Answer`;
}

function shortEnvelope(route: ShortEnvelopeRoute): JsonSchema {
  const { code, data } = SHORT_ENVELOPES[route];
  return object({
    success: { const: true },
    code: { const: code },
    message: MESSAGE,
    data: outputSchema(data),
    meta: schemaRef('Meta'),
  });
}

/** Returns the schema of a failure with one of these codes. `idTypes` are its possible `verification_type`s. */
export function failureWith(codes: readonly ErrorCode[], idTypes: readonly (IdType | '')[]): JsonSchema {
  const type = { enum: [...idTypes] };
  return {
    allOf: [schemaRef('Failure'), { properties: { code: { enum: [...codes] }, verification_type: type } }],
  };
}

export function apiGatewayFailure(code: ErrorCode): JsonSchema {
  return { allOf: [schemaRef('ApiGatewayFailure'), { properties: { code: { const: code } } }] };
}

/** Returns all shared schemas, for `components`. */
export function envelopeSchemas(services: readonly ServiceName[]): Readonly<Record<string, JsonSchema>> {
  const shortEnvelopeRoutes = Object.keys(SHORT_ENVELOPES) as ShortEnvelopeRoute[];
  return {
    Meta: meta,
    ApiGatewayMeta: apiGatewayMeta,
    ErrorDetails: errorDetails,
    Failure: failureWithDetails('Meta', TYPE_OR_EMPTY, 'The body of every error.'),
    ApiGatewayFailure: failureWithDetails(
      'ApiGatewayMeta',
      { const: '' },
      'The body of an error that API Gateway returns itself.',
    ),
    ...Object.fromEntries(
      services.map((service) => [recordName(service), outputSchema(viewSchema(service))]),
    ),
    ...Object.fromEntries(services.map((service) => [verifiedName(service), verified(service)])),
    ...Object.fromEntries(
      shortEnvelopeRoutes.map((route) => [shortEnvelopeName(route), shortEnvelope(route)]),
    ),
  };
}
