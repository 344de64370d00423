import { closeSync, openSync, writeSync } from 'node:fs';

/** The log file of all functions: their output, and events of the runtime as JSON lines with `"type": "platform"`. */
export class FunctionLog {
  /** For the standard output and error of child processes, which append to the file themselves. */
  readonly descriptor: number;
  #isOpen = true;

  constructor(file: string) {
    // Readable only by the user: the functions' logs are confidential, although they contain no identity data.
    this.descriptor = openSync(file, 'a', 0o600);
  }

  /** Writes an event of the runtime. Does nothing once the log is closed: runs may fail while the runtime stops. */
  platform(event: string, fields: Readonly<Record<string, string | number | undefined>>): void {
    if (!this.#isOpen) return;
    const line = { type: 'platform', timestamp: new Date().toISOString(), event, ...fields };
    writeSync(this.descriptor, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    this.#isOpen = false;
    closeSync(this.descriptor);
  }
}
