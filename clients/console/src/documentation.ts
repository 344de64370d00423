/**
 * The documentation pages that the console links to, some with a heading after `#`. `documentationUrl` converts them
 * to addresses.
 */
export const QUICK_START = 'guides/quick-start.html';
export const GOING_LIVE = 'guides/going-live.html';
export const SANDBOX_OUTCOMES = 'guides/sandbox.html#choose-the-outcome';
export const RETRIES = 'guides/idempotency.html#decide-what-to-do-next';
export const ERRORS = 'guides/errors.html';
export const ALL_CODES = `${ERRORS}#all-codes`;
export const REFERENCE = 'reference/index.html';
export const KEY_LIMITS = 'guides/console.html#api-keys';
export const TOP_UPS = 'guides/console.html#wallet';
export const MOVE = 'guides/move.html';
export const WEBHOOKS = 'guides/webhooks.html';
