import { spawn } from 'node:child_process';

/**
 * A process between the local runtime and DynamoDB Local. It kills Java when the IPC channel to the runtime closes,
 * which happens even if the runtime is killed with SIGKILL. Arguments: the Java command line.
 */
const [command = 'java', ...args] = process.argv.slice(2);
const java = spawn(command, args, { stdio: 'inherit' });

java.once('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'ENOENT' ? 127 : 1));
java.once('exit', (code) => process.exit(code ?? 1));
process.once('disconnect', () => java.kill('SIGKILL'));
process.once('SIGTERM', () => java.kill('SIGTERM'));
// Ignores SIGINT, because the runtime decides when the database ends.
process.on('SIGINT', () => {});
