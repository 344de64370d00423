import '../../../security/environment.ts';
import { Agent } from 'node:http';
import { openStage } from '../stage/stage.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';
import { type SentCall, startWire } from '../stage/wire.ts';
import { post } from './post.ts';

/**
 * The time that DynamoDB Local itself needs for the calls of one verification. Records verifications by a function and
 * the calls that created its tables, and then repeats the recorded calls in the same order in an empty database of the
 * same DynamoDB Local, from a client without an SDK. Arguments: the endpoint of DynamoDB Local, the number of warm-up
 * requests, and the number of measured requests.
 */
export interface Floor {
  readonly medianMs: number;
  /** The number of calls to DynamoDB for one verification. */
  readonly calls: number;
  /** Repeated calls with a status other than the recorded one. */
  readonly failed: number;
}

const [, , endpoint = '', ...numbers] = process.argv;
const [warmUp = 0, counted = 0] = numbers.map(Number);
const sent: SentCall[] = [];
const wire = await startWire(endpoint, sent);
process.env['DYNAMODB_ENDPOINT'] = wire.url;
const stage = await openStage();
const { handler } = await import('../../../../functions/nin-basic.ts');
const verifications: SentCall[][] = [];
const setUp = sent.splice(0);
for (let time = 0; time < warmUp + counted; time += 1) {
  const { statusCode } = await invoke(handler, eventOf(stage.live, { id_number: newNin() }));
  if (statusCode !== 200) throw new Error(`A recorded verification returned ${statusCode}.`);
  verifications.push(sent.splice(0));
}
await stage.close();
await wire.close();

const url = new URL(endpoint);
const agent = new Agent({ keepAlive: true });
/** A different access key selects a different database. Signatures are not checked. */
const credential = `floor${process.pid}/20260101/af-south-1/dynamodb/aws4_request`;
const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`;
let failed = 0;
async function repeat({ operation, input, status }: SentCall): Promise<void> {
  const headers = {
    Authorization: authorization,
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': `DynamoDB_20120810.${operation}`,
  };
  const response = await post(url, agent, headers, JSON.stringify(input));
  if (response.status !== status) failed += 1;
}

for (const call of setUp) await repeat(call);
const times: number[] = [];
for (const [index, calls] of verifications.entries()) {
  const startedMs = performance.now();
  for (const call of calls) await repeat(call);
  if (index >= warmUp) times.push(performance.now() - startedMs);
}
times.sort((a, b) => a - b);
const result: Floor = {
  medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
  calls: verifications.at(-1)?.length ?? 0,
  failed,
};
process.send?.(result, () => process.exit(0));
