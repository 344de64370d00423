import * as v from 'valibot';
import { type ErrorCode, invalidSchema, ServiceError } from '../core/errors.ts';
import { shownFieldName, unknownNameHint } from '../core/field-name.ts';
import { COMPANY_TYPES, type CompanyType, type IdType } from '../core/id-types.ts';
import {
  BARE_COMPANY_NUMBER,
  canonicalNumber,
  companyNumber,
  containsNumber,
  numberFormat,
} from '../core/numbers.ts';
import { hasLongNumber, isPrintable } from '../core/printable-text.ts';
import { SLIP_TYPES, type SlipType } from '../core/slip-types.ts';
import { wrongChoice } from '../core/wrong-choice.ts';
import { failureCode } from './outcome-codes.ts';
import { GATEWAY_TYPES, type GatewayType, gatewayService, SERVICES, type ServiceName } from './services.ts';

/**
 * The schemas of request bodies, which the OpenAPI document also uses, and the commands that they mean. Sources:
 * specification "Endpoints", decisions A3 to A6 and C7.
 */

/** What a request asks for, on any route. */
export interface Command {
  readonly service: ServiceName;
  readonly idType: IdType;
  /** In its canonical form (see canonicalNumber). */
  readonly number: string;
  /** The path of the field in which the caller sent the number. */
  readonly numberField: string;
  readonly bankCode?: string;
  /** If true, a record without a usable photo is a failed verification (decision A6). */
  readonly needsPhoto: boolean;
  readonly slipType?: SlipType;
  readonly consent?: string;
  readonly reason?: string;
  /** The caller's own identifier for the request, by which it can be found. Providers never receive it. */
  readonly reference?: string;
}

/** How a route reads its body. */
export interface BodyReader {
  readonly schema: v.GenericSchema;
  /** Returns the command. Throws INVALID_SCHEMA, or on dedicated routes <TYPE>_NOT_FOUND for a wrong format (C7). */
  read(json: unknown): Command;
}

const MAX_STORED_TEXT = 200;
export const MAX_REFERENCE = 100;
/** The check that failed is the message of the issue. */
const UNPRINTABLE = 'unprintable';
const LONG_NUMBER = 'long number';

/** A text of the caller that is stored with the log row. */
function storedText(maxLength: number) {
  return v.pipe(v.string(), v.maxLength(maxLength), v.check(isPrintable, UNPRINTABLE));
}

/** A text without long numbers. An identity number in it would be stored in clear. */
const textWithoutNumber = v.optional(
  v.pipe(
    storedText(MAX_STORED_TEXT),
    v.check((text) => !hasLongNumber(text), LONG_NUMBER),
  ),
);
/** A reference may be a long number, such as that of an order, but not the number that is verified: see `kept`. */
const references = {
  consent: textWithoutNumber,
  reason: textWithoutNumber,
  reference: v.optional(storedText(MAX_REFERENCE)),
};
const companyType = v.optional(v.picklist(COMPANY_TYPES));
const BANK_CODE = /^[0-9]{3,6}$/;
const bankCode = v.optional(v.pipe(v.string(), v.regex(BANK_CODE, 'bank_code must have 3 to 6 digits.')));

/** The alias of `id_number` on each dedicated route (decision A3). */
export const NUMBER_ALIASES: Readonly<Record<IdType, string>> = {
  NIN: 'nin',
  BVN: 'bvn',
  CAC: 'rc_number',
  TIN: 'tin',
  NUBAN: 'nuban',
};

/** The body of a dedicated route: the number as `id_number` or under its alias. */
export function dedicatedBody(service: ServiceName): BodyReader {
  const { idType } = SERVICES[service];
  const alias = NUMBER_ALIASES[idType];
  const entries: Record<string, v.GenericSchema<string | undefined>> = {
    id_number: v.optional(v.string()),
    [alias]: v.optional(v.string()),
    ...(idType === 'CAC' && { company_type: companyType }),
    ...(idType === 'NUBAN' && { bank_code: bankCode }),
    ...references,
  };
  const schema = v.strictObject(entries);
  return {
    schema,
    read(json) {
      const body: Readonly<Record<string, string | undefined>> = parseBody(schema, json);
      const numberField = body['id_number'] === undefined ? alias : 'id_number';
      const text = body[numberField];
      if (text === undefined)
        throw invalidSchema(
          'missing_field',
          'id_number',
          'The field id_number is missing.',
          'Send the number.',
        );
      if (body[alias] !== undefined && body[alias] !== text)
        throw invalidSchema(
          'wrong_value',
          alias,
          `id_number and ${alias} are both present and differ.`,
          'Send only one of them.',
        );
      const number = readNumber(
        { idType, text, companyType: body['company_type'] as CompanyType | undefined },
        { field: numberField, code: failureCode('not-found', idType, 'dedicated') },
      );
      const bank = body['bank_code'];
      return {
        service,
        idType,
        number,
        numberField,
        needsPhoto: false,
        ...(bank && { bankCode: bank }),
        ...kept(body, number),
      };
    },
  };
}

const gatewaySchema = v.strictObject({
  country: v.literal('NG'),
  id_type: v.picklist(GATEWAY_TYPES),
  method: v.optional(v.picklist(['identity', 'biometric']), 'identity'),
  level: v.optional(v.picklist(['basic', 'advanced', 'advance']), 'basic'),
  params: v.strictObject({ id_number: v.string(), company_type: companyType }),
  ...references,
});

/** The body of the unified gateway. */
export const gatewayBody: BodyReader = {
  schema: gatewaySchema,
  read(json) {
    const body = parseBody(gatewaySchema, json);
    const { id_type: idType, method, params } = body;
    const isBasic = body.level === 'basic';
    const numberField = 'params.id_number';
    if (idType !== 'CAC' && params.company_type !== undefined)
      throw invalidSchema(
        'unknown_field',
        'params.company_type',
        'The field params.company_type is for id_type "CAC" only.',
        'Remove it.',
      );
    const number = readNumber(
      { idType, text: params.id_number, companyType: params.company_type },
      { field: numberField, code: 'INVALID_SCHEMA' },
    );
    if (method === 'biometric') checkBiometric(idType, isBasic);
    const service = gatewayService(idType, isBasic ? 'basic' : 'premium');
    return {
      service,
      idType,
      number,
      numberField,
      needsPhoto: method === 'biometric',
      ...kept(body, number),
    };
  },
};

/** Throws if the method "biometric" is not available for this ID type or level. */
function checkBiometric(idType: GatewayType, isBasic: boolean): void {
  if (idType === 'CAC')
    throw invalidSchema(
      'wrong_value',
      'method',
      'method "biometric" is for id_type "NIN" and "BVN" only.',
      'Leave method out.',
    );
  if (isBasic)
    throw invalidSchema(
      'wrong_value',
      'method',
      'method "biometric" requires level "advanced".',
      'Send level "advanced", or leave method out.',
    );
}

const slipSchema = v.strictObject({ nin: v.string(), slip_type: v.picklist(SLIP_TYPES), ...references });

/** The body of the slip download. */
export const slipBody: BodyReader = {
  schema: slipSchema,
  read(json) {
    const body = parseBody(slipSchema, json);
    const number = readNumber({ idType: 'NIN', text: body.nin }, { field: 'nin', code: 'INVALID_SCHEMA' });
    return {
      service: 'nin-slip',
      idType: 'NIN',
      number,
      numberField: 'nin',
      needsPhoto: false,
      slipType: body.slip_type,
      ...kept(body, number),
    };
  },
};

interface WrittenNumber {
  readonly idType: IdType;
  readonly text: string;
  readonly companyType?: CompanyType | undefined;
}

/** Returns the canonical number. Throws the given code with the field's name if the format is wrong. */
function readNumber(
  { idType, text, companyType }: WrittenNumber,
  { field, code }: { readonly field: string; readonly code: ErrorCode },
): string {
  const isBare = idType === 'CAC' && BARE_COMPANY_NUMBER.test(text);
  const number = canonicalNumber(idType, isBare ? `${companyType ?? ''}${text.trim()}` : text);
  if (number === undefined) {
    const problem = `${field} must be ${numberFormat(idType).text}.`;
    const hint = isBare ? TYPE_NEEDED : 'Check the number.';
    throw new ServiceError(code, {
      message: `${problem} ${hint}`,
      details: { reason: 'wrong_format', field, hint },
    });
  }
  if (companyType !== undefined && companyNumber(number).type !== companyType)
    throw invalidSchema(
      'wrong_value',
      field.replace(/[a-z_]+$/, 'company_type'),
      `${field} and company_type name different types.`,
      'Send the type only once, or the same type in both.',
    );
  return number;
}

const TYPE_NEEDED =
  'Write the type before the digits, such as RC for a company or BN for a business name, or send company_type.';

interface StoredTexts {
  readonly consent?: string | undefined;
  readonly reason?: string | undefined;
  readonly reference?: string | undefined;
}

/** The texts that are stored with the log row. Throws if the reference contains the number. An empty reference is none. */
function kept({ consent, reason, reference }: StoredTexts, number: string) {
  if (reference && containsNumber(reference, number))
    throw invalidSchema(
      'wrong_value',
      'reference',
      'The field reference contains the number to verify.',
      'Send a reference of your own, such as a customer ID.',
    );
  return {
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
    ...(reference && { reference }),
  };
}

/** Parses a body: documented fields only. Throws INVALID_SCHEMA, which names the first fault. */
export function parseBody<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const hint = Array.isArray(json) ? 'Send one object, not a list.' : SEE_DOCUMENT;
    throw invalidSchema('not_an_object', '', 'The body must be a JSON object.', hint);
  }
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  // A misspelt field is also missing under its right name. Naming the unknown one helps more.
  throw rejection(schema, result.issues.find(isUnknownField) ?? result.issues[0]);
}

const SEE_DOCUMENT = 'GET /v1/openapi.json describes its fields.';

type Issue = v.BaseIssue<unknown>;

function isUnknownField(issue: Issue): boolean {
  return issue.type === 'strict_object' && issue.expected === 'never' && !isInList(issue);
}

/** The schemas have no lists, but take a list for an object without fields. */
function isInList({ path }: Issue): boolean {
  return Array.isArray(path?.at(-1)?.input);
}

/** The error for one fault that the schema found. Never contains a value that the caller sent. */
function rejection(schema: v.GenericSchema, issue: Issue): ServiceError {
  const keys = issue.path?.map(({ key }) => String(key)) ?? [];
  if (isInList(issue)) return notAnObject(keys.slice(0, -1).join('.'));
  if (isUnknownField(issue)) return unknownField(schema, keys);
  const field = keys.join('.');
  const { type } = issue;
  if (issue.input === undefined)
    return invalidSchema('missing_field', field, `The field ${field} is missing.`, 'Add it.');
  if (type === 'string')
    return invalidSchema('wrong_type', field, `The field ${field} must be a string.`, hintForText(issue));
  if (type === 'number' || type === 'safe_integer' || type === 'min_value') return wrongNumber(field, issue);
  if (type === 'strict_object') return notAnObject(field);
  if (type === 'max_length')
    return invalidSchema(
      'too_long',
      field,
      `The field ${field} is longer than ${issue.requirement} characters.`,
      'Shorten it.',
    );
  if (type === 'check') return unsuitableText(field, issue.message);
  if (type === 'regex')
    return invalidSchema('wrong_format', field, issue.message, 'GET /v1/banks lists the codes.');
  return wrongChoice(`The field ${field}`, field, issue);
}

/** What callers send in place of a string, as the schema names it and as a hint does. */
const NOT_STRINGS: Readonly<Record<string, string>> = { Array: 'a list', Object: 'an object' };

function hintForText({ input, path, received }: Issue): string {
  if (typeof input === 'number') return 'Send it in quotes.';
  const isStoredText = path?.length === 1 && Object.hasOwn(references, String(path[0].key));
  if (input === null && isStoredText) return 'Leave the field out, or send a text.';
  return `Send a string, not ${NOT_STRINGS[received] ?? received}.`;
}

function wrongNumber(field: string, { type, input }: Issue): ServiceError {
  const reason = type === 'number' ? 'wrong_type' : 'wrong_value';
  const hint = typeof input === 'string' ? 'Send it without quotes.' : 'Send a number such as 1000.';
  return invalidSchema(reason, field, `The field ${field} must be a whole number from 1.`, hint);
}

function unsuitableText(field: string, check: string): ServiceError {
  if (check === UNPRINTABLE)
    return invalidSchema(
      'wrong_format',
      field,
      `The field ${field} contains a control character or an invisible character.`,
      'Send one line of visible characters.',
    );
  return invalidSchema(
    'wrong_format',
    field,
    `The field ${field} contains a number of 10 or more digits, which may be an identity number.`,
    'Send a reference without one. Digits with single spaces or hyphens between them count as one number.',
  );
}

function notAnObject(field: string): ServiceError {
  return invalidSchema('wrong_type', field, `The field ${field} must be an object.`, SEE_DOCUMENT);
}

/** Names the field, and suggests where it belongs or the most similar known one of the same object. */
function unknownField(schema: v.GenericSchema, keys: readonly string[]): ServiceError {
  const field = shownFieldName(keys.join('.'));
  const name = keys.at(-1) ?? '';
  const entries = knownEntries(schema, keys.slice(0, -1));
  const hint = misplacedFieldHint(entries, name) ?? unknownNameHint('fields', name, Object.keys(entries));
  return invalidSchema('unknown_field', field, `Unknown field "${field}".`, hint);
}

/** The hint for a field that belongs in a nested object, and for `id_number` where only its alias is known. */
function misplacedFieldHint(entries: Entries, name: string): string | undefined {
  const parent = Object.keys(entries).find((key) => Object.hasOwn(entriesOf(entries[key]), name));
  if (parent !== undefined) return `Send it as ${parent}.${name}.`;
  const alias = Object.values(NUMBER_ALIASES).find((known) => Object.hasOwn(entries, known));
  return name === 'id_number' && alias !== undefined ? `Did you mean "${alias}"?` : undefined;
}

/** The fields that the schema knows in the object at this path. */
function knownEntries(schema: v.GenericSchema, path: readonly string[]): Entries {
  let entries = entriesOf(schema);
  for (const key of path) entries = entriesOf(entries[key]);
  return entries;
}

type Entries = Readonly<Record<string, v.GenericSchema>>;

function entriesOf(schema: v.GenericSchema | undefined): Entries {
  return schema && 'entries' in schema ? (schema.entries as Record<string, v.GenericSchema>) : {};
}
