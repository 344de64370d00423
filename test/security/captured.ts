import { logger } from '../../shared/core/logger.ts';
import { metricLog } from '../../shared/core/metrics.ts';

/** Captures the log lines and metrics of this process instead of printing them. */
export function captureLines(): string[] {
  const lines: string[] = [];
  const write = (...input: unknown[]) => {
    lines.push(input.map(String).join(' '));
  };
  const sink = { log: write, info: write, warn: write, error: write, debug: write, trace: write };
  Object.assign(logger, { console: sink });
  metricLog.write = write;
  return lines;
}
