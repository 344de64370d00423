import { ignoreClosedPipes } from './closed-pipe.ts';
import { run } from './program.ts';

/** The `admin` CLI, started with `npm run admin -- ...`. Its reference is docs/operate/admin.md. */

ignoreClosedPipes();
process.exitCode = await run(process.argv.slice(2));
