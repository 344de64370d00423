import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import {
  encodeMessage,
  type InstanceMessage,
  type InvocationRequest,
  MessageReader,
} from './instance-protocol.ts';

/**
 * The child process in which a function runs, instead of Lambda's runtime. Loads the bundle, then serves one invocation
 * at a time. Arguments: the file of the bundle and the name of the exported handler.
 */

type Handler = (event: unknown, context: object) => unknown;

const [file = '', exportName = ''] = process.argv.slice(2);
const pipe = new Socket({ fd: 3 });
// The pipe closes even if the runtime is killed with SIGKILL. No instance may outlive the runtime.
pipe.once('close', () => process.exit(0));
pipe.on('error', () => process.exit(0));
// Ctrl-C reaches the whole process group, but the runtime decides when an instance ends.
process.on('SIGINT', () => {});

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function send(message: InstanceMessage, body: Buffer | string = ''): void {
  pipe.write(encodeMessage(message, body));
}

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

function sendResult(result: unknown): void {
  if (
    typeof result !== 'object' ||
    result === null ||
    !('body' in result) ||
    typeof result.body !== 'string'
  ) {
    send({ type: 'returned', payload: result ?? null, hasBody: false });
    return;
  }
  const { body, ...payload } = result;
  const encoding = 'isBase64Encoded' in payload && payload.isBase64Encoded === true ? 'base64' : 'utf8';
  send({ type: 'returned', payload, hasBody: true }, Buffer.from(body, encoding));
}

async function serve(handler: Handler, request: InvocationRequest, event: unknown): Promise<void> {
  process.env['_X_AMZN_TRACE_ID'] = request.traceId;
  try {
    sendResult(await handler(event, contextOf(request)));
  } catch (error) {
    process.stderr.write(`${request.requestId} Invoke Error ${describe(error)}\n`);
    send({ type: 'threw' });
  }
}

async function start(): Promise<void> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const handler = module[exportName];
  if (typeof handler !== 'function') throw new Error(`${file} does not export a function ${exportName}.`);
  const reader = new MessageReader<InvocationRequest>();
  pipe.on('data', (chunk: Buffer) => {
    for (const { header, body } of reader.push(chunk)) {
      void serve(handler as Handler, header, JSON.parse(body.toString('utf8')));
    }
  });
  send({ type: 'ready' });
}

start().catch((error: unknown) => {
  process.stderr.write(`Init Error ${describe(error)}\n`);
  pipe.end(encodeMessage({ type: 'load-failed' } satisfies InstanceMessage));
});
