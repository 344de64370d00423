import { fileURLToPath } from 'node:url';

/** A small CDK app with one of each thing that the local runtime knows. */
export const FIXTURE = fileURLToPath(new URL('fixture', import.meta.url));
