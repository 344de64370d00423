import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { encodeFrame, FrameReader } from './frames.ts';
import type { InvocationRequest } from './instance-protocol.ts';

/**
 * The child process in which a function runs, in the place of Lambda's own runtime: loads the bundle, then
 * serves one invocation at a time. Arguments: file of the bundle, name of the exported handler.
 */

type Handler = (event: unknown, context: object) => unknown;

const [file = '', exportName = ''] = process.argv.slice(2);
const pipe = new Socket({ fd: 3 });
// The pipe ends with the runtime, whichever way that goes: nothing is left running.
pipe.once('close', () => process.exit(0));
pipe.on('error', () => process.exit(0));
// Ctrl-C reaches the whole process group; the runtime decides when an instance ends.
process.on('SIGINT', () => {});

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function contextOf({ requestId, functionArn, deadlineMs, traceId }: InvocationRequest): object {
  const { env } = process;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
    invokedFunctionArn: functionArn,
    memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    awsRequestId: requestId,
    logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
    xRayTraceId: traceId,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

function answerWith(result: unknown): void {
  if (
    typeof result !== 'object' ||
    result === null ||
    !('body' in result) ||
    typeof result.body !== 'string'
  ) {
    pipe.write(encodeFrame({ type: 'returned', result: result ?? null, hasBody: false }));
    return;
  }
  const { body, ...rest } = result;
  const encoding = 'isBase64Encoded' in rest && rest.isBase64Encoded === true ? 'base64' : 'utf8';
  pipe.write(encodeFrame({ type: 'returned', result: rest, hasBody: true }, Buffer.from(body, encoding)));
}

async function serve(handler: Handler, request: InvocationRequest, event: unknown): Promise<void> {
  process.env['_X_AMZN_TRACE_ID'] = request.traceId;
  try {
    answerWith(await handler(event, contextOf(request)));
  } catch (error) {
    const words = describe(error);
    process.stderr.write(`${request.requestId} Invoke Error ${words}\n`);
    pipe.write(encodeFrame({ type: 'threw', error: words }));
  }
}

async function start(): Promise<void> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const handler = module[exportName];
  if (typeof handler !== 'function') throw new Error(`${file} exports no function ${exportName}.`);
  const reader = new FrameReader<InvocationRequest>();
  pipe.on('data', (chunk: Buffer) => {
    for (const { head, body } of reader.push(chunk)) {
      void serve(handler as Handler, head, JSON.parse(body.toString('utf8')));
    }
  });
  pipe.write(encodeFrame({ type: 'ready' }));
}

start().catch((error: unknown) => {
  const words = describe(error);
  process.stderr.write(`Init Error ${words}\n`);
  pipe.end(encodeFrame({ type: 'unable', error: words }));
});
