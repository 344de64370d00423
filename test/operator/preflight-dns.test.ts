import { expect, test } from '@jest/globals';
import { machineDns } from '../../clients/operator/preflight/dns.ts';

const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
const dns = machineDns({
  resolve4: (name: string) =>
    name === 'target.example.net' ? Promise.resolve(['192.0.2.10']) : fails('ENOTFOUND')(),
  resolveCname: (name: string) =>
    name === 'api.example.com' ? Promise.resolve(['target.example.net']) : fails('ENODATA')(),
  resolveNs: () => Promise.resolve(['ns-1.example.net']),
  resolveCaa: (name: string) =>
    name === 'example.com'
      ? Promise.resolve([{ critical: 0, issue: 'ca.example; account=1' }])
      : fails('ENODATA')(),
});

test.each([
  ['the alias of a name', 'api.example.com', { addresses: [], alias: 'target.example.net' }],
  ['the addresses of a name', 'target.example.net', { addresses: ['192.0.2.10'] }],
  ['nothing for a name that does not exist', 'missing.example.com', { addresses: [] }],
])('the preflight reads from DNS %s', async (_, name, records) => {
  expect(await dns.resolve(name)).toEqual(records);
});

test('the preflight reads name servers, and who may issue certificates', async () => {
  expect(await dns.nameServers('example.com')).toEqual(['ns-1.example.net']);
  expect(await dns.issuers('example.com')).toEqual(['ca.example']);
  expect(await dns.issuers('api.example.com')).toBeUndefined();
});

test('the preflight fails if DNS does', async () => {
  const refused = fails('ECONNREFUSED');
  const silent = machineDns({
    resolve4: refused,
    resolveCname: refused,
    resolveNs: refused,
    resolveCaa: refused,
  });
  await expect(silent.resolve('api.example.com')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
