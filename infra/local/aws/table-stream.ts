import * as v from 'valibot';
import { REGION } from '../templates/physical-names.ts';
import type { DynamoDbLocal } from './dynamodb-local.ts';

/** The stream of a table in DynamoDB Local, and how far it has been read. */

const recordShape = v.looseObject({
  eventID: v.string(),
  eventName: v.string(),
  dynamodb: v.looseObject({}),
});
export type StreamRecord = v.InferOutput<typeof recordShape>;

const tableShape = v.object({ Table: v.object({ LatestStreamArn: v.string() }) });
const streamShape = v.object({
  StreamDescription: v.object({ Shards: v.array(v.object({ ShardId: v.string() })) }),
});
const iteratorShape = v.object({ ShardIterator: v.string() });
const recordsShape = v.object({ Records: v.array(recordShape), NextShardIterator: v.nullish(v.string()) });

/** Records of a shard. */
interface StreamBatch {
  readonly records: readonly StreamRecord[];
  /** Continues after these records. Until it is called, they are read again. */
  complete(): void;
}

export class TableStream {
  readonly #database: Pick<DynamoDbLocal, 'endpoint' | 'accessKeyId'>;
  readonly #tableName: string;
  #streamArn: string | undefined;
  /** The next position in each shard. Undefined if the shard has ended. */
  readonly #iterators = new Map<string, string | undefined>();

  constructor(database: Pick<DynamoDbLocal, 'endpoint' | 'accessKeyId'>, tableName: string) {
    this.#database = database;
    this.#tableName = tableName;
  }

  /** Returns the next records, oldest first, or undefined if there are none now. */
  async read(limit: number): Promise<StreamBatch | undefined> {
    if (![...this.#iterators.values()].some((iterator) => iterator !== undefined)) await this.#findShards();
    for (const [shard, iterator] of this.#iterators) {
      if (iterator === undefined) continue;
      const response = await this.#getRecords(iterator, limit);
      if (!response) {
        this.#iterators.delete(shard);
        continue;
      }
      const { Records, NextShardIterator } = response;
      const complete = () => this.#iterators.set(shard, NextShardIterator ?? undefined);
      if (Records.length > 0) return { records: Records, complete };
      complete();
    }
    return undefined;
  }

  /**
   * Returns undefined if the position no longer exists. In DynamoDB Local, this is so if the first record of a shard was
   * written in a transaction after its beginning was found. A new search for the beginning finds the record.
   */
  async #getRecords(ShardIterator: string, Limit: number) {
    try {
      return v.parse(
        recordsShape,
        await this.#call('DynamoDBStreams_20120810.GetRecords', { ShardIterator, Limit }),
      );
    } catch (error) {
      if (/TrimmedDataAccessException/.test(String(error))) return undefined;
      throw error;
    }
  }

  async #findShards(): Promise<void> {
    this.#streamArn ??= v.parse(
      tableShape,
      await this.#call('DynamoDB_20120810.DescribeTable', { TableName: this.#tableName }),
    ).Table.LatestStreamArn;
    const StreamArn = this.#streamArn;
    const { StreamDescription } = v.parse(
      streamShape,
      await this.#call('DynamoDBStreams_20120810.DescribeStream', { StreamArn }),
    );
    for (const { ShardId } of StreamDescription.Shards) {
      if (this.#iterators.has(ShardId)) continue;
      const { ShardIterator } = v.parse(
        iteratorShape,
        await this.#call('DynamoDBStreams_20120810.GetShardIterator', {
          StreamArn,
          ShardId,
          ShardIteratorType: 'TRIM_HORIZON',
        }),
      );
      this.#iterators.set(ShardId, ShardIterator);
    }
  }

  async #call(target: string, body: object): Promise<unknown> {
    const { endpoint, accessKeyId } = this.#database;
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        // DynamoDB Local reads only the access key, which selects the database.
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${REGION}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${target} failed: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
