import { ignoreClosedPipes } from './closed-pipe.ts';
import { firstRunProgram } from './first-run/program.ts';
import { runProgram } from './run-program.ts';

/** The `first-real-run` CLI, started with `npm run first-real-run -- --stage staging`. */

ignoreClosedPipes();
await runProgram(firstRunProgram(), process.argv.slice(2));
