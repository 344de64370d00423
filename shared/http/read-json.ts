import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CATALOGUE, type ErrorDetails, ServiceError, type ServiceErrorOptions } from '../core/errors.ts';
import { headerValues } from './context.ts';
import { isOfType } from './media-type.ts';
import { parseJsonStrictly } from './strict-json.ts';

export const MAX_BYTES = 4096;
export const TOO_LARGE: ErrorDetails = { reason: 'too_large', field: '', hint: 'Send at most 4,096 bytes.' };
const WRONG_CONTENT_TYPE: ErrorDetails = {
  reason: 'wrong_content_type',
  field: 'Content-Type',
  hint: CATALOGUE.UNSUPPORTED_MEDIA_TYPE.message,
};
const UNCOMPRESSED = 'Send the body uncompressed, without the Content-Encoding header.';
/** The error for a compressed body. */
export const COMPRESSED_BODY = {
  message: `The service does not accept compressed request bodies. ${UNCOMPRESSED}`,
  details: { reason: 'wrong_content_encoding', field: 'Content-Encoding', hint: UNCOMPRESSED },
} as const satisfies ServiceErrorOptions;

/**
 * Returns the value of a small body in strict JSON. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or INVALID_SCHEMA.
 */
export function readJson(event: APIGatewayProxyEvent): unknown {
  requireJson(event);
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > MAX_BYTES) throw new ServiceError('PAYLOAD_TOO_LARGE', { details: TOO_LARGE });
  return parseJsonStrictly(bytes);
}

/** Accepts only uncompressed UTF-8 JSON. */
function requireJson(event: APIGatewayProxyEvent): void {
  const encodings = headerValues(event, 'content-encoding');
  if (!isOfType(event, 'application/json'))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', { details: WRONG_CONTENT_TYPE });
  if (encodings.some((encoding) => encoding.toLowerCase() !== 'identity'))
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', COMPRESSED_BODY);
}
