/** Failures before the service could process a request, so that nothing was charged. clients/conformance.json lists them. */

interface FailedConnection {
  readonly message: string;
  /** A repeat fails too, until someone changes a setting. */
  readonly isPermanent: boolean;
}

interface Fact {
  readonly code: string;
  readonly text: string;
  readonly isConnecting: boolean;
}

/** Returns undefined if the request may have been processed. */
export function failedConnection(thrown: unknown): FailedConnection | undefined {
  const facts = factsOf(thrown);
  const found = (isTrue: (fact: Fact) => boolean) => facts.some(isTrue);
  const reason = (code = facts.find((fact) => /[A-Z]/i.test(fact.code))?.code) =>
    code ? ` Reason: ${code}.` : '';
  if (found(isOfCertificate))
    return { message: `The certificate of the server was not accepted.${reason()}`, isPermanent: true };
  const proxyStatus = facts.map(({ text }) => statusOfProxy(text)).find(Boolean);
  if (proxyStatus)
    return {
      message: `The proxy did not open a connection.${reason(`HTTP ${proxyStatus}`)}`,
      isPermanent: proxyStatus.startsWith('4'),
    };
  if (!found(({ isConnecting }) => isConnecting)) return undefined;
  return { message: `The connection failed.${reason()}`, isPermanent: found(isOfTls) };
}

/** The exception itself may contain the request and its key. */
function factsOf(thrown: unknown): Fact[] {
  const facts: Fact[] = [];
  for (let error = thrown, depth = 0; typeof error === 'object' && error !== null && depth < 5; depth++) {
    const { code, message, syscall, cause } = error as Record<string, unknown>;
    const alert = unsent.get(error);
    const fact = { code: alert || textOf(code), text: textOf(message) };
    const isConnecting =
      alert !== undefined || syscall === 'connect' || syscall === 'getaddrinfo' || isNeverSent(fact);
    facts.push({ ...fact, isConnecting });
    error = cause;
  }
  return facts;
}

/** A copy of an error of `fetch` and of its causes, without the request, its key and its number. */
export function causeOf(thrown: unknown, depth = 0): Error | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth === 5) return undefined;
  const { name, message, code, cause } = thrown as Record<string, unknown>;
  const inner = causeOf(cause, depth + 1);
  const text = textOf(message).replace(/Bearer \S+|idv_\w+|\d[\d -]{9,}/g, '...');
  const copy = new Error(text, inner && { cause: inner });
  // Frames of this function say nothing.
  copy.stack = `${textOf(name)}: ${text}`;
  return Object.assign(copy, { name: textOf(name), ...(textOf(code) && { code }) });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Errors of `fetch` that a failed connection caused, with the code of the server's alert or an empty string. */
const unsent = new WeakMap<object, string>();

/** Node.js and Bun; Deno shows it in a message. The last two alerts end a handshake. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ERR_PROXY_TUNNEL)$|^ERR_SSL_WRONG_VERSION|ALERT_(?:PROTOCOL_VERSION|CERTIFICATE_REQUIRED)$/;
const NEVER_SENT_TEXT =
  /client error \(Connect\)|alert: CertificateRequired|TLS handshake failed|before secure TLS connection/;

const isNeverSent = ({ code, text }: Omit<Fact, 'isConnecting'>): boolean =>
  NEVER_SENT.test(code) || NEVER_SENT_TEXT.test(text);

/** Not the alerts about a certificate of ours, which begin with ERR_SSL. */
const isOfCertificate = ({ code, text }: Fact): boolean =>
  /^(?!ERR_SSL).*(?:CERT|CRL_|LEAF_SIGNATURE)|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/.test(
    code,
  ) || text.includes('invalid peer certificate');

/** The two sides have no TLS in common, or the server demands a certificate. */
const isOfTls = ({ code, text }: Fact): boolean =>
  /^ERR_SSL_|^EPROTO$/.test(code) || /received (?:corrupt message|fatal alert)/.test(text);

function statusOfProxy(text: string): string | undefined {
  if (text.includes('proxy authentication required')) return '407';
  return /^Proxy (?:response \(|refused to open a tunnel: )(\d{3})/.exec(text)?.[1];
}

interface Message {
  readonly error: object;
  readonly request: object;
  readonly headers: unknown;
  readonly socket: { on(event: 'error', listener: (error: { code?: unknown }) => void): void };
}

type Subscribe = (channel: string, listener: (message: Message) => void) => void;

/**
 * In Node.js, listens to the channels of its `fetch`, because its errors do not show whether the connection was
 * established. With TLS 1.3, a client sends its request before it learns that the server demands a certificate.
 */
function observeConnections(subscribe: Subscribe): void {
  const sockets = new WeakMap<object, object>();
  const alerts = new WeakMap<object, string>();
  subscribe('undici:client:connectError', ({ error }) => unsent.set(error, ''));
  subscribe('undici:client:sendHeaders', ({ request, headers, socket }) => {
    if (!String(headers).includes('ng-identity/')) return;
    sockets.set(request, socket);
    if (alerts.has(socket)) return;
    alerts.set(socket, '');
    socket.on('error', ({ code }) => {
      if (isNeverSent({ code: textOf(code), text: '' })) alerts.set(socket, textOf(code));
    });
  });
  subscribe('undici:request:error', ({ request, error }) => {
    const alert = alerts.get(sockets.get(request) ?? request);
    if (alert) unsent.set(error, alert);
  });
}

type BuiltIn = (name: string) => { subscribe?: Subscribe } | undefined;
let isObserved = false;

/** The first client does this, and not the import, so that programs without a client pay nothing for it. */
export function observeConnectionsOnce(): void {
  if (isObserved) return;
  isObserved = true;
  const { process } = globalThis as { process?: { getBuiltinModule?: BuiltIn } };
  const channels = process?.getBuiltinModule?.('node:diagnostics_channel');
  if (channels?.subscribe) observeConnections(channels.subscribe);
}
