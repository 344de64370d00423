import { spawn } from 'node:child_process';

/**
 * Stands between the local runtime and DynamoDB Local, so that Java ends with the runtime even if that is killed:
 * the channel to the parent closes then. Started with the Java command line as its arguments.
 */
const [command = 'java', ...args] = process.argv.slice(2);
const java = spawn(command, args, { stdio: 'inherit' });

java.once('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'ENOENT' ? 127 : 1));
java.once('exit', (code) => process.exit(code ?? 1));
process.once('disconnect', () => java.kill('SIGKILL'));
process.once('SIGTERM', () => java.kill('SIGTERM'));
// Ctrl-C reaches the whole process group; the runtime decides when the database ends.
process.on('SIGINT', () => {});
