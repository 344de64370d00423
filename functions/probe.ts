import { setting } from '../shared/core/config.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import { secret } from '../shared/core/secrets.ts';
import { probe } from '../shared/rollout/probe.ts';

/** Runs on a schedule in another region: checks the API as its customers reach it. */
export const handler = logFailure(() =>
  probe({ url: setting('PROBED_URL'), readTestKey: () => secret('TEST_KEY') }),
);
