import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';

/** The longest IDs identify people and have up to 128 characters. */
const ID = /^[0-9A-Za-z_-]{1,128}$/;

/** Returns the ID in the path. Throws RESOURCE_NOT_FOUND, as for an unknown ID, if the text cannot be an ID. */
export function pathId({ pathParameters }: APIGatewayProxyEvent): string {
  const id = pathParameters?.['id'] ?? '';
  if (ID.test(id)) return id;
  throw new ServiceError('RESOURCE_NOT_FOUND');
}
