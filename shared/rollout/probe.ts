import { errorFields, logger } from '../core/logger.ts';
import { publishMetrics } from '../core/metrics.ts';
import type { Secret } from '../core/secrets.ts';

/** Requests of a customer from another region. API Gateway may neither log nor count its own failures. */

interface ProbeDependencies {
  /** The address of the API, without `/v1`. */
  readonly url: string;
  /** The test key in `current`. Empty until the operator stores one. */
  readonly readTestKey: () => Promise<Secret>;
}

/** Longer than a look-up with the sandbox ever takes. */
const TIMEOUT_MS = 10_000;
/** The sandbox finds no record, so that the look-up costs no test credits. */
const LOOK_UP = JSON.stringify({ id_number: '70000000404' });

/** Never rejects: the metric and a log line for each request say what failed. */
export async function probe({ url, readTestKey }: ProbeDependencies): Promise<void> {
  const health = send('health', `${url}/v1/health`, {}, '200 HEALTH');
  const results = await Promise.all([health, lookUp(url, readTestKey)]);
  publishMetrics({ values: { failedProbes: results.filter((isExpected) => !isExpected).length } });
}

async function lookUp(url: string, readTestKey: ProbeDependencies['readTestKey']): Promise<boolean> {
  try {
    const { current } = await readTestKey();
    // As in a rollout, a stage without a test key is only partly checked.
    if (current === undefined) return true;
    const headers = { Authorization: `Bearer ${current}`, 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: LOOK_UP };
    return await send('look-up', `${url}/v1/ng/nin-basic`, request, '400 NIN_NOT_FOUND');
  } catch (error) {
    logger.error('probe', { probe: 'look-up', ...errorFields(error) });
    return false;
  }
}

/** Returns whether the response has this status and code. */
async function send(name: string, url: string, request: RequestInit, expected: string): Promise<boolean> {
  const startedAt = performance.now();
  const about = () => ({ probe: name, latency_ms: Math.round(performance.now() - startedAt) });
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const result = `${response.status} ${codeOf(await response.text())}`;
    const isExpected = result === expected;
    logger[isExpected ? 'info' : 'error']('probe', { ...about(), result, request_id: requestId });
    return isExpected;
  } catch (error) {
    logger.error('probe', { ...about(), ...errorFields(error) });
    return false;
  }
}

/** The body may be that of any server between. */
function codeOf(body: string): string {
  const code = /"code":"([A-Z_]{1,60})"/.exec(body)?.[1];
  return code ?? 'without a code';
}
