import type { ErrorCode, SuccessCode } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { viewSchema } from '../../shared/verifications/views.ts';
import { balanceData, healthData, transactionsData, verificationData } from './account-data.ts';
import { type JsonSchema, outputSchema } from './json-schemas.ts';

/** The envelope as JSON Schema: specification "Response envelope", decisions C1 to C4 and C11. */

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

const TYPE_OR_NONE = { type: 'string', enum: [...ID_TYPES, ''] } as const;
const MESSAGE = {
  type: 'string',
  description: 'Words for people. They may change; decide by `code`.',
} as const;

const meta = object({
  request_id: {
    type: 'string',
    pattern: '^req_[0-9a-f]{12}$',
    description: 'Unique per request. Quote it in support queries.',
  },
  timestamp: {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    description: 'ISO 8601, UTC, with milliseconds.',
  },
});

const apiGatewayMeta = object(
  {
    request_id: { type: 'string', pattern: '^[0-9a-f-]{36}$', description: "API Gateway's own request id." },
    timestamp: { const: '' },
  },
  'The one exception: what API Gateway answers by itself carries its own id and no time.',
);

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
          description: 'Who answered; empty where the request was refused before anybody was asked.',
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
      provider: { type: 'string', minLength: 1, description: 'Who answered; `Sandbox` for test keys.' },
      confidence_score: { const: 1, description: 'Written 1.0. Reserved for graduated scoring.' },
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

/** The routes that answer in the short envelope: their success code and data. */
export const INFORMATION = {
  'wallet-balance': { code: 'WALLET_BALANCE', data: balanceData },
  'wallet-transactions': { code: 'WALLET_TRANSACTIONS', data: transactionsData },
  verification: { code: 'VERIFICATION', data: verificationData },
  health: { code: 'HEALTH', data: healthData },
} as const;
export type InformationRoute = keyof typeof INFORMATION;

export function informationName(route: InformationRoute): string {
  return `${pascal(route)}Answer`;
}

function information(route: InformationRoute): JsonSchema {
  const { code, data } = INFORMATION[route];
  return object({
    success: { const: true },
    code: { const: code },
    message: MESSAGE,
    data: outputSchema(data),
    meta: schemaRef('Meta'),
  });
}

/** A failure whose code is one of these; `idTypes` are those that it can echo, `''` for none. */
export function failureWith(codes: readonly ErrorCode[], idTypes: readonly (IdType | '')[]): JsonSchema {
  const type = { enum: [...idTypes] };
  return {
    allOf: [schemaRef('Failure'), { properties: { code: { enum: [...codes] }, verification_type: type } }],
  };
}

export function apiGatewayFailure(code: ErrorCode): JsonSchema {
  return { allOf: [schemaRef('ApiGatewayFailure'), { properties: { code: { const: code } } }] };
}

/** All shared schemas, for `components`. */
export function envelopeSchemas(services: readonly ServiceName[]): Readonly<Record<string, JsonSchema>> {
  const informationRoutes = Object.keys(INFORMATION) as InformationRoute[];
  return {
    Meta: meta,
    ApiGatewayMeta: apiGatewayMeta,
    Failure: failure('Meta', TYPE_OR_NONE, 'Every failure, of every route.'),
    ApiGatewayFailure: failure('ApiGatewayMeta', { const: '' }, 'What API Gateway answers by itself.'),
    ...Object.fromEntries(
      services.map((service) => [recordName(service), outputSchema(viewSchema(service))]),
    ),
    ...Object.fromEntries(services.map((service) => [verifiedName(service), verified(service)])),
    ...Object.fromEntries(informationRoutes.map((route) => [informationName(route), information(route)])),
  };
}
