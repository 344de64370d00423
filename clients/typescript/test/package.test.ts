import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { mustRun, run } from '../../../test/support/programs.ts';
import { buildClient } from '../build.ts';
import manifest from '../package.json' with { type: 'json' };
import { VERSION } from '../src/version.ts';
import { readmeExamples } from './readme-examples.ts';

/** The package as it is published. */

const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
afterAll(() => rmSync(folder, { recursive: true }));
const dist = await buildClient(join(folder, 'node_modules/ng-identity/dist'));
symlinkSync(join(import.meta.dirname, '../package.json'), join(dist, '../package.json'));

/**
 * Raised from 8 KB for lots, invoices and top-ups, webhooks, the comparison of responses with their requests, virtual
 * NINs, the withdrawal of slips, failed connections, and dates and headers of many forms.
 */
const MAX_GZIP_BYTES = 14 * 1024;

describe.each(['esm', 'cjs'])('the %s bundle', (format) => {
  const code = readFileSync(join(dist, format, 'index.js'));

  test('is at most 14 KB after gzip', () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
  });

  test('has no line so long that an uncaught error would print the whole client', () => {
    const lines = code.toString().split('\n');
    expect(lines.filter(({ length }) => length > 400)).toEqual([]);
  });

  test('imports nothing', () => {
    expect(code.toString()).not.toMatch(/\b(?:import\s*[{(*"']|require\()/);
  });

  test('has types, whose imports exist', () => {
    const types = readFileSync(join(dist, format, 'index.d.ts'), 'utf8');
    const imports = [...types.matchAll(/from '(.*?)\.js'/g)].map(([, name]) => `${name}.d.ts`);
    expect(imports).toContain('./client.d.ts');
    expect(imports.filter((name) => !existsSync(join(dist, format, name)))).toEqual([]);
    const typedArrays = globSync('*.d.ts', { cwd: join(dist, format) }).filter((name) =>
      readFileSync(join(dist, format, name), 'utf8').includes('Array<ArrayBuffer'),
    );
    // TypeScript 5.6 and older report an error for them.
    expect(typedArrays).toEqual([]);
  });
});

test('only a client listens to the diagnostic channels of Node.js', async () => {
  const program = `
    import { hasSubscribers } from 'node:diagnostics_channel';
    import { IdentityClient, verifyWebhook } from 'ng-identity';
    const isHeard = () => ['connectError', 'sendHeaders'].map((name) => hasSubscribers('undici:client:' + name));
    await verifyWebhook('', {}, 'whsec_AAAA').catch(() => {});
    const before = isHeard();
    new IdentityClient({ apiKey: 'idv_test_x', baseUrl: 'https://api.example.com' });
    console.log(JSON.stringify([before, isHeard()]));`;
  const printed = await mustRun(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(JSON.parse(printed)).toEqual([
    [false, false],
    [true, true],
  ]);
});

const LOAD_AND_REJECT = `
  const client = new IdentityClient({ apiKey: 'idv_test_x', baseUrl: 'https://api.example.com', fetch: null });
  client.verify('NIN', '1').catch((error) => console.log(error.message, typeof IdentityError));`;

test.each([
  [
    'an ES module',
    ['--input-type=module', '-e', `import { IdentityClient, IdentityError } from 'ng-identity';`],
  ],
  [
    'CommonJS',
    ['--input-type=commonjs', '-e', `const { IdentityClient, IdentityError } = require('ng-identity');`],
  ],
])('Node.js loads the package as %s', async (_, [type = '', flag = '', load = '']) => {
  const output = await mustRun('node', [type, flag, load + LOAD_AND_REJECT], { cwd: folder });
  expect(output.trim()).toBe('The NIN must be exactly 11 digits, or a virtual NIN. function');
});

test('the fake API is a separate entry point, which imports only Node.js’s crypto', async () => {
  const use = `const { FakeIdentity } = await import('ng-identity/testing');
    const { IdentityClient } = await import('ng-identity');
    console.log((await new IdentityClient(new FakeIdentity().options).verify('NIN', '12345678901')).code);`;
  const flags = ['--input-type=module', '-e', use];
  expect((await mustRun('node', flags, { cwd: folder })).trim()).toBe('NIN_VERIFIED');
  const code = readFileSync(join(dist, 'esm/testing.js'), 'utf8');
  const imports = [...code.matchAll(/\bimport\{[^}]*\}from"([^"]+)"/g)].map(([, name]) => name);
  expect(new Set(imports)).toEqual(new Set(['node:crypto']));
  expect(code.length).toBeLessThan(400_000);
});

test('the fake API uses only what the oldest supported Node.js has', async () => {
  const project = join(import.meta.dirname, '../testing');
  const { output } = await run('tsc', ['--project', project]);
  expect(output).toBe('');
});

test('all files that the manifest names as entry points exist', () => {
  const { '.': main, './testing': testing } = manifest.exports;
  const entries = [main, testing].flatMap(({ import: esm, require: cjs }) => [esm, cjs]);
  // Compilers with `moduleResolution: node10` do not read `exports`.
  const { '*': older } = manifest.typesVersions;
  expect(Object.keys(older).map((name) => `./${name}`)).toEqual(
    Object.keys(manifest.exports).filter((name) => /^\.\/\w+$/.test(name)),
  );
  const paths = [
    ...[manifest.main, manifest.types, ...Object.values(older).flat()],
    ...entries.flatMap((entry) => Object.values(entry)),
  ];
  expect(paths.filter((path) => !existsSync(join(dist, '..', path)))).toEqual([]);
});

test('the version is the same everywhere', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
  expect(manifest.version).toBe(VERSION);
  expect(/^## (.*)$/m.exec(changelog)?.[1]).toBe(VERSION);
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const files = readme.match(/ng-identity-\d[\d.]*\.tgz/g) ?? [];
  expect(new Set(files)).toEqual(new Set([`ng-identity-${VERSION}.tgz`]));
});

test('the package has a licence and no dependencies, and cannot be published by accident', () => {
  expect(readFileSync(join(import.meta.dirname, '../LICENSE'), 'utf8')).toMatch(/^MIT License\n/);
  expect(manifest).toMatchObject({ license: 'MIT', private: true });
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});

describe('publishing', () => {
  const project = join(import.meta.dirname, '../../..');
  const workflow = readFileSync(join(project, '.github/workflows/publish-typescript.yml'), 'utf8');
  const [build = '', publish = ''] = workflow.split('\n  publish:\n');
  const command = /npm run clients:build -- (.*)/.exec(build)?.[1] ?? '';
  const program = join(project, 'clients/typescript/build-package.ts');

  test('writes a package that is not private and names the repository that builds it', async () => {
    const target = join(folder, 'package');
    await mustRun('node', [program, '--package', target, '--repository', 'acme/identity'], { cwd: project });
    const { private: _, ...rest } = manifest;
    const url = 'git+https://github.com/acme/identity.git';
    expect(JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))).toEqual({
      ...rest,
      repository: { type: 'git', url, directory: 'clients/typescript' },
    });
    const files = ['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/esm/index.js', 'dist/cjs/index.d.ts'];
    expect(files.filter((name) => !existsSync(join(target, name)))).toEqual([]);

    const readme = readFileSync(join(target, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const ofPage = `https://github.com/acme/identity/blob/typescript-v${VERSION}/docs/guides/errors.md#all-codes`;
    expect(links).toContain(ofPage);
    expect(links.filter((link) => link.startsWith('.'))).toEqual([]);
  });

  test('writes a package that runs the quick start in an empty project', async () => {
    const [target, project] = [join(folder, 'packed'), join(folder, 'empty')];
    await mustRun('node', [program, '--package', target]);
    await mustRun('npm', ['pack', '--silent', target], { cwd: folder });
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const tarball = join(folder, `ng-identity-${VERSION}.tgz`);
    await mustRun('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
    const [quickStart = ''] = readmeExamples();
    writeFileSync(join(project, 'quick-start.mts'), quickStart);
    const fake = `import { FakeIdentity } from 'ng-identity/testing';
      const { apiKey, baseUrl, fetch } = new FakeIdentity();
      Object.assign(process.env, { NG_IDENTITY_API_KEY: apiKey, NG_IDENTITY_BASE_URL: baseUrl });
      globalThis.fetch = fetch;`;
    writeFileSync(join(project, 'fake.mjs'), fake);
    const flags = ['--no-warnings', '--import', './fake.mjs', 'quick-start.mts'];
    expect(await mustRun('node', flags, { cwd: project })).toMatch(/^\S+ \S+ req_[0-9a-f]{12}\n$/);
  });

  test('fails if the tag names a different version', async () => {
    const { code, output } = await run('node', [program, '--tag', 'typescript-v9.9.9'], { cwd: project });
    expect(code).toBe(1);
    expect(output).toContain(`The tag typescript-v9.9.9 does not name the version ${VERSION}.`);
  });

  test('uses options that exist, and pinned actions', async () => {
    const help = await mustRun('node', [program, '--help'], { cwd: project });
    const options = command.match(/--[a-z]+/g) ?? [];
    expect(options).toEqual(['--tag', '--repository', '--package']);
    for (const option of options) expect(help).toContain(`${option} <`);
    const actions = [...workflow.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    const isPinned = (action: string) => /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action);
    expect(actions.filter((action) => !isPinned(action))).toEqual([]);
    expect(actions).toHaveLength(6);
  });

  test('gives a token only to the job that publishes, which runs no code of the project', () => {
    expect(build).not.toContain('id-token');
    expect(publish).toContain('id-token: write');
    expect(publish).toContain('environment: npm');
    expect(publish).not.toMatch(/checkout|npm ci|npm run/);
    expect(workflow).not.toContain('secrets.');
  });
});
