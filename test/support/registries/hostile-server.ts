import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Ways in which a server can misbehave. */
export const BEHAVIOURS = {
  silence: () => undefined,
  'reset at once': (socket: Socket) => socket.resetAndDestroy(),
  'reset after the request': (socket: Socket) => onRequest(socket, () => socket.resetAndDestroy()),
  'close after the request': (socket: Socket) => onRequest(socket, () => socket.end()),
  'half a header': (socket: Socket) => onRequest(socket, () => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')),
  'half a body': (socket: Socket) => onRequest(socket, () => socket.end(`${head(200, 100)}{"found":tr`)),
  drip: (socket: Socket) => onRequest(socket, () => drip(socket)),
  '50 MB, announced': (socket: Socket) => onRequest(socket, () => socket.write(head(200, 50_000_000))),
  '50 MB, streamed': (socket: Socket) => onRequest(socket, () => flood(socket)),
  'redirect to metadata': (socket: Socket) =>
    onRequest(socket, () =>
      socket.end('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n'),
    ),
  'not HTTP': (socket: Socket) => onRequest(socket, () => socket.end('220 mail.example.com ESMTP\r\n')),
  'HTML with 200': (socket: Socket) =>
    onRequest(socket, () => send(socket, 200, '<html><body>Welcome</body></html>')),
  'empty with 200': (socket: Socket) => onRequest(socket, () => send(socket, 200, '')),
  'null with 200': (socket: Socket) => onRequest(socket, () => send(socket, 200, 'null')),
  'list with 200': (socket: Socket) => onRequest(socket, () => send(socket, 200, '[]')),
  'deep nesting': (socket: Socket) => onRequest(socket, () => send(socket, 200, '['.repeat(500_000))),
  'one byte in each chunk': (socket: Socket) =>
    onRequest(socket, () =>
      socket.end(
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(30_000)}0\r\n\r\n`,
      ),
    ),
  'not UTF-8': (socket: Socket) =>
    onRequest(socket, () => send(socket, 200, Buffer.from('{"a":"\xff\xfe"}', 'latin1'))),
  gzip: (socket: Socket) =>
    onRequest(socket, () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x08\x00'),
    ),
  'huge header': (socket: Socket) =>
    onRequest(socket, () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`)),
  'HTML with 503': (socket: Socket) => onRequest(socket, () => send(socket, 503, '<html>Maintenance</html>')),
  'two responses in one': (socket: Socket) =>
    onRequest(socket, () => socket.end(`${head(200, 2)}{}${head(200, 4)}null`)),
} as const;
export type Behaviour = keyof typeof BEHAVIOURS;

function onRequest(socket: Socket, act: () => void): void {
  socket.once('data', act);
}

function head(status: number, contentLength: number): string {
  return `HTTP/1.1 ${status} Whatever\r\nconnection: close\r\ncontent-length: ${contentLength}\r\n\r\n`;
}

function send(socket: Socket, status: number, body: string | Buffer): void {
  socket.write(head(status, Buffer.byteLength(body)));
  socket.end(body);
}

/** Sends one byte every 20 ms until the client disconnects. */
function drip(socket: Socket): void {
  socket.write(head(200, 1_000_000));
  const timer = setInterval(() => socket.write(' '), 20);
  socket.on('close', () => clearInterval(timer));
}

/** Sends 50 MB without a content-length, so that only a client that counts the bytes stops reading. */
function flood(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
  const chunk = Buffer.alloc(64 * 1024, 0x20);
  let left = 50_000_000;
  const pour = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length;
      if (!socket.write(chunk)) return;
    }
    socket.end();
  };
  socket.on('drain', pour);
  pour();
}

/** A server that misbehaves on each connection in the way that was selected when the connection opened. */
export interface HostileServer {
  readonly baseUrl: string;
  behaviour: Behaviour | ((socket: Socket) => void);
  connections(): number;
  stop(): Promise<void>;
}

export async function startHostileServer(): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    const { behaviour } = hostile;
    if (typeof behaviour === 'function') behaviour(socket);
    else BEHAVIOURS[behaviour](socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hostile: HostileServer = {
    baseUrl: `http://127.0.0.1:${port}`,
    behaviour: 'silence',
    connections: () => opened,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return hostile;
}
