import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MemoryStore, type RowChange } from '../../ledger/storage/memory-store.ts';

/** Tables in memory, with a client that real table modules use. */
export interface MemoryClient {
  readonly client: DynamoDBDocumentClient;
  /** All rows that were written, in order. A transaction adds several. */
  readonly writes: RowChange[];
  /** Runs before each call. What it throws is the result of the call. */
  onCall: (command: { readonly input: object }) => Promise<void> | void;
}

export function memoryClient(): MemoryClient {
  const writes: RowChange[] = [];
  const store = new MemoryStore((changes) => writes.push(...changes));
  const send = async (command: { readonly input: object }) => {
    await memory.onCall(command);
    return store.apply(command);
  };
  // The SDK's paginators accept only an instance of the class.
  const client = Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send });
  const memory: MemoryClient = { client, writes, onCall: () => undefined };
  return memory;
}
