import type * as v from 'valibot';
import { CATALOGUE, ERROR_REASONS, type SuccessCode } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { REQUEST_ID } from '../../shared/core/request-id.ts';
import { cacAffiliate, director } from '../../shared/registries/mapping/records/cac.ts';
import { nextOfKin, residence } from '../../shared/registries/mapping/records/nin.ts';
import { ENVELOPE_FIELDS, RECORD_FIELDS } from '../../shared/verifications/field-descriptions.ts';
import { isPersonType, type PERSON_TYPES } from '../../shared/verifications/match-request.ts';
import { NUMBER_ALIASES, SERVICES, type ServiceName } from '../../shared/verifications/services.ts';
import { viewSchema } from '../../shared/verifications/views.ts';
import {
  balanceData,
  bank,
  banksData,
  healthData,
  keyDetails,
  keyLimits,
  keyUse,
  meData,
  organisationOfKey,
  registryState,
  rejectedRequests,
  serviceAccess,
  serviceParts,
  slipWithdrawalData,
  transaction,
  transactionsData,
  verification,
  verificationData,
  verificationsData,
} from './account-data.ts';
import { FIELD_DESCRIPTIONS, type JsonSchema, outputSchema, schemaRef } from './json-schemas.ts';
import { matchSchemas } from './match-data.ts';
import {
  creditLot,
  invoiceData,
  invoiceLine,
  invoiceParty,
  invoicePayment,
  invoiceSummary,
  invoicesData,
  lotsData,
  monthlyStatement,
  topUpData,
} from './payment-data.ts';
import { RECORD_SERVICES, routeServices } from './route-codes.ts';

/**
 * The named schemas of all responses (specification "Response envelope", contract C1 to C4 and C11). Generators name
 * their classes after the schemas.
 */

function object(properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required: Object.keys(properties),
  };
}

/** Adds properties that a response may lack. */
function withOptional(schema: JsonSchema, optional: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...schema, properties: { ...(schema['properties'] as JsonSchema), ...optional } };
}

function constant(value: string | boolean): JsonSchema {
  return { type: typeof value, const: value };
}

const TYPE_OR_EMPTY = {
  type: 'string',
  enum: [...ID_TYPES, ''],
  description: ENVELOPE_FIELDS.verification_type,
} as const;
const MESSAGE = { type: 'string', description: ENVELOPE_FIELDS.message } as const;

const meta = object({
  request_id: {
    type: 'string',
    pattern: REQUEST_ID.source,
    description: ENVELOPE_FIELDS['meta.request_id'],
  },
  timestamp: {
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    description: ENVELOPE_FIELDS['meta.timestamp'],
  },
});

const errorMeta = object({
  request_id: {
    type: 'string',
    pattern: '^(?:req_[0-9a-f]{12}|[0-9a-f-]{36})$',
    description: "Unique ID of the request, or API Gateway's own ID. Quote it when you contact support.",
  },
  timestamp: {
    type: 'string',
    pattern: '^(?:\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$',
    description: 'ISO 8601 in UTC, with milliseconds. Empty if API Gateway itself responded.',
  },
});

/** Of a request with an Idempotency-Key. */
const REPLAY_OF = {
  type: 'string',
  pattern: REQUEST_ID.source,
  description: ENVELOPE_FIELDS['meta.replay_of'],
} as const;

const summary = object({
  verified: { type: 'boolean', description: ENVELOPE_FIELDS['summary.verified'] },
  verification_type: TYPE_OR_EMPTY,
  provider: {
    type: 'string',
    description: ENVELOPE_FIELDS['summary.provider'],
  },
  confidence_score: {
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 1,
    description: ENVELOPE_FIELDS['summary.confidence_score'],
  },
});

const errorDetails = object(
  {
    reason: {
      type: 'string',
      enum: ERROR_REASONS,
      description: ENVELOPE_FIELDS['error.reason'],
    },
    field: {
      type: 'string',
      description: ENVELOPE_FIELDS['error.field'],
    },
    hint: { type: 'string', description: ENVELOPE_FIELDS['error.hint'] },
  },
  'Why the request is rejected. Every 401, 402, 409, 422 and 429 has it, and so has every other 4xx that is about what you sent. It never contains a value that you sent.',
);

/** The envelope of every error. Only rejections contain `error` (contract C7). */
function error(): JsonSchema {
  const envelope = object(
    {
      success: constant(false),
      code: {
        type: 'string',
        enum: Object.keys(CATALOGUE),
        description: 'What went wrong, for programs. More codes may be added.',
      },
      message: MESSAGE,
      verification_type: TYPE_OR_EMPTY,
      summary: schemaRef('Summary'),
      data: { type: ['object', 'null'], description: 'Always null.' },
      meta: schemaRef('ErrorMeta'),
    },
    'The body of every error.',
  );
  return withOptional(envelope, { error: schemaRef('ErrorDetails') });
}

export function successCode(idType: IdType): SuccessCode {
  return `${idType}_VERIFIED`;
}

function pascal(name: string): string {
  return name.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function recordName(service: ServiceName): string {
  return `${pascal(service)}Record`;
}

/** Returns the schema name for a response with a record of this service. */
export function verifiedName(service: ServiceName): string {
  return `${pascal(service)}Response`;
}

function verified(service: ServiceName): JsonSchema {
  const { idType } = SERVICES[service];
  const envelope = object({
    success: constant(true),
    code: constant(successCode(idType)),
    message: { type: 'string' },
    verification_type: constant(idType),
    summary: schemaRef('Summary'),
    data: schemaRef(recordName(service)),
    meta: schemaRef('Meta'),
  });
  return isPersonType(idType) ? withOptional(envelope, { match: schemaRef('Match') }) : envelope;
}

/**
 * Returns the schema of a record of a person. With `match_only`, the record contains only its number. Otherwise, it is
 * complete: if it has a first name, it has every field. `anyOf` would mean the same, but generators convert its schemas
 * to classes.
 */
function numberOrAll(idType: (typeof PERSON_TYPES)[number], schema: JsonSchema): JsonSchema {
  const number = NUMBER_ALIASES[idType];
  const all = schema['required'] as readonly string[];
  const others = all.filter((name) => name !== number && name !== 'firstname');
  return { ...schema, required: [number], dependentRequired: { firstname: others } };
}

/**
 * Returns the schema of the gateway's response, which is the same as the response of one of several dedicated routes.
 * Premium is first, because many clients use the first alternative that fits.
 */
function identityResponse(): JsonSchema {
  const services = routeServices('verify-identity').toSorted(
    (a, b) => Number(SERVICES[a].level === 'basic') - Number(SERVICES[b].level === 'basic'),
  );
  return {
    description: 'The response of the dedicated route for the ID type and level.',
    anyOf: services.map((service) => schemaRef(verifiedName(service))),
  };
}

/** For each route with the short envelope: its code, and the name and schema of its data. */
export const SHORT_ENVELOPES = {
  me: { code: 'ME', name: 'Me', data: meData },
  banks: { code: 'BANKS', name: 'BankList', data: banksData },
  'wallet-balance': { code: 'WALLET_BALANCE', name: 'Balance', data: balanceData },
  'wallet-transactions': { code: 'WALLET_TRANSACTIONS', name: 'TransactionList', data: transactionsData },
  'wallet-lots': { code: 'WALLET_LOTS', name: 'LotList', data: lotsData },
  'wallet-invoices': { code: 'WALLET_INVOICES', name: 'InvoiceList', data: invoicesData },
  'wallet-invoice': { code: 'WALLET_INVOICE', name: 'Invoice', data: invoiceData },
  'revoke-slip': { code: 'SLIP_WITHDRAWN', name: 'SlipWithdrawal', data: slipWithdrawalData },
  'start-top-up': { code: 'WALLET_TOP_UP', name: 'TopUp', data: topUpData },
  'top-up': { code: 'WALLET_TOP_UP', name: 'TopUp', data: topUpData },
  verifications: { code: 'VERIFICATIONS', name: 'VerificationList', data: verificationsData },
  verification: { code: 'VERIFICATION', name: 'Verification', data: verificationData },
  health: { code: 'HEALTH', name: 'Health', data: healthData },
} as const;
export type ShortEnvelopeRoute = keyof typeof SHORT_ENVELOPES;

export function shortEnvelopeName(route: ShortEnvelopeRoute): string {
  return `${SHORT_ENVELOPES[route].name}Response`;
}

function shortEnvelope(route: ShortEnvelopeRoute): JsonSchema {
  const { code, name } = SHORT_ENVELOPES[route];
  return object({
    success: constant(true),
    code: constant(code),
    message: { type: 'string' },
    data: schemaRef(name),
    meta: schemaRef('Meta'),
  });
}

/** The records in `data`, and the objects in them, which have names so that generators need not invent any. */
const RECORDS: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(RECORD_SERVICES.map((service) => [recordName(service), viewSchema(service)])),
  Residence: residence,
  NextOfKin: nextOfKin,
  Director: director,
  Affiliate: cacAffiliate,
};

/** All schemas in `data` that have a name. */
const DATA: Readonly<Record<string, v.GenericSchema>> = {
  ...RECORDS,
  ...Object.fromEntries(Object.values(SHORT_ENVELOPES).map(({ name, data }) => [name, data])),
  Bank: bank,
  Transaction: transaction,
  Lot: creditLot,
  InvoiceSummary: invoiceSummary,
  Party: invoiceParty,
  InvoiceLine: invoiceLine,
  InvoicePayment: invoicePayment,
  Statement: monthlyStatement,
  VerificationSummary: verification,
  RejectedRequests: rejectedRequests,
  KeyUse: keyUse,
  Organisation: organisationOfKey,
  KeyDetails: keyDetails,
  KeyLimits: keyLimits,
  ServiceAccess: serviceAccess,
  RegistryState: registryState,
  ServiceParts: serviceParts,
};

/** Returns the schemas of people's records, which are complete or contain only the number. */
function personRecords(): Readonly<Record<string, JsonSchema>> {
  const entries = RECORD_SERVICES.flatMap((service) => {
    const { idType } = SERVICES[service];
    if (!isPersonType(idType)) return [];
    const schema = outputSchema(viewSchema(service), DATA, RECORD_FIELDS);
    return [[recordName(service), numberOrAll(idType, schema)]];
  });
  return Object.fromEntries(entries);
}

/** Returns the schemas of all responses, for `components`. */
export function responseSchemas(): Readonly<Record<string, JsonSchema>> {
  const shortEnvelopeRoutes = Object.keys(SHORT_ENVELOPES) as ShortEnvelopeRoute[];
  return {
    ...Object.fromEntries(RECORD_SERVICES.map((service) => [verifiedName(service), verified(service)])),
    IdentityResponse: identityResponse(),
    ...Object.fromEntries(
      shortEnvelopeRoutes.map((route) => [shortEnvelopeName(route), shortEnvelope(route)]),
    ),
    ...Object.fromEntries(
      Object.entries(DATA).map(([name, schema]) => [
        name,
        outputSchema(schema, DATA, name in RECORDS ? RECORD_FIELDS : FIELD_DESCRIPTIONS),
      ]),
    ),
    ...personRecords(),
    ...matchSchemas(),
    Summary: summary,
    Meta: withOptional(meta, { replay_of: REPLAY_OF }),
    Error: error(),
    ErrorDetails: errorDetails,
    ErrorMeta: withOptional(errorMeta, { replay_of: REPLAY_OF }),
  };
}
