/**
 * Lambda loads this file in each function. It loads the bundle and, if the bundle has a warm-up, waits for it before
 * the first request. This must be an ES module: Lambda waits for its top-level await, but not for other work that a
 * function starts while it loads. The bundle itself stays CommonJS (docs/design/performance.md, "Bundle contents").
 */
import { createRequire } from 'node:module';

// The frames of our own code are below those of the AWS SDK and Middy.
Error.stackTraceLimit = 50;

const bundle = createRequire(import.meta.url)('./index.cjs');
await bundle.warm?.();

export const handler = bundle.handler;
