import type { LambdaFunctionURLHandler } from 'aws-lambda';
import { secret } from '../shared/core/secrets.ts';
import { serveLookUp } from '../shared/registries/sandbox/serve-look-up.ts';

/** The sandbox registry, behind a function URL. It serves test keys, and all keys in the stage `local`. */
export const handler: LambdaFunctionURLHandler = async (event) => serveLookUp(event, await secret('SANDBOX'));
