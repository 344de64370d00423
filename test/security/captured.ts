import { logger, metrics } from '../../shared/core/logger.ts';

/** The log lines and metrics of this process, kept for the test in the place of its output. */
export function captureLines(): string[] {
  const lines: string[] = [];
  const write = (...parts: unknown[]) => {
    lines.push(parts.map(String).join(' '));
  };
  const sink = { log: write, info: write, warn: write, error: write, debug: write, trace: write };
  for (const writer of [logger, metrics]) Object.assign(writer, { console: sink });
  return lines;
}
