import { createRequire } from 'node:module';

/**
 * Loads a module outside the sandbox of the test file. Jest loads every module again for each test file, and runs the
 * CDK at half the speed. A module outside the sandbox is loaded once for all test files of a worker, so it must keep
 * no state. It has the same `process.env` as the worker, not that of the test file. `module` is a package
 * or an absolute path.
 */
export function outsideJest<T>(module: string): T {
  const { requireOutsideJest: load = createRequire(import.meta.url) } = globalThis as {
    readonly requireOutsideJest?: NodeJS.Require;
  };
  return load(module) as T;
}
