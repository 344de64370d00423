import { createServer } from 'node:http';
import express from 'express';
import { listen } from '../../../../infra/local/http-server.ts';
import { verifyNaively } from '../references/naive.ts';

/**
 * Starts the naive implementation behind Express: seven calls to DynamoDB, few checks, and no log line. Returns its
 * address.
 */
export async function startExpress(): Promise<string> {
  const app = express();
  app.use(express.json());
  app.post('/v1/ng/nin-basic', async (request, response) => {
    const { statusCode, body } = await verifyNaively(request.body, request.get('Authorization') ?? '');
    response.status(statusCode).type('application/json').send(body);
  });
  return (await listen(createServer(app))).url;
}
