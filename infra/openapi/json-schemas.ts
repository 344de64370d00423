import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

/** From the schemas that the code runs on to JSON Schema 2020-12. Build time only: no function imports this. */

export type JsonSchema = { readonly [keyword: string]: unknown };

/** What a caller may send: before defaults and conversions. */
export function inputSchema(schema: v.GenericSchema): JsonSchema {
  // Conversions come after the documented form, and what they refuse the descriptions tell in words.
  return bare(toJsonSchema(schema, { typeMode: 'input', target: 'draft-2020-12', errorMode: 'ignore' }));
}

/** What the service answers. Throws where a schema says something that JSON Schema cannot. */
export function outputSchema(schema: v.GenericSchema): JsonSchema {
  return noted(bare(toJsonSchema(schema, { typeMode: 'output', target: 'draft-2020-12' })));
}

function bare({ $schema, ...schema }: object & { $schema?: unknown }): JsonSchema {
  return { ...schema };
}

/** Facts of single fields that their types do not tell (specification "Resources", decisions D1 to D5). */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  nin: 'The number as the registry has it.',
  bvn: 'The number as the registry has it.',
  phone: 'Local form: 0 and ten digits.',
  gender: '`m`, `f`, or empty where the registry has none.',
  birthdate: 'DD-MM-YYYY, or empty.',
  registration_date: 'DD-MM-YYYY, or empty.',
  registrationDate: 'DD-MM-YYYY, or empty.',
  photo: 'Base64 of a JPEG or PNG without a data-URI prefix, or empty. Examples cut it short.',
  signature: 'Base64 of a JPEG or PNG without a data-URI prefix, or empty. Examples cut it short.',
  religion: 'Sensitive: do not store or disclose without a lawful basis.',
  marital_status: 'Sensitive: do not store or disclose without a lawful basis.',
  next_of_kin: 'Always masked: each field is `****`.',
  rcNumber: 'With its RC prefix.',
  affiliates: 'How many affiliates the registry lists.',
  affiliateType: 'For example DIRECTOR, SHAREHOLDER, PSC.',
  shareholdingPercentage: 'Two decimals; null where neither the registry nor the allotted shares tell.',
  shareholdingPercentageDerived: 'True where it was derived from the allotted shares.',
  currency: 'ISO 4217 for an account; `credits` for a wallet.',
  available: 'Whole credits that can be spent.',
  held: 'Whole credits set aside; it may include charged requests that are still settling.',
  amount: 'Whole credits: negative for a debit or a downward correction.',
  balance_after: 'The balance after this entry, those that a filter hides included.',
  next_cursor: 'Send it as `cursor` for the next page; null on the last one.',
  reference: "The payer's reference of a credit; null for a debit.",
  key_label: 'The label of the API key that asked.',
  outcome: 'FOUND is the only one that is charged.',
  http_status: 'The status that the request was answered with.',
  is_replay: 'True for a free repeat under an Idempotency-Key.',
  latency_ms: 'Milliseconds from the request to the decision.',
};

/** Adds the notes to every object's properties, at any depth. */
function noted(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value)) return [keyword, notedProperties(value)];
      return [keyword, isSchema(value) ? noted(value) : value];
    }),
  );
}

function notedProperties(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const note = FIELD_NOTES[name];
      const inner = isSchema(property) ? noted(property) : {};
      return [name, note === undefined ? inner : { ...inner, description: note }];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
