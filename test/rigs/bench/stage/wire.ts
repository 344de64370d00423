import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../../../../infra/local/http-server.ts';

export interface SentCall {
  /** `GetItem`, `UpdateItem` ..., or `look-up` for a registry. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly status: number;
  /** On the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/**
 * Starts a proxy for a server. Adds all calls to `sent`, in the order in which they began, including those that the SDK
 * makes on its own, such as retries.
 */
export async function startWire(targetUrl: string, sent: SentCall[]): Promise<Listening> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, response) => {
    const startedMs = performance.now();
    const place = sent.push(undefined as unknown as SentCall) - 1;
    const body = await buffer(incoming);
    const { method, headers } = incoming;
    const answer = await pass(new URL(incoming.url ?? '/', targetUrl), { method, headers, agent }, body);
    response.writeHead(answer.status, answer.headers).end(answer.body);
    sent[place] = {
      operation: String(headers['x-amz-target'] ?? '.look-up').split('.')[1] ?? '',
      input: parsed(body),
      answer: parsed(answer.body),
      status: answer.status,
      startedMs,
      endedMs: performance.now(),
    };
  });
  const listening = await listen(server);
  return {
    ...listening,
    close: async () => {
      agent.destroy();
      await listening.close();
    },
  };
}

function pass(url: URL, options: object, body: Buffer) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const outgoing = request(url, options, async (incoming) => {
        const { statusCode: status = 500, headers } = incoming;
        resolve({ status, headers, body: await buffer(incoming) });
      });
      outgoing.once('error', reject).end(body);
    },
  );
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(bytes.toString('utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
