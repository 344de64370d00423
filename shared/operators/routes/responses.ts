import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** A change was not possible, or the request did not match the stored state. */
export const NOT_POSSIBLE = 409;
export const NOT_FOUND = 404;

/** Returns the ARN of the caller. API Gateway sets it, so that nobody can act in another person's name. */
export function callerOf(event: APIGatewayProxyEvent): string {
  const { userArn } = event.requestContext.identity;
  if (!userArn) throw new Error('The request has no authenticated caller.');
  return userArn;
}

export function json(statusCode: number, body: object): APIGatewayProxyResult {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return { statusCode, headers, body: JSON.stringify(body) };
}
