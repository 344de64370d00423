import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { logFailure } from '../shared/core/log-failure.ts';
import { secret } from '../shared/core/secrets.ts';
import { serveLookUp } from '../shared/registries/sandbox/serve-look-up.ts';

/** The sandbox registry, behind a function URL. It serves test keys, and all keys in the stage `local`. */
export const handler = logFailure(async (event: LambdaFunctionURLEvent) =>
  serveLookUp(event, await secret('SANDBOX')),
);
