import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** The environment of a test file, which runs outside its sandbox and gives it `outsideJest` (outside-jest.ts). */
export default class extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global['requireOutsideJest'] = createRequire(import.meta.url);
  }
}
