import { logger, metrics } from '../../shared/core/logger.ts';

/** Captures the log lines and metrics of this process instead of printing them. */
export function captureLines(): string[] {
  const lines: string[] = [];
  const write = (...input: unknown[]) => {
    lines.push(input.map(String).join(' '));
  };
  const sink = { log: write, info: write, warn: write, error: write, debug: write, trace: write };
  for (const writer of [logger, metrics]) Object.assign(writer, { console: sink });
  return lines;
}
