import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../../infra/local/http-server.ts';

export interface StoredObject {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * Starts a test double for S3. It stores an object if the request's AWS Signature Version 4 is correct, and otherwise
 * returns the error code that S3 returns. It computes the signature without the library that the CLI uses.
 */
export async function startBucketDouble(account: { accessKeyId: string; secretAccessKey: string }) {
  const objects = new Map<string, StoredObject>();
  /** The error responses to the next requests: a status and an error code. Later requests are handled normally. */
  const failures: [status: number, code: string][] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests += 1;
    const [status, code] = failures.shift() ?? problemOf(request, body, account) ?? [200, ''];
    if (status === 200) objects.set(request.url ?? '', { headers: request.headers, text: body.toString() });
    response.writeHead(status).end(code && `<Error><Code>${code}</Code></Error>`);
  });
  const { url, close } = await listen(server);
  return { endpoint: url, objects, failures, requests: () => requests, close };
}

function problemOf(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string },
): [number, string] | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), SignedHeaders=(\S+), Signature=(\w+)$/;
  const [, key, scope = '', names = '', signature] = pattern.exec(request.headers.authorization ?? '') ?? [];
  if (key !== accessKeyId) return [403, 'InvalidAccessKeyId'];
  const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text).digest();
  if (request.headers['x-amz-content-sha256'] !== hash(body)) return [400, 'XAmzContentSHA256Mismatch'];
  const headers = names.split(';').map((name) => `${name}:${request.headers[name]}\n`);
  const canonical = [request.method, request.url, '', headers.join(''), names, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const secret = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(secret, text).toString('hex') === signature ? undefined : [403, 'SignatureDoesNotMatch'];
}
