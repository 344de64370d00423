import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** JSON Schema 2020-12, at build time only. */

export type JsonSchema = { readonly [keyword: string]: unknown };

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Before defaults and conversions. */
export function inputSchema(schema: v.GenericSchema): JsonSchema {
  // JSON Schema cannot express conversions, and generators make a field with a default required, so the
  // descriptions state both.
  return adapted(
    toJsonSchema(schema, { typeMode: 'input', target: 'draft-2020-12', errorMode: 'ignore' }),
    ({ default: _, ...keywords }) => typed(keywords),
  );
}

/** Objects with their own names become references. Throws if JSON Schema cannot express it. */
export function outputSchema(
  schema: v.GenericSchema,
  named: Readonly<Record<string, v.GenericSchema>>,
  descriptions: Descriptions,
  description?: string,
): JsonSchema {
  const converted = toJsonSchema(schema, {
    typeMode: 'output',
    target: 'draft-2020-12',
    definitions: Object.fromEntries(Object.entries(named).filter(([, one]) => one !== schema)),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return {
    ...described(adapted(converted, forClients), descriptions),
    ...(description !== undefined && { description }),
  };
}

/** Also removes `$schema`, `$defs` and empty lists. */
function adapted(schema: object, change: (keywords: JsonSchema) => JsonSchema): JsonSchema {
  const { $schema, $defs, ...keywords } = schema as JsonSchema;
  const present = Object.entries(keywords).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  const entries = present.map(([keyword, value]) => {
    if (Array.isArray(value))
      return [keyword, value.map((item) => (isSchema(item) ? adapted(item, change) : item))];
    return [keyword, isSchema(value) ? adapted(value, change) : value];
  });
  return change(Object.fromEntries(entries));
}

/** Some generators need it. */
function typed(schema: JsonSchema): JsonSchema {
  return 'const' in schema && !('type' in schema) ? { type: typeof schema['const'], ...schema } : schema;
}

/**
 * For generators: fields may be added later (docs/guides/versioning.md), numbers are doubles, and null is one of a list of
 * types.
 */
function forClients(schema: JsonSchema): JsonSchema {
  const { additionalProperties, anyOf, ...keywords } = typed(schema);
  if (isNullable(anyOf)) return { ...keywords, ...nullable(anyOf[0]) };
  return {
    ...keywords,
    ...(keywords['type'] === 'number' && { format: 'double' }),
    ...(additionalProperties !== false && additionalProperties !== undefined && { additionalProperties }),
    ...(anyOf !== undefined && { anyOf }),
  };
}

function isNullable(anyOf: unknown): anyOf is readonly [JsonSchema, JsonSchema] {
  return Array.isArray(anyOf) && anyOf.length === 2 && anyOf[1]?.type === 'null';
}

function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'] };
}

/** The values that a response can have today. Generators do not know this keyword, so they declare a text. */
const KNOWN_VALUES = 'x-extensible-enum';

/** The fields of responses whose lists of values never grow. */
export const CLOSED: readonly string[] = ['environment', 'type'];

/**
 * Opens lists of values, removes patterns, and permits other fields. Generated clients in PHP, Java, Go and Rust reject a
 * response with a value, a format or a field that they do not know, and the caller loses its status and headers.
 */
export function responseSchema(schema: JsonSchema, name = ''): JsonSchema {
  const { enum: values, pattern: _, ...others } = schema;
  const entries = Object.entries(others).map(([keyword, value]) => {
    if (keyword === 'properties' && isSchema(value)) {
      const properties = Object.entries(value as Readonly<Record<string, JsonSchema>>);
      return [keyword, Object.fromEntries(properties.map(([key, one]) => [key, responseSchema(one, key)]))];
    }
    return [keyword, isSchema(value) ? responseSchema(value) : value];
  });
  const list = values !== undefined && { [CLOSED.includes(name) ? 'enum' : KNOWN_VALUES]: values };
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(entries), ...list, ...(isOpen && { additionalProperties: true }) };
}

/** Of schemas outside records. */
export const ABOUT: Descriptions = {
  Me: 'An API key, and what it may do.',
  Bank: 'An institution that holds accounts. A code is empty if no source publishes it.',
  Transaction: 'One charge, top-up or correction of the wallet.',
  Lot: 'Credits that were added to the wallet together.',
  InvoiceSummary: 'An invoice, receipt, credit note or monthly statement.',
  TopUp: 'An order for credits.',
  VerificationSummary: 'One request. Contains neither the identity number nor the record.',
  RejectedRequests: 'The requests that were rejected with one key and one code within a minute.',
  KeyUse: 'What became of the requests to one route with an Idempotency-Key.',
};

/** Outside records, by name. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  currency: '`credits` for the balance, `NGN` for documents and orders.',
  available: 'The number of whole credits that you can spend.',
  held: 'The number of whole credits reserved for requests in progress.',
  amount: 'Whole credits. Negative for a debit or a correction that reduces the balance.',
  balance_after: 'The balance after this entry. It includes entries that a filter leaves out.',
  next_cursor: 'Send it as `cursor` to get the next page. Null on the last page.',
  reference:
    'In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its `request_id` leads to the log.',
  key_label: "The label of the request's API key.",
  outcome: 'Only `FOUND` is charged.',
  http_status: 'The HTTP status of the response.',
  is_replay: 'True for a free replay under an Idempotency-Key.',
  replay_of:
    'For a free replay, the ID of the charged request, which is the `request_id` of the line in the statement. Otherwise null.',
  key_uses:
    'Only with `idempotency_key`: for each route, what became of its requests. Empty: the key was not used in the last 30 days, or its request was rejected before it could cost anything.',
  key_state:
    'Whether a request with the key was charged. `in_progress`: it may still be charged. Every request is decided within 3 minutes.',
  replays_left: 'How many free replays the key has left.',
  scopes: 'What the key may do. A key without a list has all scopes except `wallet:pay`.',
  expires_at: 'When it expires. Null if it does not.',
  is_enabled: 'Whether the organisation may use the service. Test keys may use all services.',
  access: 'What the scopes of the key permit: `full`, only requests with `match_only`, or none.',
  requests_per_second: 'The sustained rate of each key.',
  burst: 'How many requests of a key may arrive at once.',
  minute: 'The start of the minute.',
  count: 'How many requests were rejected. An estimate, because most are counted in batches.',
  rejected:
    'Requests that were rejected before the look-up. They are kept for 7 days, and have no reference, service or charge.',
  credits: 'Whole credits.',
  remaining: 'The credits of the lot that are left. An estimate until the month is closed.',
  kobo_per_credit: 'The price without VAT, in whole kobo. 0 if the credits were not paid for.',
  unit_kobo: 'The price without VAT, in whole kobo.',
  total_kobo: 'With VAT, in whole kobo.',
  vat_basis_points: 'The rate of VAT in hundredths of a percent: 750 is 7.5%.',
  invoice: 'The number of the invoice, or null.',
  top_up: 'The reference of the order, or null.',
  month: 'The accounting month in Africa/Lagos, `yyyy-mm`.',
  payment: 'Absent if the document is not about a payment.',
  statement: 'Only on monthly statements.',
  content_sha256: 'The SHA-256 hash of the content in hexadecimal. The PDF shows its first 16 characters.',
  state:
    'The state of an order. `OPENED`: the payment has not arrived. `CREDITED`: the credits are in the wallet. `MISMATCH`: the payment differs from the order or came too late for its price, and the operator decides.',
  checkout_url: 'The page where the order is paid, or null.',
  route: 'The name of the route, for example `nin-basic`, or `verify-identity` for the unified gateway.',
  latency_ms: 'Milliseconds from the request to its outcome.',
};

type Descriptions = Readonly<Record<string, string>>;

/** At any depth. */
function described(schema: JsonSchema, descriptions: Descriptions): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value))
        return [keyword, describedProperties(value, descriptions)];
      return [keyword, isSchema(value) ? described(value, descriptions) : value];
    }),
  );
}

function describedProperties(properties: JsonSchema, descriptions: Descriptions): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const description = descriptions[name];
      const inner = isSchema(property) ? described(property, descriptions) : {};
      return [name, description === undefined ? inner : { ...inner, description }];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
