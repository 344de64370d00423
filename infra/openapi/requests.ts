import { type IdType, numberFormat } from '../../shared/core/id-types.ts';
import { transactionsQuery } from '../../shared/http/query.ts';
import { IDEMPOTENCY_KEY } from '../../shared/ledger/rows/idempotency.ts';
import { dedicatedBody, gatewayBody, NUMBER_ALIASES, slipBody } from '../../shared/verifications/requests.ts';
import { GATEWAY_TYPES } from '../../shared/verifications/services.ts';
import { inputSchema, type JsonSchema } from './json-schemas.ts';
import { type RouteName, routeIdType, routeServices } from './route-codes.ts';

/** What a caller sends: bodies, parameters and headers, from the schemas that read them. */

const CONSENT = "Your reference to the data subject's consent; kept with the log entry.";
const REASON = 'Why you look the number up; kept with the log entry.';

function withNotes(schema: JsonSchema, notes: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const noted = Object.entries(properties).map(([name, property]) => [name, { ...property, ...notes[name] }]);
  return { ...schema, properties: Object.fromEntries(noted) };
}

const REFERENCES = { consent: { description: CONSENT }, reason: { description: REASON } } as const;

function numberNote(idType: IdType): JsonSchema {
  const { pattern, words, example } = numberFormat(idType);
  return { pattern: pattern.source, description: `${idType}: ${words}.`, examples: [example] };
}

function dedicatedSchema(idType: IdType): JsonSchema {
  const [service] = routeServices(`${idType.toLowerCase()}-basic` as RouteName);
  if (!service) throw new Error(`${idType} has no route of its own.`);
  const alias = NUMBER_ALIASES[idType];
  const schema = withNotes(inputSchema(dedicatedBody(service).schema), {
    ...REFERENCES,
    id_number: numberNote(idType),
    [alias]: { ...numberNote(idType), description: `The same under its own name, in place of id_number.` },
    bank_code: { description: "The bank's code, 3 digits (CBN) or 5 or 6 (NIP).", examples: ['011'] },
  });
  const { required, ...rest } = schema;
  return { ...rest, oneOf: [{ required: ['id_number'] }, { required: [alias] }] };
}

/** One alternative for each ID type and method, with the combinations that `biometric` needs (decision A6). */
function gatewaySchema(): JsonSchema {
  const schema = withNotes(inputSchema(gatewayBody.schema), {
    ...REFERENCES,
    country: { type: 'string', description: 'ISO 3166-1 alpha-2; only NG is supported.' },
    id_type: { description: 'Selects the registry.' },
    method: { description: '`biometric` guarantees a usable photo; it needs level advanced and NIN or BVN.' },
    level: { description: '`advance` is another name of `advanced`.' },
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
  // They exclude each other, but by a field that may be left out.
  return { anyOf: [...identity, ...biometric] };
}

function gatewayAlternative(
  schema: JsonSchema,
  idType: IdType,
  notes: Readonly<Record<string, JsonSchema>>,
  alsoRequired: readonly string[] = [],
): JsonSchema {
  const { params } = schema['properties'] as { readonly params: JsonSchema };
  return {
    title: `${idType} ${alsoRequired.length > 0 ? 'biometric' : 'identity'}`,
    ...withNotes(schema, {
      ...notes,
      id_type: { enum: [idType] },
      params: withNotes(params, { id_number: numberNote(idType) }),
    }),
    required: [...(schema['required'] as string[]), ...alsoRequired],
  };
}

function slipSchema(): JsonSchema {
  return withNotes(inputSchema(slipBody.schema), {
    ...REFERENCES,
    nin: numberNote('NIN'),
    slip_type: { description: 'The layout.' },
  });
}

/** The schema of a route's body; undefined where it has none. */
export function bodySchema(route: RouteName): JsonSchema | undefined {
  if (route === 'nin-slip') return slipSchema();
  if (route === 'verify-identity') return gatewaySchema();
  const idType = routeIdType(route);
  return idType && dedicatedSchema(idType);
}

/** Bodies that a reader can send to the sandbox as they stand. */
export function bodyExamples(route: RouteName): Readonly<Record<string, JsonSchema>> {
  if (route === 'nin-slip')
    return { slip: { value: { nin: numberFormat('NIN').example, slip_type: 'regular' } } };
  if (route === 'verify-identity') {
    const ask = (idType: IdType, rest: object) => ({
      value: {
        country: 'NG',
        id_type: idType,
        ...rest,
        params: { id_number: numberFormat(idType).example },
      },
    });
    return {
      nin: ask('NIN', {}),
      bvnWithPhoto: ask('BVN', { level: 'advanced', method: 'biometric' }),
      cacAdvanced: ask('CAC', { level: 'advanced' }),
    };
  }
  const idType = routeIdType(route);
  return idType ? { number: { value: { id_number: numberFormat(idType).example } } } : {};
}

export const IDEMPOTENCY_PARAMETER: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Your own name for this request. Repeating the request under it is never charged twice: up to 3 repeats of a charged request within 24 hours are answered free.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

/** A day, or a time in UTC. */
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

const QUERY_NOTES: Readonly<Record<keyof typeof transactionsQuery.entries, JsonSchema>> = {
  cursor: { description: '`next_cursor` of the page before, with the same other parameters.' },
  limit: {
    description: 'Entries per page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  from: {
    description: 'Entries at or after this date or time (ISO 8601, UTC); not later than `to`.',
    schema: TIME,
  },
  to: {
    description: 'Entries before this date or time (ISO 8601, UTC); now where it is absent or later.',
    schema: TIME,
  },
  type: { description: 'Only debits or only credits.' },
};

function queryParameters(): JsonSchema[] {
  const properties = inputSchema(transactionsQuery)['properties'] as Readonly<Record<string, JsonSchema>>;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
    ...QUERY_NOTES[name as keyof typeof QUERY_NOTES],
  }));
}

/** Path, query and header parameters of a route. */
export function parameters(route: RouteName): readonly JsonSchema[] {
  if (bodySchema(route)) return [{ $ref: '#/components/parameters/IdempotencyKey' }];
  if (route === 'wallet-transactions') return queryParameters();
  if (route === 'verification')
    return [pathParameter('request_id', '^req_[0-9a-f]{12}$', '`meta.request_id`')];
  if (route === 'slip-check') return [pathParameter('token', '^[A-Za-z0-9_-]+$', 'From the QR code.')];
  return [];
}

function pathParameter(name: string, pattern: string, description: string): JsonSchema {
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern } };
}
