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

/** Returns the address for links that outlive the request, such as in QR codes: the configured one, or else our own. */
export function publicAddress(event: APIGatewayProxyEvent): string {
  return setting('PUBLIC_BASE_URL') || ownAddress(event);
}
