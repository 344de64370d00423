import { createServer, type Server, type Socket } from 'node:net';
import { bodyOf, type CallName, type ConformanceTable, type Step, SUCCESS } from './table.ts';
import type { VirtualClock } from './virtual-clock.ts';

const HEAD_END = '\r\n\r\n';

/** A server that follows the steps of a situation, one for each request. Each connection carries one request. */
export class ScriptedServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly requests: string[] = [];
  baseUrl = '';

  private constructor(respond: (socket: Socket, attempt: number) => void) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      // The client closes the connections of attempts that it has abandoned.
      socket.on('error', () => {});
      let received = '';
      socket.on('data', (chunk) => {
        if (isComplete(received)) return;
        received += chunk.toString('latin1');
        if (!isComplete(received)) return;
        this.requests.push(received.slice(0, received.indexOf(HEAD_END)));
        respond(socket, this.requests.length);
      });
    });
  }

  /** Starts a server. With `refused`, nothing listens at its address. */
  static async start(
    steps: 'refused' | readonly Step[],
    call: CallName,
    table: ConformanceTable,
    clock: VirtualClock,
  ): Promise<ScriptedServer> {
    const server = new ScriptedServer((socket, attempt) => {
      const step = steps === 'refused' ? undefined : (steps[attempt - 1] ?? steps.at(-1));
      const key = server.headers('Idempotency-Key').at(-1) ?? null;
      if (step) follow(socket, step, responseText(step, call, table, key), clock);
    });
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    const address = server.#server.address();
    if (typeof address === 'object' && address) server.baseUrl = `http://127.0.0.1:${address.port}`;
    if (steps === 'refused') await server[Symbol.asyncDispose]();
    return server;
  }

  headers(name: string): (string | undefined)[] {
    const pattern = new RegExp(`^${name}: *(.*)$`, 'im');
    return this.requests.map((head) => pattern.exec(head)?.[1]?.trim());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function isComplete(received: string): boolean {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const length = Number(/^content-length: *(\d+)/im.exec(received.slice(0, headEnd))?.[1] ?? 0);
  return received.length >= headEnd + HEAD_END.length + length;
}

function responseText(
  step: Step,
  call: CallName,
  { responses }: ConformanceTable,
  key: string | null,
): string {
  const { send = 'success' } = step;
  const response = responses[send === 'success' ? SUCCESS[call] : send];
  if (!response) throw new Error(`The table has no response "${send}".`);
  const { text, type } = bodyOf(response);
  const headers = {
    'Content-Type': type,
    'Content-Length': String(text.length),
    Connection: 'close',
    'Idempotency-Key': key,
    ...response.headers,
    ...step.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${response.status} Status`, ...lines].join('\r\n') + HEAD_END + text;
}

function follow(socket: Socket, step: Step, response: string, clock: VirtualClock): void {
  const head = response.indexOf(HEAD_END) + HEAD_END.length;
  const half = response.slice(0, head + Math.ceil((response.length - head) / 2));
  if (step.interim) socket.write('HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n');
  if (step.after_s !== undefined) clock.advance(step.after_s * 1000);
  if (step.hang === 'response') clock.advanceToTimer();
  else if (step.hang === 'body') socket.write(half, 'latin1', () => clock.advanceToTimer());
  else if (step.raw !== undefined) socket.end(step.raw);
  else if (step.cut === 'reset') reset(socket);
  else if (step.cut === 'close') socket.end();
  else if (step.cut === 'head') socket.end(response.slice(0, 20), 'latin1');
  else if (step.cut === 'body') socket.end(half, 'latin1');
  else if (step.cut === 'body_reset') socket.write(half, 'latin1', () => reset(socket));
  else socket.end(response, 'latin1');
}

/** Deno and Bun do not implement `resetAndDestroy`. */
function reset(socket: Socket): void {
  if ('resetAndDestroy' in socket) socket.resetAndDestroy();
  else (socket as Socket).destroy();
}
