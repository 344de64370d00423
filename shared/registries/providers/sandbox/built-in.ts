import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryProvider } from '../../port.ts';
import { lookUpInSandbox } from '../../sandbox/look-up.ts';
import type { HttpResult } from '../../transport/http-response.ts';
import { SANDBOX } from '../catalogue.ts';
import { sandboxResult } from './sandbox.ts';

/** The sandbox registry inside a function. */
export function builtInSandbox(
  pause: (delayMs: number) => Promise<unknown> = sleep,
  nowMs: () => number = Date.now,
): RegistryProvider {
  return {
    ...SANDBOX,
    async lookUp(query) {
      const { idType, number, bankCode } = query;
      const { status, body, delayMs } = lookUpInSandbox({ idType, number, ...(bankCode && { bankCode }) });
      const remainingMs = Math.max(0, query.deadlineMs - nowMs());
      await pause(Math.min(delayMs, remainingMs));
      const response: HttpResult =
        delayMs < remainingMs
          ? { kind: 'response', status, json: body }
          : { kind: 'timeout', sent: true, detail: 'after-sending' };
      return sandboxResult(query, response);
    },
  };
}
