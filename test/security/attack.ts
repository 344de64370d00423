import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect } from '@jest/globals';
import {
  type ApiResponse,
  baseUrl,
  type Envelope,
  logFile,
  logLines,
  registryCalls,
  type TestOrganisation,
} from '../support/service.ts';

/** Helpers that run an attack and check that it has no effect besides its response. */

export interface Outcome {
  readonly status: number;
  readonly code: string;
  /** The exact number of registry calls. @default 0 */
  readonly registryCalls?: number;
  /** Strings from the attack that must appear in no log line and no response. */
  readonly hidden?: readonly string[];
}

/** Signs of a stack trace or of our own file names. */
const TRACE = /\n\s+at |node:internal|\.cjs:|\.ts:\d|node_modules|SyntaxError|TypeError|ValiError/;

/**
 * Runs an attack. Asserts the status, the code and the number of registry calls, that nothing is charged, and that
 * neither the response nor the log contains a stack trace or one of the `hidden` strings.
 */
export async function expectRejected(
  who: TestOrganisation,
  expected: Outcome,
  act: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const before = await who.balance();
  const response = await act();
  expectHarmless(response, expected);
  const after = await who.balance();
  expect(after).toEqual({ ...before, held: after.held });
  // The sweeper may remove the hold of an earlier charge.
  expect(after.held).toBeLessThanOrEqual(before.held);
  return response;
}

/** Makes the assertions of `expectRejected` about a response, except those about the wallet. */
export function expectHarmless(response: ApiResponse, expected: Outcome): void {
  expect([response.status, response.json?.code]).toEqual([expected.status, expected.code]);
  expect(response.json?.success).toBe(false);
  expect(response.json?.data ?? null).toBeNull();
  expect(response.text).not.toMatch(TRACE);
  expect(response.headers.get('x-credits-charged') ?? '0').toBe('0');
  const requestId = response.headers.get('x-request-id') ?? response.json?.meta.request_id ?? '';
  expect(registryCalls(requestId)).toBe(expected.registryCalls ?? 0);
  const lines = JSON.stringify(logLines(requestId));
  expect(lines).not.toMatch(TRACE);
  for (const text of expected.hidden ?? []) {
    expect(response.text).not.toContain(text);
    expect(lines).not.toContain(text);
  }
}

export function writtenSoFar(): string {
  return readFileSync(logFile, 'utf8');
}

export interface RawResponse {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly head: string;
  readonly json: Envelope | undefined;
}

/**
 * Sends raw bytes, for requests that no HTTP client would send. Sends `pieces` one after the other, `pauseMs` apart,
 * and closes the connection after `idleMs` without data.
 */
export function sendRaw(
  pieces: readonly (string | Uint8Array)[],
  pauseMs = 0,
  idleMs = 20_000,
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname);
    const send = (left: readonly (string | Uint8Array)[]) => {
      const [piece, ...others] = left;
      if (piece === undefined || socket.destroyed) return;
      socket.write(piece);
      setTimeout(send, pauseMs, others);
    };
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('connect', () => send(pieces));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(readRaw(received)));
  });
}

function readRaw(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  try {
    return { status, head, json: JSON.parse(rest.join('\r\n\r\n')) as Envelope };
  } catch {
    return { status, head, json: undefined };
  }
}

/** Returns a POST request as text, with extra header lines. The connection closes after the response. */
export function rawPost(path: string, key: string, body: string, lines: readonly string[] = []): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...lines,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
