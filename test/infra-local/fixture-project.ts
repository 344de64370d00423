import { fileURLToPath } from 'node:url';

/** A small CDK app with one of each resource type that the local runtime supports. */
export const FIXTURE = fileURLToPath(new URL('fixture', import.meta.url));
