/**
 * jest.config.js loads this file before each test file. Functions that run in the test's own process get the variable
 * that names their logs and metrics. Their log lines and metrics are left out of the output of the test run, unless a
 * test captures them. `SHOW_FUNCTION_OUTPUT=1` shows them.
 */
process.env['POWERTOOLS_SERVICE_NAME'] ??= 'identity-test';

/** How log lines (shared/core/logger.ts) and metrics in CloudWatch's embedded format begin. */
const FUNCTION_OUTPUT = /^\{"(?:level|_aws)":/;
/** Test files that run in one process share its streams, which are filtered once. */
const FILTERED = Symbol.for('functions do not write to this stream');

if (!process.env['SHOW_FUNCTION_OUTPUT']) {
  for (const stream of [process.stdout, process.stderr]) {
    if (FILTERED in stream) continue;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    const filter = (...args: unknown[]) => FUNCTION_OUTPUT.test(String(args[0])) || write(...args);
    Object.assign(stream, { write: filter, [FILTERED]: true });
  }
}
