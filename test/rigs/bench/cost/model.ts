import { PRICES, type Prices } from './prices.ts';

/** What one request uses, as measured. The time of the registry and the network is in Surroundings. */
export interface Use {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Sequential calls to DynamoDB. */
  readonly calls: number;
  readonly cpuMs: number;
  readonly answerBytes: number;
  readonly logBytes: number;
  /** Of a new instance: its import and warm-up. */
  readonly initCpuMs: number;
}

/** What one machine cannot measure. */
export interface Surroundings {
  readonly registryMs: number;
  /** One single-item call from Lambda. Public figures from 2020 give a median of 7.6 ms. */
  readonly callMs: number;
  readonly memoryGb: number;
  /**
   * Bytes of log lines that the function does not write: Lambda's START, END and REPORT (330), the access log (290),
   * and CloudWatch's 26 for each of six lines.
   */
  readonly otherLogBytes: number;
  /** Of Lambda's runtime. Lambda bills the INIT phase since August 2025. */
  readonly runtimeStartMs: number;
  /** The share of requests that start an instance. AWS says that it is usually below 1%. */
  readonly newInstances: number;
  /** The share of requests that X-Ray records. */
  readonly traced: number;
}

export const USUAL: Surroundings = {
  registryMs: 400,
  callMs: 7.6,
  memoryGb: 0.5,
  otherLogBytes: 776,
  runtimeStartMs: 150,
  newInstances: 0.01,
  traced: 0,
};

/** Lambda gives a function with 1,769 MB one processor, and other memory sizes a proportional share. */
const MEMORY_OF_ONE_CPU_GB = 1_769 / 1_024;

/** Returns the milliseconds that Lambda bills: the processor time at this memory size, and all waiting. */
export function billedMs({ calls, cpuMs }: Use, { registryMs, callMs, memoryGb }: Surroundings): number {
  return registryMs + calls * callMs + cpuMs * (MEMORY_OF_ONE_CPU_GB / memoryGb);
}

/** Returns the milliseconds that Lambda bills for a new instance, which also waits for the calls of its warm-up. */
export function initMs({ initCpuMs }: Use, { runtimeStartMs, callMs, memoryGb }: Surroundings): number {
  return runtimeStartMs + 2 * callMs + initCpuMs * (MEMORY_OF_ONE_CPU_GB / memoryGb);
}

export function dollarsPerMillion(
  use: Use,
  around: Surroundings,
  prices: Prices = PRICES,
): Readonly<Record<string, number>> {
  const gigabytes = (bytes: number) => (bytes * 1_000_000) / 1_000_000_000;
  const lambda = (ms: number) => ms * 1_000 * around.memoryGb * prices.gigabyteSecond;
  return {
    'API Gateway': prices.requestsPerMillion,
    'Lambda, requests': prices.invocationsPerMillion,
    'Lambda, duration': lambda(billedMs(use, around)),
    'Lambda, INIT phase': lambda(around.newInstances * initMs(use, around)),
    'DynamoDB, writes': use.writeUnits * prices.writeUnitsPerMillion,
    'DynamoDB, reads': use.readUnits * prices.readUnitsPerMillion,
    'responses to the internet': gigabytes(use.answerBytes) * prices.egressGigabyte,
    'logs and metrics': gigabytes(use.logBytes + around.otherLogBytes) * prices.logGigabyte,
    traces: around.traced * prices.tracesPerMillion,
    firewall: prices.firewallPerMillion,
  };
}

export function sumOf(bill: Readonly<Record<string, number>>): number {
  return Object.values(bill).reduce((sum, dollars) => sum + dollars, 0);
}
