import '../../../security/environment.ts';
import { Agent } from 'node:http';
import { cpuMs, spreadOf } from '../measure.ts';
import { openStage } from '../stage/stage.ts';
import { eventOf, invoke, newNin } from '../stage/verify.ts';
import { type SentCall, startWire } from '../stage/wire.ts';
import type { Flow } from './flow.ts';
import { post } from './post.ts';

/**
 * The calls of one verification, and nothing else. Records verifications by a function and the calls that created its
 * tables, and then repeats the recorded calls in the same order in an empty database of the same DynamoDB Local, from a
 * client without an SDK. Arguments: the endpoint of DynamoDB Local, the number of warm-up requests, and the number of
 * measured requests.
 */

/** The calls of one verification, as in docs/design/performance.md. */
const CALLS = 5;
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
  if (sent.length !== CALLS) throw new Error(`A verification made ${sent.length} calls, not ${CALLS}.`);
  verifications.push(sent.splice(0));
}
await stage.close();
await wire.close();

const url = new URL(endpoint);
const agent = new Agent({ keepAlive: true });
/** A different access key selects a different database. Signatures are not checked. */
const credential = `floor${process.pid}/20260101/af-south-1/dynamodb/aws4_request`;
const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`;
async function repeat({ operation, input, status }: SentCall): Promise<void> {
  const headers = {
    Authorization: authorization,
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': `DynamoDB_20120810.${operation}`,
  };
  const response = await post(url, agent, headers, JSON.stringify(input));
  if (response.status !== status)
    throw new Error(`A repeated ${operation} returned ${response.status}, not ${status}.`);
}

for (const call of setUp) await repeat(call);
const times: number[] = [];
let since = process.cpuUsage();
for (const [index, calls] of verifications.entries()) {
  if (index === warmUp) {
    globalThis.gc?.();
    since = process.cpuUsage();
  }
  const startedMs = performance.now();
  for (const call of calls) await repeat(call);
  if (index >= warmUp) times.push(performance.now() - startedMs);
}
const perVerificationMs = cpuMs(since) / counted;
const result: Flow = { cpuMs: perVerificationMs, medianMs: spreadOf(times).median, failed: 0 };
process.send?.(result, () => process.exit(0));
