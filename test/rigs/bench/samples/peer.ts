import { cpuMs } from '../measure.ts';
import { startFastify } from '../peers/fastify-server.ts';

/**
 * The server with Fastify and PostgreSQL in its own process. Sends its address, and for each message the user processor
 * time since the previous one. Arguments: API key, directory of PostgreSQL's socket.
 */
const [, , apiKey = '', socketDirectory = ''] = process.argv;
const url = await startFastify(socketDirectory, apiKey);
let since = process.cpuUsage();
process.on('message', () => {
  process.send?.(cpuMs(since));
  globalThis.gc?.();
  since = process.cpuUsage();
});
process.send?.(url);
