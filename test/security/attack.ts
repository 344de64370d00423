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

/** What every attack must leave behind, besides its status and code: nothing. */

export interface Outcome {
  readonly status: number;
  readonly code: string;
  /** How often the registry may be asked. @default 0 */
  readonly registryCalls?: number;
  /** Texts of the attack that must stand in no log line and, unless `isEchoed`, in no answer. */
  readonly hidden?: readonly string[];
}

/** The marks of a stack trace or of our own files. */
const TRACE = /\n\s+at |node:internal|\.cjs:|\.ts:\d|node_modules|SyntaxError|TypeError|ValiError/;

/** Runs an attack and asserts status, code, no charge, no call to the registry, nothing told and nothing logged. */
export async function expectRefused(
  who: TestOrganisation,
  wanted: Outcome,
  act: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const before = await who.balance();
  const answer = await act();
  expectHarmless(answer, wanted);
  expect(await who.balance()).toEqual(before);
  return answer;
}

/** The same of an answer, where the wallet is looked at elsewhere. */
export function expectHarmless(answer: ApiResponse, wanted: Outcome): void {
  expect([answer.status, answer.json?.code]).toEqual([wanted.status, wanted.code]);
  expect(answer.json?.success).toBe(false);
  expect(answer.json?.data ?? null).toBeNull();
  expect(answer.text).not.toMatch(TRACE);
  expect(answer.headers.get('x-credits-charged') ?? '0').toBe('0');
  const requestId = answer.headers.get('x-request-id') ?? answer.json?.meta.request_id ?? '';
  expect(registryCalls(requestId)).toBe(wanted.registryCalls ?? 0);
  const lines = JSON.stringify(logLines(requestId));
  expect(lines).not.toMatch(TRACE);
  for (const text of wanted.hidden ?? []) {
    expect(answer.text).not.toContain(text);
    expect(lines).not.toContain(text);
  }
}

/** Everything that the functions have written so far. */
export function writtenSoFar(): string {
  return readFileSync(logFile, 'utf8');
}

export interface RawResponse {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly head: string;
  readonly json: Envelope | undefined;
}

/**
 * Sends bytes as they are, for what no HTTP client would send; `pieces` go one after the other, `pauseMs` apart.
 * After `patienceMs` of silence the connection ends.
 */
export function sendRaw(
  pieces: readonly (string | Uint8Array)[],
  pauseMs = 0,
  patienceMs = 20_000,
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
    socket.setTimeout(patienceMs, () => socket.destroy());
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

/** A POST as text, with any header lines; the connection ends after the answer. */
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
