import { PRICES } from './prices.ts';

/** What one request uses, as measured. The time of the registry and the network is in Surroundings. */
export interface Use {
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Sequential calls to DynamoDB. */
  readonly calls: number;
  readonly cpuMs: number;
  readonly answerBytes: number;
  readonly logBytes: number;
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
}

export const USUAL: Surroundings = {
  registryMs: 400,
  callMs: 7.6,
  memoryGb: 0.5,
  otherLogBytes: 776,
};

/** Lambda gives a function with 1,769 MB one processor, and other memory sizes a proportional share. */
const MEMORY_OF_ONE_CPU_GB = 1_769 / 1_024;

/** Returns the milliseconds that Lambda bills: the processor time at this memory size, and all waiting. */
export function billedMs({ calls, cpuMs }: Use, { registryMs, callMs, memoryGb }: Surroundings): number {
  return registryMs + calls * callMs + cpuMs * (MEMORY_OF_ONE_CPU_GB / memoryGb);
}

export function dollarsPerMillion(use: Use, around: Surroundings): Readonly<Record<string, number>> {
  const gigabytes = (bytes: number) => (bytes * 1_000_000) / 1_000_000_000;
  return {
    'API Gateway': PRICES.requestsPerMillion,
    'Lambda, requests': PRICES.invocationsPerMillion,
    'Lambda, duration': (billedMs(use, around) / 1000) * around.memoryGb * PRICES.gigabyteSecond * 1_000_000,
    'DynamoDB, writes': use.writeUnits * PRICES.writeUnitsPerMillion,
    'DynamoDB, reads': use.readUnits * PRICES.readUnitsPerMillion,
    'responses to the internet': gigabytes(use.answerBytes) * PRICES.egressGigabyte,
    'logs and metrics': gigabytes(use.logBytes + around.otherLogBytes) * PRICES.logGigabyte,
    firewall: PRICES.firewallPerMillion,
  };
}

export function sumOf(bill: Readonly<Record<string, number>>): number {
  return Object.values(bill).reduce((sum, dollars) => sum + dollars, 0);
}
