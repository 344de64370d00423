import { run } from './program.ts';

/** `npm run admin -- ...`; see docs/admin.md. */
process.exitCode = await run(process.argv.slice(2));
