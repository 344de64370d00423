import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './context.ts';
import type { HttpResponse } from './result.ts';

/** A smaller body fits into one or two packets with its headers. */
const LEAST_BYTES = 1_024;

/**
 * If the client accepts gzip (docs/design/decisions/0012-methods-compression-messages.md). PDFs are already compressed.
 */
export function compress(response: HttpResponse, event: APIGatewayProxyEvent): HttpResponse {
  if (response.isBase64Encoded) return response;
  // Caches must never send an encoding that a client does not accept.
  const headers = { ...response.headers, Vary: 'Accept-Encoding' };
  if (response.body.length < LEAST_BYTES || !acceptsGzip(event)) return { ...response, headers };
  return {
    ...response,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: gzip(response.body).toString('base64'),
    isBase64Encoded: true,
  };
}

/** Loading node:zlib takes 3 ms, a twentieth of a function's import time. */
function gzip(text: string): Buffer {
  return process.getBuiltinModule('node:zlib').gzipSync(text);
}

/** With its weight (RFC 9110, 12.5.3). */
const ENCODING = /^(gzip|x-gzip|br|\*)(?:[\t ]*;[\t ]*q=([01](?:\.[0-9]{0,3})?))?$/i;

const acceptsGzip = (event: APIGatewayProxyEvent) => acceptsEncoding(event, 'gzip');

/** By its name or with `*`. A weight of 0 means no. */
export function acceptsEncoding(event: APIGatewayProxyEvent, wanted: 'gzip' | 'br'): boolean {
  const encodings = headerValues(event, 'accept-encoding').flatMap((value) => value.split(','));
  const weights = new Map(
    encodings.flatMap((encoding) => {
      const [, name = '', weight = '1'] = ENCODING.exec(encoding.trim()) ?? [];
      return name === '' ? [] : [[name.toLowerCase().replace('x-', ''), Number(weight)] as const];
    }),
  );
  return (weights.get(wanted) ?? weights.get('*') ?? 0) > 0;
}
