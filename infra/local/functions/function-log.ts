import { closeSync, openSync, writeSync } from 'node:fs';

/** Output of all functions, and events of the runtime with `"type": "platform"`. */
export class FunctionLog {
  /** Child processes append to the file themselves. */
  readonly descriptor: number;
  #isOpen = true;

  constructor(file: string) {
    // Logs are confidential, although they contain no identity data.
    this.descriptor = openSync(file, 'a', 0o600);
  }

  /** Does nothing once the log is closed: runs may fail while the runtime stops. */
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
