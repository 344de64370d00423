import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { documentation } from '../../infra/local/documentation.ts';
import { type Listening, listen } from '../../infra/local/http-server.ts';

/** How the local service builds and serves the site. A small program, whose first run fails, replaces VitePress. */

const PROGRAM = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
const out = process.argv[process.argv.indexOf('--out') + 1];
if (!existsSync(out)) {
  mkdirSync(out);
  console.error('The page guides/errors.md has a dead link.');
  process.exit(1);
}
mkdirSync(out + '/assets', { recursive: true });
writeFileSync(out + '/index.html', '<h1>Start</h1>');
writeFileSync(out + '/404.html', '<h1>No page</h1>');
writeFileSync(out + '/assets/app.1a2b3c.js', 'export {};');
`;

const directory = mkdtempSync(join(tmpdir(), 'documentation-'));
let server: Listening;

beforeAll(async () => {
  const program = join(directory, 'build.mjs');
  writeFileSync(program, PROGRAM);
  writeFileSync(join(directory, 'credentials.json'), '{"apiKey":"idv_live_x"}');
  const site = documentation(directory, program);
  const handler = site.before(async (_, response) => void response.end('the API'));
  server = await listen(createServer((incoming, response) => void handler(incoming, response)));
});

afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const visit = (path: string, options?: RequestInit) => fetch(`${server.url}${path}`, options);

test('a failed build shows its reason, and the next visit builds again', async () => {
  const failed = await visit('/docs/');
  expect(failed.status).toBe(500);
  expect(await failed.text()).toMatch(/^The documentation could not be built\.[\s\S]*has a dead link\./);
  const page = await visit('/docs/');
  expect([page.status, await page.text()]).toEqual([200, '<h1>Start</h1>']);
});

describe('the site', () => {
  test('is at /docs/, and /docs redirects there', async () => {
    const response = await visit('/docs', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/']);
  });

  test('forbids all content from other hosts', async () => {
    const { headers } = await visit('/docs/');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('lets browsers reuse a file without a request only if its name changes with its content', async () => {
    const page = await visit('/docs/');
    const script = await visit('/docs/assets/app.1a2b3c.js');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  test('has a page for unknown addresses', async () => {
    const response = await visit('/docs/guides/unknown.html');
    expect([response.status, await response.text()]).toEqual([404, '<h1>No page</h1>']);
  });

  test.each(['/docs/../package.json', '/docs/%2e%2e/credentials.json', '/docs//../build.mjs'])(
    'serves nothing outside its directory: %s',
    async (path) => {
      const response = await visit(path);
      expect(await response.text()).not.toMatch(/import|devDependencies|apiKey/);
    },
  );

  test.each([
    ['GET', '/documents'],
    ['GET', '/api/v1/health/'],
    ['POST', '/docs/'],
  ])('leaves %s %s to the API', async (method, path) => {
    expect(await (await visit(path, { method })).text()).toBe('the API');
  });
});
