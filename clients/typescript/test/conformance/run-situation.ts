import { IdentityClient, IdentityError } from '../../src/index.ts';
import { ScriptedServer } from './scripted-server.ts';
import {
  bodyOf,
  type CallName,
  type ConformanceTable,
  type Expected,
  type ExpectedError,
  REQUEST_ID,
  type Situation,
  SUCCESS,
} from './table.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Runs one call of a situation. Returns how the client's behaviour differs from the table. */
export async function runSituation(
  situation: Situation,
  call: CallName,
  table: ConformanceTable,
): Promise<string[]> {
  const { client: settings = {}, server: steps, expect, supplied_key: isKeySupplied } = situation;
  using clock = new VirtualClock();
  await using server = await ScriptedServer.start(steps, call, table, clock);
  const timeoutS = settings.timeout_s ?? table.defaults.timeout_s;
  const clientOptions = {
    apiKey: settings.api_key ?? table.api_key,
    baseUrl: server.baseUrl,
    ...(settings.timeout_s !== undefined && { timeoutMs: settings.timeout_s * 1000 }),
    ...(settings.max_retries !== undefined && { maxRetries: settings.max_retries }),
  };
  const options = isKeySupplied ? { idempotencyKey: table.supplied_key } : {};
  const number = situation.number ?? table.number;
  const isSent = number === table.number && settings.api_key === undefined;
  const made = async () => makeCall(new IdentityClient(clientOptions), call, number, options);
  const outcome = await outcomeOf(made());
  const elapsedS = clock.nowMs / 1000;
  const keys = server.headers('Idempotency-Key');
  return [
    ...differences('attempts', server.requests.length, expect.attempts),
    ...differencesInWaits(clock.waitsMs, expect.waits_s),
    ...(elapsedS > timeoutS ? [`The call took ${elapsedS} s: longer than its timeout.`] : []),
    ...(expect.elapsed_s ? outside('elapsed_s', elapsedS, expect.elapsed_s) : []),
    ...(isSent ? differencesInKeys(keys, call, isKeySupplied ? table.supplied_key : undefined, outcome) : []),
    ...differencesInOutcome(outcome, expect),
    ...('error' in outcome ? differencesInRequestId(outcome.error) : []),
    ...('value' in outcome ? differencesInData(outcome.value, call, table) : []),
  ];
}

type CallOutcome = { readonly value: unknown } | { readonly error: unknown };

export async function outcomeOf(call: Promise<unknown>): Promise<CallOutcome> {
  try {
    return { value: await call };
  } catch (error) {
    return { error };
  }
}

function makeCall(
  client: IdentityClient,
  call: CallName,
  number: string,
  options: { idempotencyKey?: string },
): Promise<unknown> {
  switch (call) {
    case 'verify':
      return client.verify('NIN', number, options);
    case 'slip':
      return client.downloadSlip(number, 'premium', options);
    case 'balance':
      return client.balance();
    case 'top_up':
      return client.startTopUp(1_000, options);
  }
}

function differences(name: string, found: unknown, expected: unknown): string[] {
  return Object.is(found, expected)
    ? []
    : [`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
}

function outside(name: string, found: number, [smallest, largest]: readonly [number, number]): string[] {
  // Sums of floating-point numbers are not exact.
  const isWithin = found >= smallest - 1e-9 && found <= largest + 1e-9;
  return isWithin ? [] : [`${name}: ${found} instead of ${smallest} to ${largest}`];
}

function differencesInWaits(waitsMs: readonly number[], expected: Situation['expect']['waits_s']): string[] {
  if (!expected) return [];
  return [
    ...differences('waits', waitsMs.length, expected.length),
    ...expected.flatMap((range, index) => outside(`waits_s[${index}]`, (waitsMs[index] ?? -1) / 1000, range)),
  ];
}

/** All attempts of a paid call or a top-up carry one key, which the error also contains. Other calls carry none. */
function differencesInKeys(
  keys: readonly (string | undefined)[],
  call: CallName,
  suppliedKey: string | undefined,
  outcome: CallOutcome,
): string[] {
  const own =
    'error' in outcome && outcome.error instanceof IdentityError ? outcome.error.idempotencyKey : keys[0];
  if (call === 'balance')
    return keys.concat(own).some(Boolean) ? ['A call that only reads carries a key.'] : [];
  const different = new Set(keys.concat(own, suppliedKey ?? own));
  return different.size === 1 && own ? [] : [`keys: ${[...different].join(', ')}`];
}

export function differencesInOutcome(outcome: CallOutcome, { error, value }: Expected): string[] {
  if ('value' in outcome) {
    if (!value) return ['The call succeeded.'];
    const { creditsCharged } = outcome.value as { creditsCharged?: number };
    return 'credits_charged' in value
      ? differences('creditsCharged', creditsCharged, value.credits_charged)
      : [];
  }
  if (!(outcome.error instanceof IdentityError)) return [`The call threw ${outcome.error}.`];
  if (!error) return [`The call failed: ${outcome.error.message}`];
  return differencesInError(outcome.error, error);
}

function differencesInError(error: IdentityError, expected: ExpectedError): string[] {
  const { kind, code, status, charged, retryable, retryAfterMs, reason, field, hint } = error;
  const retryAfterS = retryAfterMs === undefined ? undefined : retryAfterMs / 1000;
  const found = { kind, code, status, charged, retryable, retry_after_s: retryAfterS, reason, field, hint };
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(name, found[name as keyof typeof found] ?? null, value),
  );
}

/** Compares the request ID of an error. An error with a code comes from a response, which has a request ID. */
function differencesInRequestId(error: unknown): string[] {
  if (!(error instanceof IdentityError) || error.code === undefined) return [];
  return differences('requestId', error.requestId, REQUEST_ID);
}

/** Compares the record, the slip or the other data of a call with the response, which the client must not change. */
function differencesInData(value: unknown, call: CallName, { responses }: ConformanceTable): string[] {
  const response = responses[SUCCESS[call]];
  const text = response ? bodyOf(response).text : '';
  if (call === 'slip') return differences('slip', new TextDecoder().decode(value as Uint8Array), text);
  const { data, requestId = REQUEST_ID } = (call === 'verify' ? value : { data: value }) as {
    data: unknown;
    requestId?: string;
  };
  return [
    ...differences('data', JSON.stringify(data), JSON.stringify(JSON.parse(text).data)),
    ...differences('requestId', requestId, REQUEST_ID),
  ];
}
