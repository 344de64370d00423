import { cpuMs } from '../measure.ts';
import { startExpress } from '../peers/express-server.ts';
import { startFastify } from '../peers/fastify-server.ts';

/**
 * The server of another implementation in its own process. Sends its address, and for each message the user processor
 * time since the previous one. Arguments: `fastify` or `express`, API key, directory of PostgreSQL's socket.
 */
const [, , which = '', apiKey = '', socketDirectory = ''] = process.argv;
const url = which === 'fastify' ? await startFastify(socketDirectory, apiKey) : await startExpress();
let since = process.cpuUsage();
process.on('message', () => {
  process.send?.(cpuMs(since));
  globalThis.gc?.();
  since = process.cpuUsage();
});
process.send?.(url);
