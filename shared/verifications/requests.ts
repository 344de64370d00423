import * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';
import { type IdType, numberFormat } from '../core/id-types.ts';
import { SLIP_TYPES, type SlipType } from '../core/slip-types.ts';
import { failureCode } from './outcome-codes.ts';
import { GATEWAY_TYPES, gatewayService, SERVICES, type ServiceName } from './services.ts';

/**
 * The schemas of request bodies, which the OpenAPI document also uses, and the commands that they mean. Sources:
 * specification "Endpoints", decisions A3 to A6 and C7.
 */

/** What a request asks for, on any route. */
export interface Command {
  readonly service: ServiceName;
  readonly idType: IdType;
  readonly number: string;
  readonly bankCode?: string;
  /** If true, a record without a usable photo is a failed verification (decision A6). */
  readonly needsPhoto: boolean;
  readonly slipType?: SlipType;
  readonly consent?: string;
  readonly reason?: string;
}

/** How a route reads its body. */
export interface BodyReader {
  readonly schema: v.GenericSchema;
  /** Returns the command. Throws INVALID_SCHEMA, or on dedicated routes <TYPE>_NOT_FOUND for a wrong format (C7). */
  read(json: unknown, acceptTaxId: boolean): Command;
}

const reference = v.optional(v.pipe(v.string(), v.maxLength(200)));
const references = { consent: reference, reason: reference };
const BANK_CODE = /^[0-9]{3,6}$/;

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
  const bankCode = v.optional(v.pipe(v.string(), v.regex(BANK_CODE, 'bank_code must be 3 to 6 digits.')));
  const entries: Record<string, v.GenericSchema<string | undefined>> = {
    id_number: v.optional(v.string()),
    [alias]: v.optional(v.string()),
    ...(idType === 'NUBAN' && { bank_code: bankCode }),
    ...references,
  };
  const schema = v.strictObject(entries);
  return {
    schema,
    read(json, acceptTaxId) {
      const body: Readonly<Record<string, string | undefined>> = parse(schema, json);
      const number = body['id_number'] ?? body[alias];
      if (number === undefined) throw invalid(`The field id_number is missing.`);
      if (body[alias] !== undefined && body[alias] !== number)
        throw invalid(`id_number and ${alias} are both present and differ. Send one of them.`);
      const format = numberFormat(idType, acceptTaxId);
      if (!format.pattern.test(number))
        throw new ServiceError(failureCode('not-found', idType, 'dedicated'), {
          message: `id_number must be ${format.text}. Check the number.`,
        });
      const bank = body['bank_code'];
      return { service, idType, number, needsPhoto: false, ...(bank && { bankCode: bank }), ...kept(body) };
    },
  };
}

const gatewaySchema = v.strictObject({
  country: v.literal('NG'),
  id_type: v.picklist(GATEWAY_TYPES),
  method: v.optional(v.picklist(['identity', 'biometric']), 'identity'),
  level: v.optional(v.picklist(['basic', 'advanced', 'advance']), 'basic'),
  params: v.strictObject({ id_number: v.string() }),
  ...references,
});

/** The body of the unified gateway. */
export const gatewayBody: BodyReader = {
  schema: gatewaySchema,
  read(json) {
    const body = parse(gatewaySchema, json);
    const { id_type: idType, method } = body;
    const isBasic = body.level === 'basic';
    const number = body.params.id_number;
    const format = numberFormat(idType);
    if (!format.pattern.test(number)) throw invalid(`params.id_number must be ${format.text} for ${idType}.`);
    if (method === 'biometric' && (isBasic || idType === 'CAC'))
      throw invalid('method "biometric" requires level "advanced" and id_type "NIN" or "BVN".');
    const service = gatewayService(idType, isBasic ? 'basic' : 'premium');
    return { service, idType, number, needsPhoto: method === 'biometric', ...kept(body) };
  },
};

const slipSchema = v.strictObject({ nin: v.string(), slip_type: v.picklist(SLIP_TYPES), ...references });

/** The body of the slip download. */
export const slipBody: BodyReader = {
  schema: slipSchema,
  read(json) {
    const body = parse(slipSchema, json);
    const format = numberFormat('NIN');
    if (!format.pattern.test(body.nin)) throw invalid(`nin must be ${format.text}.`);
    return {
      service: 'nin-slip',
      idType: 'NIN',
      number: body.nin,
      needsPhoto: false,
      slipType: body.slip_type,
      ...kept(body),
    };
  },
};

function kept({
  consent,
  reason,
}: {
  readonly consent?: string | undefined;
  readonly reason?: string | undefined;
}) {
  return { ...(consent !== undefined && { consent }), ...(reason !== undefined && { reason }) };
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_SCHEMA', { message });
}

function parse<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw invalid(sentence(result.issues[0]));
}

/** What is wrong, as a sentence that names documented fields and never quotes the caller's text. */
function sentence(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue);
  if (!field) return 'The body must be a JSON object.';
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return 'The body contains an unknown field.';
  if (issue.input === undefined) return `The field ${field} is missing.`;
  if (issue.type === 'string') return `The field ${field} must be a string.`;
  if (issue.type === 'max_length') return `The field ${field} is longer than 200 characters.`;
  if (issue.type === 'picklist' || issue.type === 'literal')
    return `The field ${field} must be ${(issue.expected ?? '').replaceAll(' | ', ' or ').replace(/[()]/g, '')}.`;
  if (issue.type === 'regex') return issue.message;
  return `The field ${field} does not match the documented schema.`;
}
