import { ignoreClosedPipes } from './closed-pipe.ts';
import { run } from './preflight/program.ts';

/**
 * The `preflight` CLI, started with `npm run preflight -- --stage prod`. docs/operate/preflight.md lists what it finds and what
 * to do.
 */

ignoreClosedPipes();
process.exitCode = await run(process.argv.slice(2));
