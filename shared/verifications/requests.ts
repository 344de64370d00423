import * as v from 'valibot';
import { type ErrorCode, invalidSchema, ServiceError } from '../core/errors.ts';
import { COMPANY_TYPES, type CompanyType, ID_TYPES, type IdType } from '../core/id-types.ts';
import {
  BARE_COMPANY_NUMBER,
  canonicalNumber,
  companyNumber,
  containsNumber,
  isVirtualNin,
  numberFormat,
} from '../core/numbers.ts';
import { hasLongNumber, isPrintable } from '../core/printable-text.ts';
import { SLIP_TYPES, type SlipType } from '../core/slip-types.ts';
import {
  isPersonType,
  type MatchCommand,
  type MatchFields,
  matchCommand,
  matchFields,
} from './match-request.ts';
import { failureCode } from './outcome-codes.ts';
import { LONG_NUMBER, parseBody, UNPRINTABLE } from './parse-body.ts';
import { MAX_REFERENCE } from './reference.ts';
import { gatewayService, NUMBER_ALIASES, SERVICES, type ServiceName } from './services.ts';

/**
 * The schemas of request bodies, which the OpenAPI document also uses, and the commands to which bodies are converted.
 * Sources: specification "Endpoints", contract A3 to A6 and C7.
 */

export interface Command extends MatchCommand {
  readonly service: ServiceName;
  readonly idType: IdType;
  /** In its canonical form (see canonicalNumber). */
  readonly number: string;
  readonly numberField: string;
  readonly bankCode?: string;
  /** If true, a record without a usable photo is a failed verification (contract A6). */
  readonly needsPhoto: boolean;
  readonly slipType?: SlipType;
  readonly consent?: string;
  readonly reason?: string;
  /** The caller's own identifier for the request, by which it can be found. Providers never receive it. */
  readonly reference?: string;
}

export interface BodyReader {
  readonly schema: v.GenericSchema;
  /** Returns the command. Throws INVALID_SCHEMA or, on dedicated routes, <TYPE>_NOT_FOUND for a wrong format. */
  read(json: unknown): Command;
}

const MAX_STORED_TEXT = 200;

function storedText(maxLength: number) {
  return v.pipe(v.string(), v.maxLength(maxLength), v.check(isPrintable, UNPRINTABLE));
}

/** Text without long numbers, because an identity number in it would be stored in clear text. */
const textWithoutNumber = v.optional(
  v.pipe(
    storedText(MAX_STORED_TEXT),
    v.check((text) => !hasLongNumber(text), LONG_NUMBER),
  ),
);
/** A reference may be a long number, such as an order number, but not the number to verify (see `kept`). */
const references = {
  consent: textWithoutNumber,
  reason: textWithoutNumber,
  reference: v.optional(storedText(MAX_REFERENCE)),
};
const companyType = v.optional(v.picklist(COMPANY_TYPES));
const BANK_CODE = /^[0-9A-Za-z]{2,10}$/;
const bankCode = v.optional(
  v.pipe(v.string(), v.regex(BANK_CODE, 'bank_code must have 2 to 10 letters and digits.')),
);

type NumberField = 'id_number' | (typeof NUMBER_ALIASES)[IdType];

interface DedicatedFields extends StoredTexts, MatchFields, Readonly<Partial<Record<NumberField, string>>> {
  readonly company_type?: CompanyType;
  readonly bank_code?: string;
}

/** Returns the reader of a dedicated route's body, which contains the number as `id_number` or under its alias. */
export function dedicatedBody(service: ServiceName): BodyReader {
  const { idType } = SERVICES[service];
  const alias = NUMBER_ALIASES[idType];
  const entries: Record<string, v.GenericSchema> = {
    id_number: v.optional(v.string()),
    [alias]: v.optional(v.string()),
    ...(idType === 'CAC' && { company_type: companyType, bank_code: bankCode }),
    ...(idType === 'NUBAN' && { bank_code: bankCode }),
    ...(isPersonType(idType) && matchFields),
    ...references,
  };
  const schema = v.strictObject(entries);
  return {
    schema,
    read(json) {
      const body: DedicatedFields = parseBody(schema, json);
      const numberField = body.id_number === undefined ? alias : 'id_number';
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
        { idType, text, companyType: body.company_type },
        { field: numberField, code: failureCode('not-found', idType, 'dedicated') },
      );
      return {
        service,
        idType,
        number,
        numberField,
        needsPhoto: false,
        ...(body.bank_code && { bankCode: body.bank_code }),
        ...matchCommand(body, { idType, needsPhoto: false }),
        ...kept(body, number),
      };
    },
  };
}

const gatewaySchema = v.strictObject({
  country: v.literal('NG'),
  id_type: v.picklist(ID_TYPES),
  method: v.optional(v.picklist(['identity', 'biometric']), 'identity'),
  level: v.optional(v.picklist(['basic', 'advanced', 'advance']), 'basic'),
  params: v.strictObject({ id_number: v.string(), company_type: companyType, bank_code: bankCode }),
  ...matchFields,
  ...references,
});

export const gatewayBody: BodyReader = {
  schema: gatewaySchema,
  read(json) {
    const body = parseBody(gatewaySchema, json);
    const { id_type: idType, method, params } = body;
    const isBasic = body.level === 'basic';
    const numberField = 'params.id_number';
    if (idType !== 'CAC') checkAbsent(params.company_type, 'params.company_type', 'CAC');
    if (idType !== 'NUBAN') checkAbsent(params.bank_code, 'params.bank_code', 'NUBAN');
    const number = readNumber(
      { idType, text: params.id_number, companyType: params.company_type },
      { field: numberField, code: 'INVALID_SCHEMA' },
    );
    const needsPhoto = method === 'biometric';
    if (needsPhoto) checkBiometric(idType, isBasic);
    const service = gatewayService(idType, isBasic ? 'basic' : 'premium');
    if (!service)
      throw invalidSchema(
        'wrong_value',
        'level',
        `id_type "${idType}" has only the level "basic".`,
        'Leave level out.',
      );
    return {
      service,
      idType,
      number,
      numberField,
      needsPhoto,
      ...(params.bank_code && { bankCode: params.bank_code }),
      ...matchCommand(body, { idType, needsPhoto }),
      ...kept(body, number),
    };
  },
};

/** Throws if a field has a value, because it is for another ID type. */
function checkAbsent(value: unknown, field: string, idType: IdType): void {
  if (value === undefined) return;
  const message = `The field ${field} is for id_type "${idType}" only.`;
  throw invalidSchema('unknown_field', field, message, 'Remove it.');
}

/** Throws if the method "biometric" is not available for this ID type or level. */
function checkBiometric(idType: IdType, isBasic: boolean): void {
  if (!isPersonType(idType))
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

/** Without `match_only`, because a slip shows the record. */
const slipSchema = v.strictObject({
  nin: v.string(),
  slip_type: v.picklist(SLIP_TYPES),
  match: matchFields.match,
  ...references,
});

export const slipBody: BodyReader = {
  schema: slipSchema,
  read(json) {
    const body = parseBody(slipSchema, json);
    const number = readNumber({ idType: 'NIN', text: body.nin }, { field: 'nin', code: 'INVALID_SCHEMA' });
    if (isVirtualNin(number))
      throw invalidSchema(
        'wrong_format',
        'nin',
        'nin must be exactly 11 digits.',
        'A slip needs the NIN itself, not a virtual NIN.',
      );
    return {
      service: 'nin-slip',
      idType: 'NIN',
      number,
      numberField: 'nin',
      needsPhoto: false,
      slipType: body.slip_type,
      ...(body.match && { match: body.match }),
      ...kept(body, number),
    };
  },
};

interface WrittenNumber {
  readonly idType: IdType;
  readonly text: string;
  readonly companyType?: CompanyType | undefined;
}

/**
 * Returns the canonical number. Throws the given code if the format is wrong, and INVALID_SCHEMA if the types differ.
 */
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

/** Returns the fields whose text is stored with the log row. Throws if one of them contains the number. */
function kept({ consent, reason, reference }: StoredTexts, number: string) {
  for (const [field, text] of Object.entries({ consent, reason, reference }))
    if (text && containsNumber(text, number))
      throw invalidSchema(
        'wrong_value',
        field,
        `The field ${field} contains the number to verify.`,
        field === 'reference'
          ? 'Send a reference of your own, such as a customer ID.'
          : 'Leave the number out.',
      );
  return {
    ...(consent !== undefined && { consent }),
    ...(reason !== undefined && { reason }),
    ...(reference && { reference }),
  };
}
