import type { LambdaFunctionURLHandler } from 'aws-lambda';
import { secret } from '../shared/core/secrets.ts';
import { serveLookUp } from '../shared/registries/sandbox/serve-look-up.ts';

/** The sandbox registry, behind a function URL: asked for test keys, and for everything on the local stage. */
export const handler: LambdaFunctionURLHandler = async (event) => serveLookUp(event, await secret('SANDBOX'));
