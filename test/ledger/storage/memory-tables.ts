import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Network } from '../simulation/network.ts';
import type { Process } from '../simulation/process.ts';
import { type CommandInput, type OpenDatabase, realTables, traitsOf } from './database.ts';
import type { Journal } from './journal.ts';
import { MemoryStore } from './memory-store.ts';

export interface MemoryDatabase {
  /** Returns a client that sends a command at most `maxAttempts` times. */
  clientOf(process: Process, maxAttempts: number): DynamoDBDocumentClient;
  /** Deletes the rows that time to live would delete by `nowMs`. */
  expire(nowMs: number): void;
}

/**
 * Opens tables in memory, in a store that evaluates the DynamoDB expressions of the real table modules. At every call,
 * other processes may run and faults may occur.
 */
export function openMemory(network: Network, journal: Journal): MemoryDatabase {
  let sent: { isUnconditional?: boolean; begunMs?: number } = {};
  const store = new MemoryStore((changes) => journal.add(changes, sent));
  const apply = (command: Command, begunMs: number) => {
    sent = { isUnconditional: traits(command).isUnconditional, begunMs };
    return store.apply(command);
  };
  return {
    clientOf: (process, maxAttempts) => client(process, network, apply, maxAttempts),
    expire: (nowMs) => journal.add(store.expire(nowMs), { isExpiry: true }),
  };
}

export const openMemoryTables: OpenDatabase = async (network, journal) => {
  const { clientOf, expire } = openMemory(network, journal);
  return {
    tables: (process) => realTables(clientOf(process, 3), clientOf(process, 1)),
    expire: async (nowMs) => expire(nowMs),
    close: async () => {},
  };
};

interface Command {
  readonly input: CommandInput;
}

const traits = (command: Command) => traitsOf(command.input, command instanceof DeleteCommand);

const RETRIED = new Set(['TimeoutError', 'ThrottlingException']);

/** Returns a client that sends a command at most `maxAttempts` times. Table modules use only `send`. */
function client(
  process: Process,
  network: Network,
  apply: (command: Command, begunMs: number) => unknown,
  maxAttempts: number,
): DynamoDBDocumentClient {
  const send = async (command: Command) => {
    for (let attempt = 1; ; attempt += 1) {
      const begunMs = process.clock.nowMs();
      const message = { ...traits(command), apply: () => apply(command, begunMs) };
      try {
        return await network.send(process, message);
      } catch (error) {
        const isRetried = error instanceof Error && RETRIED.has(error.name) && attempt < maxAttempts;
        if (!isRetried) throw error;
        await process.clock.pause(process.clock.random() * 100 * 2 ** attempt);
      }
    }
  };
  // The SDK's paginators accept only instances of the class.
  return Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send });
}
