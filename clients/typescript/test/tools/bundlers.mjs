import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build as esbuild } from 'esbuild';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { assert } from './server.mjs';

writeFileSync(
  'entry.mjs',
  `import { IdentityClient, IdentityError } from 'ng-identity';
const fetch = async (_, init) => new Response('{}', { status: 402, headers: { 'Idempotency-Key': new Headers(init.headers).get('Idempotency-Key') } });
const client = new IdentityClient({ apiKey: 'idv_test_x', baseUrl: 'https://api.example.com', fetch });
client.verify('NIN', '12345678901').catch((error) => console.log(error.kind, error instanceof IdentityError));`,
);
// As for AWS Lambda.
await esbuild({
  entryPoints: ['entry.mjs'],
  bundle: true,
  minify: true,
  platform: 'node',
  outfile: 'of-esbuild.cjs',
});
const bundle = await rollup({ input: 'entry.mjs', plugins: [nodeResolve()], logLevel: 'silent' });
await bundle.write({ file: 'of-rollup.mjs', format: 'es' });
await vite({
  logLevel: 'error',
  build: { ssr: 'entry.mjs', outDir: 'of-vite' },
  ssr: { noExternal: true, target: 'node' },
});
await new Promise((done, fail) =>
  webpack(
    {
      mode: 'production',
      target: 'node',
      entry: './entry.mjs',
      output: { path: resolve('.'), filename: 'of-webpack.cjs' },
    },
    (error, stats) =>
      error || stats.hasErrors() ? fail(error ?? new Error(stats.toString())) : done(undefined),
  ),
);
for (const file of ['of-esbuild.cjs', 'of-rollup.mjs', 'of-vite/entry.mjs', 'of-webpack.cjs'])
  assert.equal(
    execFileSync(process.execPath, [file]).toString().trim(),
    'insufficient_funds true',
    `the bundle ${file}`,
  );
