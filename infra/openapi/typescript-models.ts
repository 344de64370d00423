import { type ApiDocument, type Reference, resolve, type Schema } from '../site/document.ts';
import { RECORD_SERVICES } from './route-codes.ts';
import { recordName } from './schemas.ts';

/** The types of the TypeScript client: `npm run openapi` writes them to clients/typescript/src/models.ts. */

/** What the client returns and takes. The schemas that these refer to follow them. */
const SCHEMAS = [
  ...RECORD_SERVICES.map(recordName),
  'ClaimedDetails',
  'Match',
  'Bank',
  'Me',
  'Balance',
  'Transaction',
  'VerificationSummary',
  'Verification',
  'KeyUse',
  'RejectedRequests',
  'Lot',
  'InvoiceSummary',
  'Invoice',
  'TopUp',
];

/** In the client, a `Verification` is the result of a look-up. */
const CLIENT_NAMES: Readonly<Record<string, string>> = { Verification: 'LogEntry' };

/** Lists of values that have a name in the client, each with a field of the document that has it. */
const NAMED_VALUES = {
  Environment: ['Balance', 'environment'],
  Gender: ['NinBasicRecord', 'gender'],
  MatchReason: ['FieldMatch', 'reasons'],
  IdType: ['VerificationSummary', 'verification_type'],
  CompanyType: ['CacRequest', 'company_type'],
  SlipType: ['SlipRequest', 'slip_type'],
  ServiceName: ['VerificationSummary', 'service'],
  Outcome: ['VerificationSummary', 'outcome'],
  DocumentKind: ['InvoiceSummary', 'kind'],
} as const;

const ABOUT =
  "The data of the API, with the API's own field names. `npm run openapi` writes this file from docs/openapi.json. A field of a record is never missing: if the registry has no value for a string, the string is empty. Times are UTC in ISO 8601. Amounts whose names end in `kobo` are in whole kobo.";

/** As in biome.json. Comments may be longer. */
const LINE = 110;
const COMMENT_LINE = 120;

/** The names of lists of values, by their type. */
type Names = ReadonlyMap<string, string>;

/** Returns the text of clients/typescript/src/models.ts. */
export function typescriptModels(document: ApiDocument): string {
  const named = Object.entries(NAMED_VALUES).map(
    ([name, [schema, field]]) => [name, valuesOf(document, schema, field)] as const,
  );
  const names = new Map(named.map(([name, type]) => [type, name]));
  const types = named.map(([name, type]) => typeLine(`export type ${name} =`, type, ''));
  const interfaces = withReferences(document).map((name) => {
    const schema = schemaOf(document, name);
    const about = schema.description === undefined ? '' : comment(schema.description, '');
    return `${about}export interface ${clientName(name)} ${fields(schema, names, '')}\n`;
  });
  return [comment(ABOUT, ''), types.join(''), ...interfaces, webhookData(document, names)].join('\n');
}

function schemaOf(document: ApiDocument, name: string): Schema {
  return resolve<Schema>(document, { $ref: `#/components/schemas/${name}` });
}

function valuesOf(document: ApiDocument, schema: string, field: string): string {
  const property = schemaOf(document, schema).properties?.[field] ?? {};
  const { items = property } = resolve<Schema>(document, property);
  return typeOf(items, new Map(), '');
}

/** Returns the names of the schemas, each before those that it is the first to refer to. */
function withReferences(document: ApiDocument): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const references = JSON.stringify(schemaOf(document, name)).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, reference = ''] of references) visit(nameIn(reference));
  };
  for (const name of SCHEMAS) visit(name);
  return [...found];
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';
const clientName = (schema: string): string => CLIENT_NAMES[schema] ?? schema;

function webhookData({ webhooks }: ApiDocument, names: Names): string {
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const event = post?.requestBody?.content['application/json']?.schema;
    const data = event && 'properties' in event ? event.properties?.['data'] : undefined;
    if (!post || !data) throw new Error(`docs/openapi.json has no data of the event ${type}.`);
    return field(type, { ...data, description: post.description }, true, names, '  ');
  });
  const about = 'The field `data` of each event. Events contain no identity numbers and no names of people.';
  return `${comment(about, '')}export interface WebhookData {\n${events.join('')}}\n`;
}

/** Returns the fields of an object in braces. */
function fields({ properties = {}, required = [] }: Schema, names: Names, indent: string): string {
  const lines = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, required.includes(name), names, `${indent}  `),
  );
  return `{\n${lines.join('')}${indent}}`;
}

function field(
  name: string,
  schema: Schema | Reference,
  isRequired: boolean,
  names: Names,
  indent: string,
): string {
  const about = schema.description === undefined ? '' : comment(schema.description, indent);
  const key = /^\w+$/.test(name) ? name : literal(name);
  return about + typeLine(`${indent}${key}${isRequired ? '' : '?'}:`, typeOf(schema, names, indent), indent);
}

/** Ends a declaration with its type. If the line is too long, each alternative gets its own. */
function typeLine(start: string, type: string, indent: string): string {
  const line = `${start} ${type};\n`;
  if (type.includes('\n') || line.length <= LINE + 1) return line;
  return `${start}\n${type
    .split(' | ')
    .map((one) => `${indent}  | ${one}`)
    .join('\n')};\n`;
}

function typeOf(schema: Schema | Reference, names: Names, indent: string): string {
  if ('$ref' in schema) return clientName(nameIn(schema.$ref));
  const { type, items, additionalProperties } = schema;
  if (schema.const !== undefined) return literal(schema.const);
  if (Array.isArray(type))
    return type.map((one) => typeOf({ ...schema, type: one }, names, indent)).join(' | ');
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values && type !== 'null') {
    const union = values.map(literal).join(' | ');
    return names.get(union) ?? union;
  }
  if (items) return arrayOf(typeOf(items, names, indent));
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeOf(additionalProperties, names, indent)}>`;
  if (type === 'object') return fields(schema, names, indent);
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  throw new Error(`The types of the TypeScript client cannot express ${JSON.stringify(schema)}.`);
}

const arrayOf = (type: string): string => (type.includes(' | ') ? `(${type})[]` : `${type}[]`);

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

function comment(text: string, indent: string): string {
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= COMMENT_LINE + 1) return line;
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && `${indent} * ${last} ${word}`.length > COMMENT_LINE) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return `${indent}/**\n${lines.map((one) => `${indent} * ${one}\n`).join('')}${indent} */\n`;
}
