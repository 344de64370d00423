import { run } from './program.ts';

/** The `admin` CLI, started with `npm run admin -- ...`. Its reference is docs/admin.md. */

// A reader that stops early, such as `head`, is not a failure: the command completes and its other output is dropped.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await run(process.argv.slice(2));
