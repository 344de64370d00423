import { fileURLToPath } from 'node:url';

/** The directory of a small CDK app with most of the resource types that the local runtime supports. */
export const FIXTURE = fileURLToPath(new URL('fixture', import.meta.url));
