import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { setting } from '../../../shared/core/config.ts';
import { notPossible } from '../../../shared/core/not-possible.ts';
import { parseSecret } from '../../../shared/core/secrets.ts';
import { operatorHandler } from '../../../shared/operators/routes/chain.ts';
import type { OperatorDependencies } from '../../../shared/operators/routes/dependencies.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** Tests what an operator and the log get of an error. */

let output: CapturedOutput;
beforeEach(() => {
  output = captureOutput();
});
afterEach(() => output.restore());

async function change(run: () => never) {
  const deployment = { client: {}, tables: { auditTrail: 'AuditTrail' } };
  const deps = { deployment, clock: { nowMs: () => 0 } } as unknown as OperatorDependencies;
  const handler = operatorHandler('org approve', { body: v.strictObject({}), run }, deps);
  const event = {
    body: '{}',
    multiValueHeaders: { 'content-type': ['application/json'] },
    requestContext: { identity: { userArn: 'arn:aws:iam::1:user/ada' } },
  } as unknown as APIGatewayProxyEvent;
  const response = await handler(event, { awsRequestId: 'lambda-1' } as Context);
  const line = output.both.split('\n').find((one) => one.includes('operator request')) ?? '{}';
  return { status: response?.statusCode, ...JSON.parse(response?.body ?? '{}'), line: JSON.parse(line) };
}

test.each<[string, string, () => never]>([
  ['a missing setting', 'Error', () => setting('SIGN_IN_POOL_ID') as never],
  ['a malformed secret', 'Error', () => parseSecret('{"current": 7}', 'The secret PEPPER') as never],
  ['a bug', 'TypeError', () => (undefined as never as () => never)()],
])('%s is a fault with the ID of the request, and its message is not shown', async (_, name, run) => {
  const { status, error, line } = await change(run);
  expect(status).toBe(500);
  expect(error.message).toMatch(
    new RegExp(`^The change failed \\(${name}\\).*lambda_request_id is lambda-1\\.$`),
  );
  expect(line).toMatchObject({
    level: 'ERROR',
    error_name: name,
    lambda_request_id: 'lambda-1',
    status: 500,
  });
  expect(JSON.stringify([error, line])).not.toMatch(/SIGN_IN|PEPPER|undefined is/);
});

test('a change that is not possible gives the reason', async () => {
  const { status, error, line } = await change(() => {
    throw notPossible('The month is closed.');
  });
  expect([status, error]).toEqual([409, { message: 'The month is closed.' }]);
  expect(line).toMatchObject({ level: 'INFO', lambda_request_id: 'lambda-1' });
  expect(line).not.toHaveProperty('error_name');
});
