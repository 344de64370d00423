import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';

/** Those of people are longest. */
const ID = /^[0-9A-Za-z_-]{1,128}$/;

/** Throws RESOURCE_NOT_FOUND, as for an unknown ID, if the text cannot be one. */
export function pathId({ pathParameters }: APIGatewayProxyEvent): string {
  const id = pathParameters?.['id'] ?? '';
  if (ID.test(id)) return id;
  throw new ServiceError('RESOURCE_NOT_FOUND');
}
