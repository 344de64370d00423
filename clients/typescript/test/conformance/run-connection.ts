import { BASE_ENVIRONMENT, run } from '../../../../test/support/programs.ts';
import { type Certificates, ConnectionServer } from './connection-server.ts';
import type { ConformanceTable, FailedConnection } from './table.ts';

/** Runs `one-call` with a server that no request reaches. Returns how the client's behaviour differs from the table. */
export async function runConnection(
  { server: fault, expect }: FailedConnection,
  [command = '', ...args]: readonly string[],
  table: ConformanceTable,
  certificates: Certificates,
): Promise<string[]> {
  await using server = await ConnectionServer.start(fault, certificates);
  const { output } = await run(command, [...args, server.baseUrl, table.api_key, table.number], {
    env: { ...BASE_ENVIRONMENT, ...server.env },
  });
  const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
  if (!lastLine.startsWith('{')) return [output];
  const { message, ...error } = JSON.parse(lastLine);
  const found = { connections: server.connections, requests: server.requests, error };
  const isTold = expect.error.charged !== false || message.endsWith('Nothing was sent.');
  const isSame = JSON.stringify(found) === JSON.stringify(expect);
  return [...(isSame ? [] : [JSON.stringify(found)]), ...(isTold ? [] : [message])];
}
