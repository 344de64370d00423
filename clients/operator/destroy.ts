import { ignoreClosedPipes } from './closed-pipe.ts';
import { destroyProgram } from './destroy-program.ts';
import { runProgram } from './run-program.ts';

/** The `destroy` CLI, started with `npm run destroy -- --stage dev`. */

ignoreClosedPipes();
await runProgram(destroyProgram(), process.argv.slice(2));
