import { setting } from './config.ts';
import { signRequest } from './sign-request.ts';

const TIMEOUT_MS = 5_000;

/** Invokes this function again, without waiting for it. */
export function invokeAgain(event: object): Promise<void> {
  return invokeFunction(setting('AWS_LAMBDA_FUNCTION_NAME'), event, TIMEOUT_MS);
}

/** Invokes a function without waiting for it: Lambda has stored the event. */
export async function invokeFunction(name: string, event: object, timeoutMs: number): Promise<void> {
  const endpoint =
    setting('AWS_ENDPOINT_URL_LAMBDA') ?? `https://lambda.${setting('AWS_REGION')}.amazonaws.com`;
  const url = new URL(`${endpoint}/2015-03-31/functions/${name}/invocations`);
  const headers = await signRequest({ url, body: event, headers: { 'x-amz-invocation-type': 'Event' } });
  const signal = AbortSignal.timeout(timeoutMs);
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(event), signal });
  if (status !== 202) throw new Error(`Lambda did not accept the invocation: ${status}.`);
}
