import { DELIVERED_TYPES, type DeliveredType } from '../../shared/webhooks/event-type.ts';
import { type ApiDocument, type Reference, resolve, type Schema } from '../site/document.ts';
import { RECORD_SERVICES } from './route-codes.ts';
import { recordName } from './schemas.ts';

/** The models of the Python client: what the API returns, as classes of typed dictionaries. */

const RETURNED = [
  ...RECORD_SERVICES.map(recordName),
  'NinVerifiedNumber',
  'BvnVerifiedNumber',
  'Match',
  'Me',
  'Bank',
  'Balance',
  'Transaction',
  'Lot',
  'InvoiceSummary',
  'Invoice',
  'TopUp',
  'VerificationSummary',
  'Verification',
  'KeyUse',
  'RejectedRequests',
];

/** Where the client's name differs. There, `Balance` is the whole response. Others are the schema and the property. */
const NAMES: Readonly<Record<string, string>> = {
  TinBasicRecord: 'TinRecord',
  NubanBasicRecord: 'NubanRecord',
  NinVerifiedNumber: 'NinNumber',
  BvnVerifiedNumber: 'BvnNumber',
  Organisation: 'KeyOrganisation',
  Balance: 'BalanceData',
  Invoice: 'InvoiceData',
  TopUp: 'TopUpData',
  Verification: 'LogRecord',
  MatchFields: 'FieldMatches',
  StatementServices: 'ServiceUse',
};

/** The lists of values that have a name, each with a schema and its property. */
const LISTS: Readonly<Record<string, readonly [string, string]>> = {
  IdType: ['Verification', 'verification_type'],
  CompanyType: ['CacRequest', 'company_type'],
  SlipType: ['SlipRequest', 'slip_type'],
  TransactionType: ['Transaction', 'type'],
  DocumentKind: ['InvoiceSummary', 'kind'],
  Service: ['Verification', 'service'],
  Outcome: ['Verification', 'outcome'],
  MatchReason: ['FieldMatch', 'reasons'],
};

const EVENTS: Readonly<Record<DeliveredType, string>> = {
  'balance.low': 'BalanceEvent',
  'wallet.empty': 'BalanceEvent',
  'top_up.credited': 'TopUpEvent',
  'key.expiring': 'KeyEvent',
  'registry.down': 'RegistryEvent',
  'registry.up': 'RegistryEvent',
  'organisation.approved': 'OrganisationEvent',
  test: 'EndpointTestEvent',
};

const HEADER = `"""
The API's responses as dictionaries with typed keys. They can be indexed and serialised like the received
JSON. Every key of a record is present, and keys that this version does not know are kept. Times are text:
UTC, ISO 8601.

\`npm run openapi\` writes this file from docs/openapi.json: do not edit it.
"""

from typing import Dict, List, Literal, Optional, TypedDict, Union
`;

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
};

/** The line length of ruff in pyproject.toml. */
const LONGEST_LINE = 110;

/** Returns the text of the client's _models.py. Throws for a schema that has no equivalent. */
export function pythonModels(document: ApiDocument): string {
  const models = new Models(document);
  for (const schema of RETURNED) models.component(schema);
  for (const type of DELIVERED_TYPES) models.event(type);
  return models.text();
}

class Models {
  readonly #document: ApiDocument;
  readonly #lists = new Map<string, string>();
  readonly #assignments: string[] = [];
  /** In an order in which each class precedes those that contain it. */
  readonly #classes = new Map<string, string>();

  constructor(document: ApiDocument) {
    this.#document = document;
    for (const [name, [schema, property]] of Object.entries(LISTS)) {
      const { description, items, ...own } = this.#property(schema, property);
      const type = literal(listed(items ? resolve(document, items) : own) ?? []);
      this.#lists.set(type, name);
      this.#assignments.push(statement(`${name} = `, type) + docString(description, ''));
    }
  }

  component(schema: string): string {
    return this.#declare(schema, resolve<Schema>(this.#document, { $ref: `#/components/schemas/${schema}` }));
  }

  /** Events with the same data are one class, which fits all of their types. */
  event(type: DeliveredType): void {
    const types = DELIVERED_TYPES.filter((one) => EVENTS[one] === EVENTS[type]);
    const sent = (one: DeliveredType) => this.#document.webhooks[one]?.['post'];
    const schema = sent(type)?.requestBody?.content['application/json']?.schema;
    if (!schema) throw new Error(`docs/openapi.json has no event ${type}.`);
    const { properties, ...rest } = resolve<Schema>(this.#document, schema);
    const description = types.map((one) => `\`${one}\`: ${sent(one)?.description}`).join(' ');
    this.#declare(EVENTS[type], {
      ...rest,
      description,
      properties: { ...properties, type: { enum: types } },
    });
  }

  text(): string {
    const events = [...new Set(Object.values(EVENTS))];
    const anyEvent = `WebhookEvent = Union[${events.join(', ')}]\n${docString(
      'A union by `type`. Newer versions of the service may send other types: ignore those.',
      '',
    )}`;
    const lists = `${HEADER}\n${this.#assignments.join('')}`;
    return [lists, ...this.#classes.values(), anyEvent].join('\n\n');
  }

  #property(schema: string, property: string): Schema {
    const { properties } = resolve<Schema>(this.#document, { $ref: `#/components/schemas/${schema}` });
    const found = properties?.[property];
    if (!found) throw new Error(`docs/openapi.json has no ${schema}.${property}.`);
    return resolve(this.#document, found);
  }

  /** Adds the class of an object, and returns its name. */
  #declare(schema: string, { description, properties = {}, required = [] }: Schema): string {
    const name = NAMES[schema] ?? schema;
    const fields = Object.entries(properties).map(([property, value]) => {
      const type = this.#typeOf(value, schema + pascal(property));
      const text = statement(`    ${property}: `, type) + docString(value.description, '    ');
      return { text, isRequired: required.includes(property) };
    });
    const textOf = (some: typeof fields) => some.map(({ text }) => text).join('');
    const optional = textOf(fields.filter(({ isRequired }) => !isRequired));
    const always = textOf(fields.filter(({ isRequired }) => isRequired));
    const about = description === undefined ? '' : `${docString(description, '    ')}\n`;
    // Python 3.8 has no NotRequired.
    const base = `_Optional${name}`;
    const text =
      always === ''
        ? `class ${name}(TypedDict, total=False):\n${about}${optional}`
        : optional === ''
          ? `class ${name}(TypedDict):\n${about}${always}`
          : `class ${base}(TypedDict, total=False):\n${optional}\n\nclass ${name}(${base}):\n${about}${always}`;
    if ((this.#classes.get(name) ?? text) !== text) throw new Error(`Two schemas are named ${name}.`);
    this.#classes.set(name, text);
    return name;
  }

  /** `name` is that of the class if the value is an object. */
  #typeOf(schema: Schema | Reference, name: string): string {
    if ('$ref' in schema) return this.component(schema.$ref.split('/').at(-1) ?? '');
    const { type, const: only, items, properties, additionalProperties: others } = schema;
    if (Array.isArray(type)) return `Optional[${this.#typeOf({ ...schema, type: type[0] }, name)}]`;
    const values = only === undefined ? listed(schema) : [only];
    if (values) return this.#lists.get(literal(values)) ?? literal(values);
    if (properties) return this.#declare(name, schema);
    if (items) return `List[${this.#typeOf(items, name)}]`;
    if (others) return `Dict[str, ${this.#typeOf(others, name)}]`;
    const plain = PLAIN[String(type)];
    if (plain === undefined) throw new Error(`${name} has no equivalent in Python.`);
    return plain;
  }
}

function listed(schema: Schema): readonly unknown[] | undefined {
  return schema.enum ?? schema['x-extensible-enum'];
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function literal(values: readonly unknown[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}

/** Returns a line, or one for each value of a list that is too long for a line. */
function statement(start: string, type: string): string {
  const line = `${start}${type}\n`;
  if (line.length <= LONGEST_LINE + 1) return line;
  const indent = /^ */.exec(start)?.[0] ?? '';
  const [, before = '', values = '', after = ''] = /^(.*\[)(".*")(\].*)$/.exec(type) ?? [];
  const lines = values.split(', ').map((value) => `${indent}    ${value},\n`);
  return `${start}${before}\n${lines.join('')}${indent}${after}\n`;
}

function docString(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const line = `${indent}"""${text}"""\n`;
  if (line.length <= LONGEST_LINE + 1) return line;
  const lines = [indent];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const longer = last === indent ? last + word : `${last} ${word}`;
    if (longer.length <= LONGEST_LINE) lines.splice(-1, 1, longer);
    else lines.push(indent + word);
  }
  return [`${indent}"""`, ...lines, `${indent}"""`, ''].join('\n');
}
