import type { APIGatewayProxyEvent } from 'aws-lambda';
import { setting } from '../../core/config.ts';
import { ownAddress } from '../own-address.ts';
import { CONSOLE_API, consoleRouteOf } from './routes.ts';

/** Locally, the origin of the request, because any port can be used. */
export function ownOrigin(event: APIGatewayProxyEvent): string {
  return setting('CONSOLE_URL') || ownAddress(event);
}

/** The browser returns to it after the sign-in. */
export function callbackUrl(event: APIGatewayProxyEvent): string {
  return `${ownOrigin(event)}${CONSOLE_API}${consoleRouteOf('finish-sign-in').path}`;
}
