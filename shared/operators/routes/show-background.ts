import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { BackgroundTable } from '../background-table.ts';
import { callerOf, json, NOT_FOUND } from './responses.ts';

/**
 * GET /operations/{id}: the state of a change in the background, for the person who made it. Its result is what a
 * change without background returns.
 */
export function showBackground(changes: Pick<BackgroundTable, 'get'>) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const id = event.pathParameters?.['id'] ?? '';
    const change = await changes.get(id);
    if (change?.actor !== callerOf(event))
      return json(NOT_FOUND, { error: { message: `You made no change with the ID ${id}.` } });
    const { expiresAt: _, actor: __, ...shown } = change;
    return json(200, shown);
  };
}
