import type { IncomingMessage } from 'node:http';
import { arn } from '../templates/physical-names.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';

/** Starts an asynchronous invocation. Returns false if there is no such function. */
export type InvokeFunction = (functionArn: string, event: unknown) => boolean;

const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/** Returns the function that a request to Lambda invokes, by name or ARN. Undefined for any other request. */
export function invokedFunction({ method, url = '' }: IncomingMessage): string | undefined {
  const [, name] = INVOKE_PATH.exec(url) ?? [];
  return method === 'POST' ? name && decodeURIComponent(name) : undefined;
}

/** Handles `Invoke`, the only operation of Lambda that functions use, and only asynchronously. */
export function lambdaResponse(
  invoke: InvokeFunction,
  principal: Principal,
  name: string,
  { headers }: Pick<IncomingMessage, 'headers'>,
  event: unknown,
  deny: Deny,
): AwsResponse {
  const functionArn = name.startsWith('arn:') ? name : arn('lambda', `function:${name}`);
  if (!principal.authorise('lambda:InvokeFunction', functionArn))
    return deny('lambda:InvokeFunction', functionArn);
  if (headers['x-amz-invocation-type'] !== 'Event')
    return awsError(
      'InvalidParameterValueException',
      'The local runtime supports only the invocation type Event.',
    );
  if (!invoke(functionArn, event))
    return awsError('ResourceNotFoundException', `Function not found: ${functionArn}`, 404);
  return { status: 202, content: undefined };
}
