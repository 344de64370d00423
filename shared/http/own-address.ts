import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../core/config.ts';

/**
 * The domain name comes from API Gateway, not from the caller's Host header, with the stage of a generated URL.
 */
export function ownAddress({ requestContext, path }: APIGatewayProxyEvent): string {
  const scheme = setting('STAGE') === 'local' ? 'http' : 'https';
  const stage = requestContext.path.endsWith(path) ? requestContext.path.slice(0, -path.length) : '';
  return `${scheme}://${requestContext.domainName}${stage}`;
}

/** Of links that outlive the request, such as QR codes: `PUBLIC_BASE_URL`, or the address of the request. */
export function publicAddress(event: APIGatewayProxyEvent): string {
  return setting('PUBLIC_BASE_URL') || ownAddress(event);
}
