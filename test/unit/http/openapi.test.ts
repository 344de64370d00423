import { beforeEach, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { publicRoute } from '../../../shared/http/public-route.ts';
import { serveApiDocument } from '../../../shared/http/routes/openapi.ts';
import { eventOf } from '../../security/in-process.ts';

/** The addresses in the OpenAPI document that a stage serves. */

const STATIC = { openapi: '3.1.1', info: { title: 'T' }, servers: [{ url: 'https://{host}' }], paths: {} };
const PATH = '/v1/openapi.json';

beforeEach(() => {
  process.env['STAGE'] = 'local';
});

/** Requests the document at an address, which is a domain name and the path before `/v1`. Returns the response. */
async function read(
  handler: ReturnType<typeof route>,
  { domainName, prefix = '', path = PATH }: { domainName: string; prefix?: string; path?: string },
): Promise<APIGatewayProxyResult> {
  const { requestContext, ...event } = eventOf({});
  const context = { ...requestContext, domainName, path: `${prefix}${path}` };
  return handler({ ...event, path, requestContext: context }, {} as Context);
}

const route = (contact = '') => publicRoute('openapi', serveApiDocument(STATIC, contact));

const serversOf = ({ body }: APIGatewayProxyResult) => JSON.parse(body).servers;
const server = (url: string) => [{ url, description: 'This service.' }];

test('on a domain, the server URL contains only the domain', async () => {
  process.env['STAGE'] = 'prod';
  const response = await read(route(), { domainName: 'api.example.com' });
  expect(JSON.parse(response.body)).toEqual({
    ...STATIC,
    info: { title: 'T', contact: { name: 'Support' } },
    servers: server('https://api.example.com'),
  });
});

test('the contact is the email address or the URL that the operator set', async () => {
  const contactOf = async (contact: string) =>
    JSON.parse((await read(route(contact), { domainName: 'one.example' })).body).info.contact;
  expect(await contactOf('help@example.com')).toEqual({ name: 'Support', email: 'help@example.com' });
  expect(await contactOf('https://example.com/help')).toEqual({
    name: 'Support',
    url: 'https://example.com/help',
  });
});

test('at the URL that API Gateway generates, the server URL contains the stage', async () => {
  process.env['STAGE'] = 'prod';
  const generated = { domainName: 'abc123.execute-api.eu-west-1.amazonaws.com', prefix: '/prod' };
  for (const path of [PATH, `${PATH}/`, `/api${PATH}`]) {
    const response = await read(route(), { ...generated, path });
    expect([path, serversOf(response)]).toEqual([path, server(`https://${generated.domainName}/prod`)]);
  }
});

test('on the local service, the server URL is plain HTTP with the port', async () => {
  const response = await read(route(), { domainName: 'localhost:4000' });
  expect(serversOf(response)).toEqual(server('http://localhost:4000'));
});

test('an invalid host name leaves the document unchanged', async () => {
  const handler = route();
  for (const domainName of ['', 'a b', '"><script>', 'host/../path', 'user@host', 'host:99999999'])
    expect([domainName, serversOf(await read(handler, { domainName }))]).toEqual([
      domainName,
      STATIC.servers,
    ]);
});

test('each address has its own, stable ETag', async () => {
  const handler = route();
  const tagAt = async (domainName: string) => (await read(handler, { domainName })).headers?.['ETag'];
  const first = await tagAt('one.example');
  const others = await Promise.all(Array.from({ length: 20 }, (_, n) => tagAt(`host-${n}.example`)));
  expect(new Set([first, ...others]).size).toBe(21);
  expect(await tagAt('one.example')).toBe(first);
});

test('the document is generated once for each address', async () => {
  let writes = 0;
  const counted = { ...STATIC, toJSON: () => ({ writes: ++writes }) };
  const handler = publicRoute('openapi', serveApiDocument(counted, ''));
  for (const domainName of ['one.example', 'two.example', 'one.example', 'two.example', '', ''])
    await read(handler, { domainName });
  expect(writes).toBe(3);
});
