import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * The one log of all functions: what they write themselves, a line as it is, and what the platform says about
 * them, as JSON lines with `"type": "platform"`.
 */
export class FunctionLog {
  readonly file: string;
  /** For the standard output of child processes: they append to the file by themselves. */
  readonly descriptor: number;

  constructor(file: string) {
    this.file = file;
    // Only the user may read it: a log of the functions is confidential although it holds no identity data.
    this.descriptor = openSync(file, 'a', 0o600);
  }

  /** Writes one line in the platform's own name. */
  platform(event: string, fields: Readonly<Record<string, string | number | undefined>>): void {
    const line = { type: 'platform', timestamp: new Date().toISOString(), event, ...fields };
    writeSync(this.descriptor, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
