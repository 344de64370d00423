import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { DAY_SECONDS } from '../../core/clock.ts';
import { entryOf } from '../../core/errors.ts';
import { newRequestId } from '../../core/ids.ts';
import { hasCopy } from '../cacheable.ts';
import { acceptsEncoding } from '../compress.ts';
import { CONSOLE_API, CONSOLE_ROUTES } from './routes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { SITE_INDEX, type SiteEncoding, type SiteFile, type SiteFiles } from './site-files.ts';

const YEAR_SECONDS = 365 * DAY_SECONDS;
const PAGE_METHODS = ['GET', 'HEAD'];
const NO_ROUTE = 'No page and no route of the console has this path.';

/**
 * A path without a file gets the index, whose script shows the page, unless it looks like a file (a dot in its last
 * part). Unknown routes of the API are rejected.
 */
export function serveSite(files: SiteFiles): (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult> {
  return async (event) => {
    const { path, httpMethod } = event;
    if (path === CONSOLE_API || path.startsWith(`${CONSOLE_API}/`)) return rejectRoute(event);
    if (!PAGE_METHODS.includes(httpMethod)) return rejection('METHOD_NOT_ALLOWED', PAGE_METHODS);
    const file = files.get(path) ?? (isPage(path) ? files.get(SITE_INDEX) : undefined);
    return file ? fileResponse(file, event) : rejection('ROUTE_NOT_FOUND');
  };
}

const isPage = (path: string) => !path.slice(path.lastIndexOf('/')).includes('.');

function fileResponse(file: SiteFile, event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const encoding = encodingFor(file, event);
  const { body, etag } = file.variants.get(encoding) ?? { body: Buffer.alloc(0), etag: '""' };
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': file.contentType,
    'Cache-Control': file.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-store',
    ETag: etag,
    // Caches must not send an encoding that a client does not accept.
    Vary: 'Accept-Encoding',
  };
  if (hasCopy(event, etag)) return { statusCode: 304, headers, body: '' };
  const encoded = { ...headers, ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) };
  return { statusCode: 200, headers: encoded, body: body.toString('base64'), isBase64Encoded: true };
}

/** The first that the client accepts. */
function encodingFor({ variants }: SiteFile, event: APIGatewayProxyEvent): SiteEncoding {
  const accepted = [...variants.keys()].find((one) => one === 'identity' || acceptsEncoding(event, one));
  return accepted ?? 'identity';
}

/** `resource` is the path that API Gateway matched. */
function rejectRoute({ resource }: APIGatewayProxyEvent): APIGatewayProxyResult {
  const methods = Object.values(CONSOLE_ROUTES)
    .filter(({ path }) => CONSOLE_API + path === resource)
    .map(({ method }) => method);
  return methods.length === 0 ? rejection('ROUTE_NOT_FOUND') : rejection('METHOD_NOT_ALLOWED', methods);
}

function rejection(
  code: 'ROUTE_NOT_FOUND' | 'METHOD_NOT_ALLOWED',
  allowed: readonly string[] = [],
): APIGatewayProxyResult {
  const { status, message } = entryOf(code);
  const requestId = newRequestId();
  const meta = { request_id: requestId, timestamp: new Date().toISOString() };
  const text = code === 'ROUTE_NOT_FOUND' ? NO_ROUTE : message;
  return {
    statusCode: status,
    headers: {
      ...SECURITY_HEADERS,
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...(allowed.length > 0 && { Allow: allowed.join(', ') }),
    },
    body: JSON.stringify({ success: false, code, message: text, data: null, meta }),
  };
}
