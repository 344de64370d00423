import type * as v from 'valibot';
import { CATALOGUE, ERROR_REASONS, type SuccessCode } from '../../shared/core/errors.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { cacAffiliate, director } from '../../shared/registries/mapping/records/cac.ts';
import { nextOfKin, residence } from '../../shared/registries/mapping/records/nin.ts';
import { ENVELOPE_FIELDS, RECORD_FIELDS } from '../../shared/verifications/field-descriptions.ts';
import { isPersonType, PERSON_TYPES } from '../../shared/verifications/match-request.ts';
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
import {
  ABOUT,
  FIELD_DESCRIPTIONS,
  type JsonSchema,
  outputSchema,
  responseSchema,
  schemaRef,
} from './json-schemas.ts';
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

function constant(value: string): JsonSchema {
  return { type: 'string', const: value };
}

/** Generators turn a constant boolean into code that does not compile, or that rejects every response. */
const SUCCEEDED = { type: 'boolean', description: 'Always true.' } as const;

const TYPE_OR_EMPTY = {
  type: 'string',
  enum: [...ID_TYPES, ''],
  description: ENVELOPE_FIELDS.verification_type,
} as const;
const MESSAGE = { type: 'string', description: ENVELOPE_FIELDS.message } as const;

const meta = object({
  request_id: { type: 'string', description: ENVELOPE_FIELDS['meta.request_id'] },
  timestamp: {
    type: 'string',
    format: 'date-time',
    description: ENVELOPE_FIELDS['meta.timestamp'],
  },
});

const errorMeta = object({
  request_id: {
    type: 'string',
    description: "Unique ID of the request, or API Gateway's own ID. Quote it when you contact support.",
  },
  timestamp: {
    type: 'string',
    description: 'ISO 8601 in UTC, with milliseconds. Empty if API Gateway itself responded.',
  },
});

/** Of a request with an Idempotency-Key. */
const REPLAY_OF = { type: 'string', description: ENVELOPE_FIELDS['meta.replay_of'] } as const;

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
      success: { type: 'boolean', description: 'Always false.' },
      code: {
        type: 'string',
        enum: Object.keys(CATALOGUE),
        description: 'What went wrong, for programs.',
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

type PersonType = (typeof PERSON_TYPES)[number];

function pascal(name: string): string {
  return name.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the schema name of a service's record. */
export function recordName(service: ServiceName): string {
  return `${pascal(service)}Record`;
}

/** Returns the schema name for a response with a record of this service. */
export function verifiedName(service: ServiceName): string {
  return `${pascal(service)}Response`;
}

/** The envelope of a record. `data` is the name of the schema of the record. */
function verifiedEnvelope(idType: IdType, data: string): JsonSchema {
  const envelope = object({
    success: SUCCEEDED,
    code: constant(successCode(idType)),
    message: { type: 'string' },
    verification_type: constant(idType),
    summary: schemaRef('Summary'),
    data: schemaRef(data),
    meta: schemaRef('Meta'),
  });
  return isPersonType(idType) ? withOptional(envelope, { match: schemaRef('Match') }) : envelope;
}

/**
 * The name of what `data` contains with `match_only`. Some generators try the alternatives in alphabetical order, so it
 * must come after the names of records: a record contains the number too.
 */
function numberName(idType: PersonType): string {
  return `${pascal(idType.toLowerCase())}VerifiedNumber`;
}

/** It never gets other fields, so a record does not fit it. */
function verifiedNumber(idType: PersonType): JsonSchema {
  const number = NUMBER_ALIASES[idType];
  const field = { type: 'string', description: RECORD_FIELDS[number] };
  const description = 'The only field of `data` with `match_only`.';
  return { ...object({ [number]: field }, description), additionalProperties: false };
}

/**
 * The schemas of `data` for people, which is a record or, with `match_only`, its number. By name. With `oneOf`, generated
 * clients in Python would reject each record, because they ignore additional fields and find the number in it too.
 */
function personData(): Readonly<Record<string, JsonSchema>> {
  const data = (idType: PersonType, record: string) => ({
    anyOf: [schemaRef(record), schemaRef(numberName(idType))],
  });
  const ofServices = RECORD_SERVICES.flatMap((service) => {
    const { idType } = SERVICES[service];
    return isPersonType(idType) ? [[dataName(service), data(idType, recordName(service))] as const] : [];
  });
  const ofGateway = PERSON_TYPES.flatMap((idType) => [
    [gatewayDataName(idType), data(idType, gatewayRecordName(idType))] as const,
    [numberName(idType), verifiedNumber(idType)] as const,
  ]);
  return Object.fromEntries([...ofServices, ...ofGateway]);
}

function dataName(service: ServiceName): string {
  return isPersonType(SERVICES[service].idType) ? `${pascal(service)}Data` : recordName(service);
}

/** The services whose records the gateway returns for an ID type, Basic first. */
function gatewayServices(idType: IdType): readonly ServiceName[] {
  return routeServices('verify-identity').filter((service) => SERVICES[service].idType === idType);
}

function gatewayRecordName(idType: IdType): string {
  const services = gatewayServices(idType);
  const [basic = 'nin-basic'] = services;
  return services.length > 1 ? `${pascal(idType.toLowerCase())}Record` : recordName(basic);
}

function gatewayDataName(idType: IdType): string {
  return isPersonType(idType) ? `${pascal(idType.toLowerCase())}Data` : gatewayRecordName(idType);
}

/**
 * Returns the schemas of the records that the gateway returns at several levels. Nothing in a response names its level,
 * and a Premium record is also a valid Basic one, so alternatives would be ambiguous: a generated client could drop
 * fields, or reject the record. One schema requires the fields of Basic, and all or none of the others.
 */
function gatewayRecords(): Readonly<Record<string, JsonSchema>> {
  const entries = ID_TYPES.flatMap((idType) => {
    const [basic, premium] = gatewayServices(idType);
    if (!basic || !premium) return [];
    const required = Object.keys(viewSchema(basic).entries);
    const schema = outputSchema(viewSchema(premium), DATA, RECORD_FIELDS);
    const [first = '', ...others] = Object.keys(viewSchema(premium).entries).filter(
      (field) => !required.includes(field),
    );
    const record = {
      ...schema,
      description: `${idType} Basic, and at level \`advanced\` the fields of Premium.`,
      required,
      ...(others.length > 0 && { dependentRequired: { [first]: others } }),
    };
    return [[gatewayRecordName(idType), record] as const];
  });
  return Object.fromEntries(entries);
}

function gatewayResponseName(idType: IdType): string {
  return `${pascal(idType.toLowerCase())}Response`;
}

/**
 * Returns the gateway's response: one schema for each ID type, which `verification_type` selects. They do not require
 * it, because generated clients in Rust read it before the other fields. The schema of all types does. It also repeats
 * their fields, because generated clients in PHP ignore the alternatives.
 */
function identityResponses(): Readonly<Record<string, JsonSchema>> {
  const responses = ID_TYPES.map((idType) => {
    const envelope = verifiedEnvelope(idType, gatewayDataName(idType));
    const required = (envelope['required'] as readonly string[]).filter((name) => name !== DISCRIMINATOR);
    return [gatewayResponseName(idType), { ...envelope, required }] as const;
  });
  const types = ID_TYPES.map((idType) => [idType, schemaRef(gatewayResponseName(idType))] as const);
  const anyType = object({
    success: SUCCEEDED,
    code: { type: 'string', enum: ID_TYPES.map(successCode) },
    message: { type: 'string' },
    [DISCRIMINATOR]: { type: 'string', enum: ID_TYPES },
    summary: schemaRef('Summary'),
    data: { type: 'object', description: 'The record, or only its number with `match_only`.' },
    meta: schemaRef('Meta'),
  });
  const discriminator = {
    propertyName: DISCRIMINATOR,
    mapping: Object.fromEntries(types.map(([idType, { $ref }]) => [idType, $ref])),
  };
  return {
    IdentityResponse: {
      ...withOptional(anyType, { match: schemaRef('Match') }),
      oneOf: types.map(([, reference]) => reference),
      discriminator,
    },
    ...Object.fromEntries(responses),
  };
}

const DISCRIMINATOR = 'verification_type';

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
    success: SUCCEEDED,
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

/** Returns the schemas of all responses, for `components`. */
export function responseSchemas(): Readonly<Record<string, JsonSchema>> {
  const schemas = Object.entries(declaredSchemas());
  return Object.fromEntries(schemas.map(([name, schema]) => [name, responseSchema(schema)]));
}

function declaredSchemas(): Readonly<Record<string, JsonSchema>> {
  const shortEnvelopeRoutes = Object.keys(SHORT_ENVELOPES) as ShortEnvelopeRoute[];
  return {
    ...Object.fromEntries(
      RECORD_SERVICES.map((service) => [
        verifiedName(service),
        verifiedEnvelope(SERVICES[service].idType, dataName(service)),
      ]),
    ),
    ...identityResponses(),
    ...Object.fromEntries(
      shortEnvelopeRoutes.map((route) => [shortEnvelopeName(route), shortEnvelope(route)]),
    ),
    ...Object.fromEntries(
      Object.entries(DATA).map(([name, schema]) => [
        name,
        outputSchema(schema, DATA, name in RECORDS ? RECORD_FIELDS : FIELD_DESCRIPTIONS, ABOUT[name]),
      ]),
    ),
    ...gatewayRecords(),
    ...personData(),
    ...matchSchemas(),
    Summary: summary,
    Meta: withOptional(meta, { replay_of: REPLAY_OF }),
    Error: error(),
    ErrorDetails: errorDetails,
    ErrorMeta: withOptional(errorMeta, { replay_of: REPLAY_OF }),
  };
}
