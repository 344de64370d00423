import { isDeepStrictEqual } from 'node:util';
import type * as v from 'valibot';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { COMPANY_NUMBER, NIN_ITSELF, numberFormat } from '../../shared/core/numbers.ts';
import { REQUEST_ID } from '../../shared/core/request-id.ts';
import { IDEMPOTENCY_KEY } from '../../shared/http/idempotency-key.ts';
import { transactionsQuery } from '../../shared/ledger/routes/statement-query.ts';
import { ORDER_REFERENCE } from '../../shared/payments/orders/order-reference.ts';
import {
  DOCUMENT_NUMBER,
  invoicesQuery,
  lotsQuery,
  MOST_CREDITS,
  topUpBody,
} from '../../shared/payments/routes/payment-query.ts';
import { revokeSlipBody } from '../../shared/slips/routes/revoke-slip.ts';
import { claimedDetails, isPersonType, PHONE } from '../../shared/verifications/match-request.ts';
import { dedicatedBody, gatewayBody, slipBody } from '../../shared/verifications/requests.ts';
import { verificationsQuery } from '../../shared/verifications/routes/verifications-query.ts';
import { gatewayService, NUMBER_ALIASES } from '../../shared/verifications/services.ts';
import { CACHEABLE } from './headers.ts';
import { inputSchema, type JsonSchema, schemaRef } from './json-schemas.ts';
import { type RouteName, routeIdType, routeServices } from './route-codes.ts';

/** Request bodies, parameters and headers, generated from the schemas that parse them. */

/** Adds keywords to properties of an object schema, by property name. */
function withKeywords(schema: JsonSchema, keywords: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const entries = Object.entries(properties).map(([name, property]) => [
    name,
    { ...property, ...keywords[name] },
  ]);
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** The rule that the service applies to stored texts. A pattern cannot express it for all scripts. */
const STORED_TEXT = 'printable-text';
const STORED_TEXT_RULE =
  'One line of visible characters, without a number of 10 or more digits (UUIDs, ULIDs, and dates with times do not count).';
const STORED_TEXTS = {
  Consent: {
    format: STORED_TEXT,
    description: `Your reference to the person's consent, kept in the log. ${STORED_TEXT_RULE}`,
  },
  Reason: {
    format: STORED_TEXT,
    description: `The reason for the look-up, kept in the log. ${STORED_TEXT_RULE}`,
  },
  Reference: {
    format: 'visible-text',
    description:
      'Your own identifier for the request, such as a customer ID, kept in the log. `GET /verifications` finds the request by it. One line of visible characters, without the number that is verified.',
  },
} as const;

/** The schemas of properties that several bodies share, by property name. */
const SHARED_PROPERTIES: Readonly<Record<string, string>> = {
  consent: 'Consent',
  reason: 'Reason',
  reference: 'Reference',
  match: 'ClaimedDetails',
  match_only: 'MatchOnly',
};

/** Replaces shared properties with references to their schemas. */
function withSharedProperties({ properties, ...schema }: JsonSchema): JsonSchema {
  const entries = Object.entries(properties as JsonSchema).map(([name, property]) => {
    const named = SHARED_PROPERTIES[name];
    return [name, named === undefined ? property : schemaRef(named)];
  });
  return { ...schema, properties: Object.fromEntries(entries) };
}

function storedTextSchemas(): Readonly<Record<string, JsonSchema>> {
  const properties = inputSchema(slipBody.schema)['properties'] as Readonly<Record<string, JsonSchema>>;
  const entries = Object.entries(STORED_TEXTS).map(([name, keywords]) => [
    name,
    { ...properties[name.toLowerCase()], ...keywords },
  ]);
  return Object.fromEntries(entries);
}

/**
 * The rules that the service applies to names and dates of birth. Patterns cannot express them for all scripts and
 * months.
 */
const CLAIMED_NAME = { format: 'person-name' } as const;
const CLAIMED_DETAILS = {
  firstname: { ...CLAIMED_NAME, description: 'At least one letter.', examples: ['Chukwuemeka'] },
  lastname: CLAIMED_NAME,
  middlename: CLAIMED_NAME,
  birthdate: {
    format: 'birth-date',
    description: 'DD-MM-YYYY or YYYY-MM-DD, from 1900 on.',
    examples: ['23-08-1957'],
  },
  phone: { pattern: PHONE.source, description: 'Local or international.', examples: ['+2348103737017'] },
} as const;

function claimSchemas(): Readonly<Record<string, JsonSchema>> {
  const details = withKeywords(inputSchema(claimedDetails), CLAIMED_DETAILS);
  return {
    ClaimedDetails: {
      ...details,
      minProperties: 1,
      description:
        'The details that the person has given you. `match` in the response says how they compare with the record. A slip says that they match if they do, without showing them. The details are neither stored nor logged.',
    },
    MatchOnly: {
      type: 'boolean',
      description: 'If true, `data` contains only the number. Requires `match`.',
    },
  };
}

function numberKeywords(idType: IdType): JsonSchema {
  const { pattern, text, example } = numberFormat(idType);
  const common = { description: `${idType}: ${text}.`, examples: [example] };
  if (idType !== 'CAC') return { pattern: pattern.source, ...common };
  return {
    pattern: COMPANY_NUMBER.source,
    ...common,
    description: `${common.description} With \`company_type\`, 1 to 8 digits.`,
  };
}

const COMPANY_TYPE = {
  description: 'The type of the registration. Required if the number consists of digits only.',
};

const BANK_CODE = {
  description:
    "The code of the account's bank: any code that `GET /banks` lists. Usually required with live keys.",
  examples: ['050'],
};

/**
 * The key of an additional schema that the body must match. It says what a field may contain if another field has a
 * certain value. It is an extension, because generators convert alternatives to classes, and tools compare examples
 * with each alternative separately.
 */
const CONDITIONS = 'x-conditions';

/** A CAC number has its type in front of the digits, or in `company_type`. */
const COMPANY_CONDITIONS = conditional(
  { properties: { id_number: { pattern: '^[^A-Za-z]*$' } } },
  { required: ['company_type'] },
  { properties: { company_type: false } },
);

/**
 * Returns a schema with `if`, `then` and `else`. It is built from entries, because an object literal with `then` looks
 * like a promise.
 */
function conditional(condition: JsonSchema, met: JsonSchema, otherwise: JsonSchema = {}): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', met],
    ['else', otherwise],
  ]);
}

/** Without a record and without a match, there would be nothing to return. */
const MATCH_CONDITIONS = conditional(
  { properties: { match_only: { const: true } }, required: ['match_only'] },
  { required: ['match'] },
);

/** The key of the other names of fields, which the service accepts in their place. */
const ALIASES = 'x-aliases';

/**
 * Returns the schema of the body of a dedicated route. Its only name for the number is `id_number`: a schema with both
 * names would allow that their values differ, or that both are absent.
 */
function dedicatedSchema(idType: IdType): JsonSchema {
  const [service] = routeServices(`${idType.toLowerCase()}-basic` as RouteName);
  if (!service) throw new Error(`There is no dedicated route for ${idType}.`);
  const schema = withKeywords(inputSchema(dedicatedBody(service).schema), {
    id_number: numberKeywords(idType),
    company_type: COMPANY_TYPE,
    bank_code: BANK_CODE,
  });
  const alias = NUMBER_ALIASES[idType];
  const { [alias]: _, ...properties } = schema['properties'] as JsonSchema;
  return {
    ...schema,
    required: ['id_number'],
    properties,
    [ALIASES]: { [alias]: 'id_number' },
    ...(idType === 'CAC' && { [CONDITIONS]: COMPANY_CONDITIONS }),
    ...(isPersonType(idType) && { [CONDITIONS]: MATCH_CONDITIONS }),
  };
}

const WITHOUT_PREMIUM = new Intl.ListFormat('en-GB').format(
  ID_TYPES.filter((idType) => !gatewayService(idType, 'premium')),
);

function identitySchema(): JsonSchema {
  const { properties, ...schema } = withKeywords(inputSchema(gatewayBody.schema), {
    country: { description: 'ISO 3166-1 alpha-2. Only NG is supported.' },
    id_type: { description: 'The ID type, which selects the registry.' },
    method: {
      description:
        '`biometric` guarantees a usable photo. It requires level `advanced` and a NIN or BVN. Defaults to `identity`.',
    },
    level: {
      description: `\`advance\` is another name for \`advanced\`, which ${WITHOUT_PREMIUM} do not have. Defaults to \`basic\`.`,
    },
  });
  return {
    ...schema,
    properties: { ...(properties as JsonSchema), params: schemaRef('IdentityParams') },
    [CONDITIONS]: identityConditions(ID_TYPES),
  };
}

/** Returns the conditions on the number of each ID type, and what `biometric` requires (contract A6). */
function identityConditions([idType, ...others]: readonly IdType[]): JsonSchema {
  if (idType === undefined) return {};
  const condition = identityCondition(idType);
  const alike = others.filter((other) => isDeepStrictEqual(identityCondition(other), condition));
  const rest = others.filter((other) => !alike.includes(other));
  if (rest.length === 0) return condition;
  return conditional(
    { properties: { id_type: { enum: [idType, ...alike] } } },
    condition,
    identityConditions(rest),
  );
}

function identityCondition(idType: IdType): JsonSchema {
  if (!isPersonType(idType))
    return {
      properties: {
        method: { const: 'identity' },
        ...(idType !== 'CAC' && { level: { const: 'basic' } }),
        match: false,
        match_only: false,
        params: {
          properties: { ...numberProperty(idType), ...absentParams(idType) },
          ...(idType === 'CAC' && COMPANY_CONDITIONS),
        },
      },
    };
  return {
    properties: { params: { properties: absentParams(idType) } },
    ...conditional(
      { properties: { method: { const: 'biometric' } }, required: ['method'] },
      {
        properties: { level: { enum: ['advanced', 'advance'] }, match_only: { const: false } },
        required: ['level'],
      },
    ),
    allOf: [
      MATCH_CONDITIONS,
      conditional(
        { properties: { id_type: { const: 'NIN' } } },
        { properties: { params: { properties: numberProperty('NIN') } } },
        { properties: { params: { properties: numberProperty('BVN') } } },
      ),
    ],
  };
}

function numberProperty(idType: IdType): JsonSchema {
  const { pattern } = numberKeywords(idType);
  return { id_number: { pattern } };
}

/** The parameters that only other ID types have. */
function absentParams(idType: IdType): JsonSchema {
  return {
    ...(idType !== 'CAC' && { company_type: false }),
    ...(idType !== 'NUBAN' && { bank_code: false }),
  };
}

function identityParams(): JsonSchema {
  const { params } = inputSchema(gatewayBody.schema)['properties'] as { readonly params: JsonSchema };
  return withKeywords(params, {
    id_number: {
      description: `The number in the format of its type. ${ID_TYPES.map((idType) => numberKeywords(idType)['description']).join(' ')}`,
      examples: [numberFormat('NIN').example],
    },
    company_type: { description: `${COMPANY_TYPE.description} For CAC only.` },
    bank_code: { ...BANK_CODE, description: `${BANK_CODE.description} For NUBAN only.` },
  });
}

function slipSchema(): JsonSchema {
  return withKeywords(inputSchema(slipBody.schema), {
    nin: {
      ...numberKeywords('NIN'),
      pattern: NIN_ITSELF.source,
      description: 'NIN: exactly 11 digits.',
    },
    slip_type: { description: 'The layout of the slip.' },
  });
}

function revokeSlipSchema(): JsonSchema {
  const request_id = {
    pattern: REQUEST_ID.source,
    description: 'The request ID that is printed on the slip.',
  };
  return withKeywords(inputSchema(revokeSlipBody), { request_id });
}

function topUpSchema(): JsonSchema {
  return withKeywords(inputSchema(topUpBody), {
    credits: {
      type: 'integer',
      maximum: MOST_CREDITS,
      description:
        'The number of credits to buy. The operator sets the minimum and the maximum for one order.',
      examples: [1000],
    },
    return_url: {
      format: 'uri',
      pattern: '^https://',
      description: 'Your page that opens after the payment.',
    },
  });
}

/** Returns the name of the schema of a route's body, or undefined if it has none. */
export function bodyName(route: RouteName): string | undefined {
  if (route === 'nin-slip') return 'SlipRequest';
  if (route === 'revoke-slip') return 'RevokeSlipRequest';
  if (route === 'start-top-up') return 'TopUpRequest';
  if (route === 'verify-identity') return 'IdentityRequest';
  const idType = routeIdType(route);
  return idType && requestName(idType);
}

function requestName(idType: IdType): string {
  return `${idType.charAt(0)}${idType.slice(1).toLowerCase()}Request`;
}

/** Returns the schemas of all request bodies, for `components`. */
export function requestSchemas(): Readonly<Record<string, JsonSchema>> {
  const dedicated = ID_TYPES.map(
    (idType) => [requestName(idType), dedicatedSchema(idType), `${idType.toLowerCase()}-basic`] as const,
  );
  const all = [
    ...dedicated,
    ['IdentityRequest', identitySchema(), 'verify-identity'] as const,
    ['SlipRequest', slipSchema(), 'nin-slip'] as const,
    ['RevokeSlipRequest', revokeSlipSchema(), 'revoke-slip'] as const,
    ['TopUpRequest', topUpSchema(), 'start-top-up'] as const,
  ];
  // Postman fills in the default body. Without one, it invents values for all fields, which contradict each other.
  const withDefaults = all.map(([name, schema, route]) => [
    name,
    {
      ...withSharedProperties(schema),
      default: Object.values(bodyExamples(route as RouteName))[0]?.['value'],
    },
  ]);
  return {
    ...Object.fromEntries(withDefaults),
    IdentityParams: identityParams(),
    ...storedTextSchemas(),
    ...claimSchemas(),
  };
}

/** Returns example bodies that work in the sandbox. The first is the simplest. */
export function bodyExamples(route: RouteName): Readonly<Record<string, JsonSchema>> {
  if (route === 'nin-slip')
    return { slip: { value: { nin: numberFormat('NIN').example, slip_type: 'premium' } } };
  if (route === 'revoke-slip') return { slip: { value: { request_id: 'req_0a1b2c3d4e5f' } } };
  if (route === 'start-top-up') return { order: { value: { credits: 1000 } } };
  if (route === 'verify-identity') {
    const example = (idType: IdType, rest: object) => ({
      value: {
        country: 'NG',
        id_type: idType,
        ...rest,
        params: { id_number: numberFormat(idType).example },
      },
    });
    return {
      nin: example('NIN', {}),
      bvnWithPhoto: example('BVN', { level: 'advanced', method: 'biometric' }),
      cacAdvanced: example('CAC', { level: 'advanced' }),
    };
  }
  const idType = routeIdType(route);
  if (!idType) return {};
  return {
    number: { value: { id_number: numberFormat(idType).example } },
    ...(idType === 'CAC' && { businessName: { value: { id_number: '7000', company_type: 'BN' } } }),
    ...(idType === 'NUBAN' && { withBankCode: { value: { id_number: '0123456785', bank_code: '058' } } }),
  };
}

export const IDEMPOTENCY_PARAMETER: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique key that you generate for this request. You are charged at most once for a key within 30 days: up to 3 replays within 24 hours of the charge are free.',
  // No example: tools would send it with every request, and the second one would be rejected.
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

const QUERY_KEYWORDS: Readonly<
  Record<
    | keyof typeof transactionsQuery.entries
    | keyof typeof verificationsQuery.entries
    | keyof typeof invoicesQuery.entries,
    JsonSchema
  >
> = {
  cursor: { description: 'The `next_cursor` of the previous page. Keep the other parameters the same.' },
  limit: {
    description: 'The maximum number of entries per page. Defaults to 50.',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  },
  from: {
    description:
      'Only entries at or after this date in UTC, or time with its offset (ISO 8601). Must not be later than `to`.',
  },
  to: {
    description:
      'Only entries before this date in UTC, or time with its offset (ISO 8601). Defaults to now; a later time counts as now.',
  },
  type: { description: 'Only debits, or only credits.' },
  kind: { description: 'Only documents of this kind.' },
  reference: { description: 'Only requests with exactly this `reference`.' },
  service: { description: 'Only requests to this service.' },
  idempotency_key: {
    description:
      'Whether a request with this `Idempotency-Key` was charged, and its entries. Cannot be combined with other parameters.',
  },
  outcome: {
    description:
      'Only requests with this outcome. `REJECTED` lists only requests that were rejected before the look-up.',
  },
};

/** The parameters that several lists share. */
const PAGE_PARAMETERS: readonly string[] = ['cursor', 'limit', 'from', 'to'];

function queryParameters(query: v.GenericSchema): JsonSchema[] {
  return allParameters(query).map((parameter) => {
    const name = String(parameter['name']);
    return PAGE_PARAMETERS.includes(name) ? { $ref: `#/components/parameters/${name}` } : parameter;
  });
}

/** Returns the shared parameters of lists, for `components`. */
export function pageParameters(): Readonly<Record<string, JsonSchema>> {
  const parameters = allParameters(transactionsQuery).map((one) => [String(one['name']), one] as const);
  return Object.fromEntries(parameters.filter(([name]) => PAGE_PARAMETERS.includes(name)));
}

function allParameters(query: v.GenericSchema): JsonSchema[] {
  const properties = inputSchema(query)['properties'] as Readonly<Record<string, JsonSchema>>;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
    ...QUERY_KEYWORDS[name as keyof typeof QUERY_KEYWORDS],
  }));
}

const IDEMPOTENCY_REFERENCE = { $ref: '#/components/parameters/IdempotencyKey' } as const;
const SAME_ORDER =
  'A unique key that you generate for this order. If you retry with the same key, you get the same order.';

export function hasIdempotencyKey(route: RouteName): boolean {
  return bodyName(route) !== undefined && route !== 'revoke-slip';
}

/** Returns the path, query and header parameters of a route. */
export function parameters(route: RouteName): readonly JsonSchema[] {
  if (route === 'start-top-up') return [{ ...IDEMPOTENCY_REFERENCE, description: SAME_ORDER }];
  if (hasIdempotencyKey(route)) return [IDEMPOTENCY_REFERENCE];
  if (route === 'wallet-lots') return queryParameters(lotsQuery);
  if (route === 'wallet-invoices') return queryParameters(invoicesQuery);
  if (route === 'wallet-invoice')
    return [pathParameter('number', DOCUMENT_NUMBER.source, 'The document number.')];
  if (route === 'top-up') return [pathParameter('reference', ORDER_REFERENCE.source, 'The order reference.')];
  if (route === 'wallet-transactions') return queryParameters(transactionsQuery);
  if (route === 'verifications') return queryParameters(verificationsQuery);
  if (route === 'verification')
    return [pathParameter('request_id', REQUEST_ID.source, 'The `meta.request_id` of the request.')];
  if (route === 'slip-check' || route === 'slip-details')
    return [pathParameter('token', '^[A-Za-z0-9_-]+$', 'The token in the QR code.')];
  if (route === 'paystack-webhook')
    return [{ name: 'X-Paystack-Signature', in: 'header', required: true, schema: { type: 'string' } }];
  if (route === 'payment-return')
    return [
      {
        name: 'reference',
        in: 'query',
        required: true,
        description: 'The order reference.',
        schema: { type: 'string' },
      },
    ];
  if (CACHEABLE.includes(route))
    return [
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'The ETag of the content that you have.',
        schema: { type: 'string' },
      },
    ];
  return [];
}

function pathParameter(name: string, pattern: string, description: string): JsonSchema {
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern } };
}
