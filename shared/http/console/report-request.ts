import { setting } from '../../core/config.ts';
import { logger } from '../../core/logger.ts';
import { onlyAboveZero, publishMetrics } from '../../core/metrics.ts';
import type { ConsoleContext } from './context.ts';

/**
 * Writes the log line and the metrics of a request to the console. The line names the organisation, but no person: who
 * did what is in the audit trail.
 */
export function reportConsoleRequest(context: ConsoleContext, status: number): void {
  const { name, requestId, code, detail, isProviderFault, knownSession, requestedAtMs } = context;
  const route = `console-${name}`;
  const line = {
    route,
    request_id: requestId,
    status,
    code,
    latency_ms: Math.round(Date.now() - requestedAtMs),
    ...(knownSession?.organisation && { organisation: knownSession.organisation.id }),
    ...(detail && { detail }),
  };
  const isFault = code === 'SERVER_ERROR';
  if (status >= 500 || isFault || isProviderFault) logger.error('request', line);
  else logger.info('request', line);
  const dimensions = { route, version: setting('AWS_LAMBDA_FUNCTION_VERSION') };
  publishMetrics(
    { values: onlyAboveZero({ faults: isFault ? 1 : 0, failedSignIns: isProviderFault ? 1 : 0 }) },
    { values: onlyAboveZero({ versionFaults: isFault ? 1 : 0 }), dimensions },
  );
}
