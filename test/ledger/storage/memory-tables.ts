import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Network } from '../simulation/network.ts';
import type { Process } from '../simulation/process.ts';
import { type CommandInput, type OpenDatabase, realTables, traitsOf } from './database.ts';
import { MemoryStore } from './memory-store.ts';

/**
 * Opens the ledger's tables in memory: the real table modules over a store that evaluates their DynamoDB expressions.
 * At every call, other processes may run and faults may occur.
 */
export const openMemoryTables: OpenDatabase = async (network, journal) => {
  let sent: { isUnconditional?: boolean; begunMs?: number } = {};
  const store = new MemoryStore((changes) => journal.add(changes, sent));
  const apply = (command: Command, begunMs: number) => {
    sent = { isUnconditional: traits(command).isUnconditional, begunMs };
    return store.apply(command);
  };
  return {
    tables: (process) => realTables(client(process, network, apply, 3), client(process, network, apply, 1)),
    expire: async (nowMs) => journal.add(store.expire(nowMs), { isExpiry: true }),
    close: async () => {},
  };
};

interface Command {
  readonly input: CommandInput;
}

const traits = (command: Command) => traitsOf(command.input, command instanceof DeleteCommand);

/** The errors that the SDK retries by itself (its standard retry mode). */
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
      const begunMs = process.tools.nowMs();
      const message = { ...traits(command), apply: () => apply(command, begunMs) };
      try {
        return await network.send(process, message);
      } catch (error) {
        const isRetried = error instanceof Error && RETRIED.has(error.name) && attempt < maxAttempts;
        if (!isRetried) throw error;
        await process.tools.pause(process.tools.random() * 100 * 2 ** attempt);
      }
    }
  };
  // The SDK's paginators accept only instances of the class.
  return Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send });
}
