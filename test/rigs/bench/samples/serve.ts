import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startRestServer } from '../../../../infra/local/gateway/rest-api.ts';
import { restEvent } from '../../../../infra/local/gateway/rest-event.ts';
import { restResponse } from '../../../../infra/local/gateway/rest-response.ts';
import { listen, readBody } from '../../../../infra/local/http-server.ts';
import { envelopeText, verifiedEnvelope } from '../../../../shared/verifications/envelope.ts';
import { cpuMs } from '../measure.ts';
import { PHOTO } from './photo.ts';
import { route } from './route.ts';

/**
 * A server in its own process: bare node:http, or the local gateway with the chain. Sends its address, and for each
 * message the processor time since the previous one. Arguments: `gateway` or `bare`, `photo` or nothing.
 */
const [, , which = '', photo = ''] = process.argv;
const data = photo ? PHOTO : '';
const TARGET = { apiId: '', stage: '', resourcePath: '', resourceId: '', pathParameters: {}, binary: true };

async function startBare() {
  const server = createServer(async (incoming, response) => {
    JSON.parse((await buffer(incoming)).toString());
    createHash('sha256')
      .update(incoming.headers.authorization ?? '')
      .digest('hex');
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ nin: '', photo: data }));
  });
  return listen(server);
}

function startGateway() {
  const meta = { request_id: 'req_0123456789ab', timestamp: new Date().toISOString() };
  const run = route(() => envelopeText(verifiedEnvelope('NIN', 'Bench', { nin: '', photo: data }, meta)));
  const handler = async (
    ...[incoming, response]: Parameters<Parameters<typeof createServer>[1] & object>
  ) => {
    const { method = '', url = '', rawHeaders, socket } = incoming;
    const body = (await readBody(incoming, 4096)) ?? Buffer.alloc(0);
    const sourceIp = socket.remoteAddress ?? '';
    const request = { method, url, rawHeaders, body, sourceIp, requestId: '', startedAtMs: Date.now() };
    const { body: text, ...rest } = await run(restEvent(request, TARGET), {});
    const answer = restResponse(rest, Buffer.from(text));
    response.writeHead(answer?.status ?? 500, [...(answer?.headers ?? [])]).end(answer?.body);
  };
  return startRestServer(0, Promise.resolve(handler));
}

const { url } = await (which === 'bare' ? startBare() : startGateway());
let since = process.cpuUsage();
process.on('message', () => {
  process.send?.(cpuMs(since));
  since = process.cpuUsage();
});
process.send?.(url);
