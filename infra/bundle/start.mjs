/**
 * The file that Lambda loads in each function. Loads the bundle, and waits for its warm-up, if it has one, before the first
 * request. This is an ES module because Lambda waits for nothing else that a function does while it starts. The bundle
 * itself stays CommonJS (docs/performance.md, "Bundle contents").
 */
import { createRequire } from 'node:module';

const bundle = createRequire(import.meta.url)('./index.cjs');
await bundle.warm?.();

export const handler = bundle.handler;
