import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CATALOGUE, type ErrorDetails, ServiceError, type ServiceErrorOptions } from '../../core/errors.ts';
import type { BodyReader } from '../../verifications/requests.ts';
import { GATEWAY_TYPES } from '../../verifications/services.ts';
import { headerValues, type Middleware, type RequestContext } from '../context.ts';
import { parseJsonStrictly } from '../strict-json.ts';

const MAX_BYTES = 4096;
export const TOO_LARGE: ErrorDetails = { reason: 'too_large', field: '', hint: 'Send at most 4,096 bytes.' };
const WRONG_CONTENT_TYPE: ErrorDetails = {
  reason: 'wrong_content_type',
  field: 'Content-Type',
  hint: CATALOGUE.UNSUPPORTED_MEDIA_TYPE.message,
};
const UNCOMPRESSED = 'Send the body uncompressed, without the header Content-Encoding.';
/** The rejection of a compressed body. */
export const COMPRESSED_BODY = {
  message: `The service does not accept compressed request bodies. ${UNCOMPRESSED}`,
  details: { reason: 'wrong_content_encoding', field: 'Content-Encoding', hint: UNCOMPRESSED },
} as const satisfies ServiceErrorOptions;

/** Requires a small, strict JSON object of the documented form, and sets the command that it contains. */
export function jsonBody(reader: BodyReader): Middleware {
  return {
    before: async function jsonBodyBefore({ event, context: { requestContext } }) {
      requireJson(event);
      const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      if (bytes.length > MAX_BYTES) throw new ServiceError('PAYLOAD_TOO_LARGE', { details: TOO_LARGE });
      const json = parseJsonStrictly(bytes);
      echoType(requestContext, json);
      try {
        requestContext.command = reader.read(json);
      } catch (error) {
        requestContext.detail = 'format';
        throw error;
      }
      requestContext.idType = requestContext.command.idType;
    },
  };
}

const CONTENT_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/** Accepts UTF-8 JSON and nothing else. A compressed body is never inflated. */
function requireJson(event: APIGatewayProxyEvent): void {
  const [type = '', ...others] = headerValues(event, 'content-type');
  const encodings = headerValues(event, 'content-encoding');
  if (others.length > 0 || !CONTENT_TYPE.test(type.trim()))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { details: WRONG_CONTENT_TYPE });
  if (encodings.some((encoding) => encoding.toLowerCase() !== 'identity'))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', COMPRESSED_BODY);
}

/** The gateway echoes the requested type once the body was parsed, even if the body is then rejected (decision C2). */
function echoType(requestContext: RequestContext, json: unknown): void {
  if (requestContext.errorStyle !== 'gateway' || typeof json !== 'object' || json === null) return;
  const requested = Reflect.get(json, 'id_type');
  requestContext.idType = GATEWAY_TYPES.find((idType) => idType === requested) ?? '';
}
