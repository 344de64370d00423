import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Network } from './simulation/network.ts';
import type { Process } from './simulation/process.ts';
import { type CommandInput, type OpenDatabase, realTables, traitsOf } from './storage/database.ts';
import { MemoryStore } from './storage/memory-store.ts';

/**
 * The ledger's tables in memory: the real table modules, so that their own expressions are what is tried, over a
 * store that evaluates these expressions. Every send is a point at which anything else can happen.
 */
export const openMemory: OpenDatabase = async (network, journal) => {
  let isUnconditional = false;
  const store = new MemoryStore((changes) => journal.add(changes, { isUnconditional }));
  const apply = (command: Command) => {
    isUnconditional = traitsOf(command.input).isUnconditional;
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

/** What the SDK repeats by itself (its standard retry mode). */
const REPEATED = new Set(['TimeoutError', 'ThrottlingException']);

/** A client that sends at most `maxAttempts` times. Only `send` is used by table modules. */
function client(
  process: Process,
  network: Network,
  apply: (command: Command) => unknown,
  maxAttempts: number,
): DynamoDBDocumentClient {
  const send = async (command: Command) => {
    const message = { ...traitsOf(command.input), apply: () => apply(command) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await network.send(process, message);
      } catch (error) {
        const isRepeated = error instanceof Error && REPEATED.has(error.name) && attempt < maxAttempts;
        if (!isRepeated) throw error;
        await process.tools.pause(process.tools.random() * 100 * 2 ** attempt);
      }
    }
  };
  // The SDK's paginators accept only an instance of the class.
  return Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send });
}
