import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** The environment of each test file. It runs outside the sandbox of the file, and enables `outsideJest` in it. */
export default class extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global['requireOutsideJest'] = createRequire(import.meta.url);
  }
}
