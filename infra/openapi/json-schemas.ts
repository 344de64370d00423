import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** Converts the schemas that the code uses to JSON Schema 2020-12. Used at build time only. */

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Returns the schema of what a caller may send, before defaults and conversions apply. */
export function inputSchema(schema: v.GenericSchema): JsonSchema {
  // JSON Schema cannot express conversions. The descriptions name what they reject.
  return withoutDialect(
    toJsonSchema(schema, { typeMode: 'input', target: 'draft-2020-12', errorMode: 'ignore' }),
  );
}

/** Returns the schema of a response, with descriptions. Throws if JSON Schema cannot express it. */
export function outputSchema(schema: v.GenericSchema): JsonSchema {
  return described(withoutDialect(toJsonSchema(schema, { typeMode: 'output', target: 'draft-2020-12' })));
}

/** Removes `$schema`, because the document has one JSON Schema dialect. */
function withoutDialect({ $schema, ...schema }: object & { $schema?: unknown }): JsonSchema {
  return { ...schema };
}

/** Descriptions of response fields by name (specification "Resources", decisions D1 to D5). */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  nin: 'The number in the registry record.',
  bvn: 'The number in the registry record.',
  tin_format:
    'Which tax number: `FIRS` (12 digits), `JTB` (10 digits) or `TAX_ID` (13 digits, in force since 2026).',
  phone: 'In local form: 0 and ten digits.',
  gender: '`m` or `f`, or empty if the registry has none.',
  birthdate: 'DD-MM-YYYY, or empty.',
  registration_date: 'DD-MM-YYYY, or empty.',
  registrationDate: 'DD-MM-YYYY, or empty.',
  photo: 'A JPEG or PNG in Base64 without a data URI prefix, or empty. Shortened in examples.',
  signature: 'A JPEG or PNG in Base64 without a data URI prefix, or empty. Shortened in examples.',
  religion: 'Sensitive personal data. Do not store or disclose it without a lawful basis.',
  marital_status: 'Sensitive personal data. Do not store or disclose it without a lawful basis.',
  next_of_kin: 'Always masked: every field is `****`.',
  rcNumber: 'Starts with its type: `RC`, `BN`, `IT`, `LP` or `LLP`.',
  affiliates: 'The number of affiliates in the registry.',
  affiliateType: 'For example `DIRECTOR`, `SHAREHOLDER` or `PSC` (person with significant control).',
  shareholdingPercentage:
    'Two decimals. Null if the registry has no percentage and it cannot be calculated from the allotted shares.',
  shareholdingPercentageDerived: 'True if the percentage was calculated from the allotted shares.',
  currency: 'The ISO 4217 code of a bank account, or `credits` for a wallet.',
  available: 'The whole credits that you can spend.',
  held: 'The whole credits reserved for requests in progress. May include requests that were charged a moment ago.',
  amount: 'Whole credits. Negative for a debit or a correction that reduces the balance.',
  balance_after: 'The balance after this entry. Entries that a filter leaves out count as well.',
  next_cursor: 'Send it as `cursor` to get the next page. Null on the last page.',
  reference: 'The payment reference of a credit. Null for a debit.',
  key_label: 'The label of the API key that sent the request.',
  outcome: 'Only `FOUND` is charged.',
  http_status: 'The HTTP status of the response.',
  is_replay: 'True for a free replay under an Idempotency-Key.',
  latency_ms: 'Milliseconds from the request to its outcome.',
};

/** Adds the descriptions to the properties of every object, at any depth. */
function described(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value)) return [keyword, describedProperties(value)];
      return [keyword, isSchema(value) ? described(value) : value];
    }),
  );
}

function describedProperties(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const description = FIELD_DESCRIPTIONS[name];
      const inner = isSchema(property) ? described(property) : {};
      return [name, description === undefined ? inner : { ...inner, description }];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
