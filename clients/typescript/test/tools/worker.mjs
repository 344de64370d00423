import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';
import { assert, NIN, options } from './server.mjs';

const worker = new Miniflare({
  modules: [
    {
      type: 'ESModule',
      path: 'worker.mjs',
      contents: `import { IdentityClient } from './client.js';
export default { async fetch(_, env) {
  const { code } = await new IdentityClient({ apiKey: env.KEY, baseUrl: env.URL }).verify('NIN', '${NIN}');
  return new Response(code);
} };`,
    },
    {
      type: 'ESModule',
      path: 'client.js',
      contents: readFileSync('node_modules/ng-identity/dist/esm/index.js', 'utf8'),
    },
  ],
  bindings: { KEY: options.apiKey, URL: options.baseUrl },
  compatibilityDate: '2026-01-01',
});
assert.equal(await (await worker.dispatchFetch('https://worker.example/')).text(), 'NIN_VERIFIED');
await worker.dispose();
