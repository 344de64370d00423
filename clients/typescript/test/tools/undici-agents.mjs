import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Agent, EnvHttpProxyAgent, interceptors, RetryAgent, setGlobalDispatcher } from 'undici';
import { assert, client, fake, NIN } from './server.mjs';

let tunnels = 0;
const proxy = createServer();
proxy.on('connect', ({ url }, socket, head) => {
  tunnels += 1;
  const [host, port] = url.split(':');
  const target = connect(Number(port), host, () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    target.write(head);
    target.pipe(socket).pipe(target);
  });
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
proxy.unref();
const httpProxy = `http://127.0.0.1:${proxy.address().port}`;
setGlobalDispatcher(new EnvHttpProxyAgent({ httpProxy, noProxy: '', proxyTunnel: true }));
await client.verify('NIN', NIN);
assert.equal(tunnels, 1);

// Agents that retry or cache leave POST alone: each call is charged once.
for (const agent of [new RetryAgent(new Agent()), new Agent().compose(interceptors.cache())]) {
  setGlobalDispatcher(agent);
  const before = fake.charges.length;
  fake.cutNext();
  assert.equal((await client.verify('NIN', NIN)).replayed, true);
  await client.verify('NIN', NIN);
  assert.equal(fake.charges.length, before + 2);
}
