import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import table from '../../conformance.json' with { type: 'json' };
import { Certificates } from './conformance/connection-server.ts';
import { runConnection } from './conformance/run-connection.ts';
import type { ConformanceTable } from './conformance/table.ts';

const conformance = table as unknown as ConformanceTable;
const certificates = new Certificates();
afterAll(() => certificates[Symbol.dispose]());

// In a process of its own, because it reads the certificates and the proxy of its environment.
const command = ['node', '--no-warnings', join(import.meta.dirname, 'runtimes/one-call.ts')];

test.each(conformance.connections)('$name was not charged, and nothing was sent', async (connection) => {
  expect(await runConnection(connection, command, conformance, certificates)).toEqual([]);
});
