import { expect, test } from '@jest/globals';
import { gatewayResponses } from '../../infra/local/gateway/gateway-responses.ts';

test('a response contains the message of the error unchanged, in the template of its type or of all errors', () => {
  const template = (text: string) => ({
    responseParameters: {},
    responseTemplates: { 'application/json': text },
  });
  const respond = gatewayResponses({
    gatewayResponses: {
      ACCESS_DENIED: template('{"denied":$context.error.messageString}'),
      DEFAULT_4XX: template('{"text":"$context.error.message"}'),
    },
  });
  const message = "no permission for /$&/$'";
  expect(respond('ACCESS_DENIED', 'id', message)).toMatchObject({
    status: 403,
    headers: { 'x-amzn-ErrorType': 'AccessDeniedException', 'x-amzn-RequestId': 'id' },
    body: JSON.stringify({ denied: message }),
  });
  expect(respond('INVALID_SIGNATURE', 'id', message).body).toBe(JSON.stringify({ text: message }));
  expect(respond('REQUEST_TOO_LARGE', 'id').body).toBe('{"text":"Request Too Long"}');
});
