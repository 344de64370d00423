import { ignoreClosedPipes } from './closed-pipe.ts';
import { restoreProgram } from './restore-program.ts';
import { runProgram } from './run-program.ts';

/** The `restore` CLI, started with `npm run restore -- --stage prod --to 2026-11-21T12:00:00Z`. */

ignoreClosedPipes();
await runProgram(restoreProgram(), process.argv.slice(2));
