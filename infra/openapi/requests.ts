import type { IdType } from '../../shared/core/id-types.ts';
import { BARE_COMPANY_NUMBER, numberFormat } from '../../shared/core/numbers.ts';
import { transactionsQuery } from '../../shared/http/query.ts';
import { IDEMPOTENCY_KEY } from '../../shared/ledger/rows/idempotency.ts';
import { dedicatedBody, gatewayBody, NUMBER_ALIASES, slipBody } from '../../shared/verifications/requests.ts';
import { GATEWAY_TYPES } from '../../shared/verifications/services.ts';
import { CACHEABLE } from './headers.ts';
import { inputSchema, type JsonSchema } from './json-schemas.ts';
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
  'One line of visible characters, without a number of 10 or more digits (also with single spaces or hyphens between them; dates do not count).';
const REFERENCES = {
  consent: {
    format: STORED_TEXT,
    description: `Your reference to the person's consent, kept in the log. ${STORED_TEXT_RULE}`,
  },
  reason: {
    format: STORED_TEXT,
    description: `The reason for the look-up, kept in the log. ${STORED_TEXT_RULE}`,
  },
} as const;

function numberKeywords(idType: IdType): JsonSchema {
  const { pattern, text, example } = numberFormat(idType);
  const common = { description: `${idType}: ${text}.`, examples: [example] };
  if (idType !== 'CAC') return { pattern: pattern.source, ...common };
  return { ...common, description: `${common.description} With \`company_type\`, 1 to 8 digits.` };
}

const COMPANY_TYPE = {
  description: 'The type of the registration. Required if the number consists of digits only.',
};

/**
 * The alternatives for the number in this field, without its other name. A CAC number has its type in front, or in
 * `company_type`.
 */
function numberAlternatives(idType: IdType, field: string, otherName?: string): JsonSchema[] {
  if (idType !== 'CAC') return [{ required: [field] }];
  const number = ({ source }: RegExp) => ({
    [field]: { pattern: source },
    ...(otherName !== undefined && { [otherName]: false }),
  });
  const typed = { ...number(numberFormat(idType).pattern), company_type: false };
  return [
    { required: [field], properties: typed },
    { required: [field, 'company_type'], properties: number(BARE_COMPANY_NUMBER) },
  ];
}

function dedicatedSchema(idType: IdType): JsonSchema {
  const [service] = routeServices(`${idType.toLowerCase()}-basic` as RouteName);
  if (!service) throw new Error(`There is no dedicated route for ${idType}.`);
  const alias = NUMBER_ALIASES[idType];
  const schema = withKeywords(inputSchema(dedicatedBody(service).schema), {
    ...REFERENCES,
    id_number: numberKeywords(idType),
    [alias]: { ...numberKeywords(idType), description: 'Another name for id_number.' },
    company_type: COMPANY_TYPE,
    bank_code: {
      description:
        "The code of the account's bank: any code that `GET /banks` lists. Required with live keys.",
      examples: ['050'],
    },
  });
  const { required, ...rest } = schema;
  const oneOf = [
    ...numberAlternatives(idType, 'id_number', alias),
    ...numberAlternatives(idType, alias, 'id_number'),
  ];
  return { ...rest, oneOf };
}

/** One alternative for each ID type and method: `biometric` needs certain combinations (decision A6). */
function gatewaySchema(): JsonSchema {
  const schema = withKeywords(inputSchema(gatewayBody.schema), {
    ...REFERENCES,
    country: { type: 'string', description: 'ISO 3166-1 alpha-2. Only NG is supported.' },
    id_type: { description: 'The ID type, which selects the registry.' },
    method: {
      description: '`biometric` guarantees a usable photo. It requires level `advanced` and a NIN or BVN.',
    },
    level: { description: '`advance` is another name for `advanced`.' },
  });
  const identity = GATEWAY_TYPES.map((idType) =>
    gatewayAlternative(schema, idType, { method: { enum: ['identity'] } }),
  );
  const biometric = GATEWAY_TYPES.filter((idType) => idType !== 'CAC').map((idType) =>
    gatewayAlternative(
      schema,
      idType,
      {
        method: { enum: ['biometric'], default: undefined },
        level: { enum: ['advanced', 'advance'], default: undefined },
      },
      ['method', 'level'],
    ),
  );
  // anyOf, because only the optional `method` makes the alternatives exclude each other.
  return { anyOf: [...identity, ...biometric] };
}

function gatewayAlternative(
  schema: JsonSchema,
  idType: IdType,
  keywords: Readonly<Record<string, JsonSchema>>,
  alsoRequired: readonly string[] = [],
): JsonSchema {
  const { params } = schema['properties'] as { readonly params: JsonSchema };
  return {
    title: `${idType} ${alsoRequired.length > 0 ? 'biometric' : 'identity'}`,
    ...withKeywords(schema, {
      ...keywords,
      id_type: { enum: [idType] },
      params: gatewayParams(params, idType),
    }),
    required: [...(schema['required'] as string[]), ...alsoRequired],
  };
}

function gatewayParams(params: JsonSchema, idType: IdType): JsonSchema {
  const schema = withKeywords(params, { id_number: numberKeywords(idType), company_type: COMPANY_TYPE });
  if (idType === 'CAC') return { ...schema, oneOf: numberAlternatives(idType, 'id_number') };
  const { company_type: _, ...properties } = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  return { ...schema, properties };
}

function slipSchema(): JsonSchema {
  return withKeywords(inputSchema(slipBody.schema), {
    ...REFERENCES,
    nin: numberKeywords('NIN'),
    slip_type: { description: 'The layout of the slip.' },
  });
}

/** Returns the schema of a route's body, or undefined if it has none. */
export function bodySchema(route: RouteName): JsonSchema | undefined {
  if (route === 'nin-slip') return slipSchema();
  if (route === 'verify-identity') return gatewaySchema();
  const idType = routeIdType(route);
  return idType && dedicatedSchema(idType);
}

/** Returns example bodies that work in the sandbox. */
export function bodyExamples(route: RouteName): Readonly<Record<string, JsonSchema>> {
  if (route === 'nin-slip')
    return { slip: { value: { nin: numberFormat('NIN').example, slip_type: 'regular' } } };
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
    'A unique key that you generate for this request. If you retry with the same key, you are never charged twice: up to 3 replays within 24 hours of the charge are free.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

/** A date, or a time in UTC. */
const TIME = {
  anyOf: [
    { type: 'string', format: 'date' },
    {
      type: 'string',
      format: 'date-time',
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
    },
  ],
} as const;

const QUERY_KEYWORDS: Readonly<Record<keyof typeof transactionsQuery.entries, JsonSchema>> = {
  cursor: { description: 'The `next_cursor` of the previous page. Keep the other parameters the same.' },
  limit: {
    description: 'The number of entries per page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  from: {
    description: 'Only entries at or after this date or time (ISO 8601 in UTC). Must not be later than `to`.',
    schema: TIME,
  },
  to: {
    description:
      'Only entries before this date or time (ISO 8601 in UTC). Defaults to now; a later time counts as now.',
    schema: TIME,
  },
  type: { description: 'Only debits, or only credits.' },
};

function queryParameters(): JsonSchema[] {
  const properties = inputSchema(transactionsQuery)['properties'] as Readonly<Record<string, JsonSchema>>;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
    ...QUERY_KEYWORDS[name as keyof typeof QUERY_KEYWORDS],
  }));
}

/** Returns the path, query and header parameters of a route. */
export function parameters(route: RouteName): readonly JsonSchema[] {
  if (bodySchema(route)) return [{ $ref: '#/components/parameters/IdempotencyKey' }];
  if (route === 'wallet-transactions') return queryParameters();
  if (route === 'verification')
    return [pathParameter('request_id', '^req_[0-9a-f]{12}$', 'The `meta.request_id` of the request.')];
  if (route === 'slip-check')
    return [pathParameter('token', '^[A-Za-z0-9_-]+$', 'The token in the QR code.')];
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
