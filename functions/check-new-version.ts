import { setTimeout as wait } from 'node:timers/promises';
import { setting } from '../shared/core/config.ts';
import { logFailure } from '../shared/core/log-failure.ts';
import { secret } from '../shared/core/secrets.ts';
import { awsApi } from '../shared/rollout/aws-api.ts';
import { checkNewVersion } from '../shared/rollout/check-new-version.ts';
import { codeDeploy, type HookEvent } from '../shared/rollout/deployment.ts';
import { lambdaVersions } from '../shared/rollout/invoke-version.ts';

const call = awsApi();
const deps = {
  deployments: codeDeploy(call),
  invoke: lambdaVersions(call, Date.now),
  readTestKey: () => secret('TEST_KEY'),
  routes: setting('CHECKED_ROUTES'),
  functionPrefix: setting('CHECKED_PREFIX'),
  nowMs: Date.now,
  wait,
};

/** Invoked by CodeDeploy before a new version of a function behind the API receives traffic. */
export const handler = logFailure((event: HookEvent) => checkNewVersion(event, deps));
