import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../core/config.ts';

/**
 * Returns the service's own address, to which the request was sent: the API's domain name, and its stage in the URL
 * that API Gateway generates. The domain name comes from API Gateway, not from the caller's Host header.
 */
export function ownAddress({ requestContext, path }: APIGatewayProxyEvent): string {
  const scheme = setting('STAGE') === 'local' ? 'http' : 'https';
  const stage = requestContext.path.endsWith(path) ? requestContext.path.slice(0, -path.length) : '';
  return `${scheme}://${requestContext.domainName}${stage}`;
}

/**
 * Returns the base of links that outlive the request, such as those in QR codes: `PUBLIC_BASE_URL`, or the address to
 * which the request was sent.
 */
export function publicAddress(event: APIGatewayProxyEvent): string {
  return setting('PUBLIC_BASE_URL') || ownAddress(event);
}
