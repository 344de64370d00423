import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, run } from '../../test/support/programs.ts';

/**
 * The package, as npm packs it, in programs that contain other people's tools: mocks, recorders, test runners, bundlers,
 * serializers, instrumentation, proxies and compilers. Their packages are installed into a folder outside the project.
 */

const FOLDER = import.meta.dirname;
const PROGRAMS = join(FOLDER, 'test/tools');

interface Tool {
  readonly name: string;
  readonly packages: string;
  readonly flags?: readonly string[];
}

/** Versions are those that npm considers the latest, because users have them too. */
const TOOLS: readonly Tool[] = [
  { name: 'nock', packages: 'nock' },
  { name: 'msw', packages: 'msw' },
  { name: 'undici-mock-agent', packages: 'undici@7' },
  { name: 'fetch-mock', packages: 'fetch-mock' },
  { name: 'polly', packages: '@pollyjs/core @pollyjs/adapter-fetch @pollyjs/persister-fs' },
  { name: 'fake-timers', packages: '@sinonjs/fake-timers' },
  { name: 'vitest', packages: 'vitest' },
  { name: 'jest', packages: 'jest' },
  { name: 'bundlers', packages: 'esbuild rollup @rollup/plugin-node-resolve vite webpack' },
  {
    name: 'serializers',
    packages: 'react@19 react-dom@19 react-server-dom-webpack@19 devalue superjson',
    flags: ['--conditions=react-server'],
  },
  {
    name: 'opentelemetry',
    packages:
      '@opentelemetry/api @opentelemetry/instrumentation @opentelemetry/instrumentation-undici @opentelemetry/sdk-trace-node',
  },
  { name: 'undici-agents', packages: 'undici@7' },
  { name: 'other-fetches', packages: 'cross-fetch fetch-cookie node-fetch undici@7' },
  { name: 'globals', packages: 'abort-controller bluebird p-limit zone.js' },
  { name: 'happy-dom', packages: '@happy-dom/global-registrator happy-dom' },
  { name: 'worker', packages: 'miniflare' },
];
/** The oldest supported compiler, and the last one whose Uint8Array is not generic. */
const COMPILERS = ['5.0.4', '5.6.3'];

/** Prints a line for each tool. Returns how many failed. */
export async function checkTools(node: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'client-tools-'));
  try {
    await mustRun(node, [join(FOLDER, 'build-package.ts'), '--package', join(folder, 'package')]);
    await mustRun('npm', ['pack', '--silent', './package'], { cwd: folder });
    const [tarball = ''] = globSync('*.tgz', { cwd: folder });
    const programs = join(folder, 'programs');
    await install(programs, [
      join(folder, tarball),
      ...new Set(TOOLS.flatMap(({ packages }) => packages.split(' '))),
    ]);
    for (const name of globSync('*.mjs', { cwd: PROGRAMS }))
      copyFileSync(join(PROGRAMS, name), join(programs, name));
    let failed = 0;
    const report = (name: string, { code, output }: { code: number; output: string }) => {
      if (code !== 0) failed += 1;
      process.stdout.write(`${name.padEnd(28)}${code === 0 ? 'works' : `FAILED\n${output}`}\n`);
    };
    for (const { name, flags = [] } of TOOLS)
      report(name, await run(node, [...flags, `${name}.mjs`], { cwd: programs, timeout: 120_000 }));
    for (const version of COMPILERS) {
      const compiler = join(folder, `typescript-${version}`);
      await install(compiler, [join(folder, tarball), `typescript@${version}`, '@types/node@20']);
      for (const resolution of ['node16', 'node10'])
        report(`typescript ${version}, ${resolution}`, await compile(compiler, resolution));
    }
    return failed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  await mustRun('npm', ['install', ...flags, ...packages], { cwd: folder });
}

/** Without `skipLibCheck`, so that the declarations themselves are compiled. */
function compile(folder: string, resolution: string) {
  writeFileSync(
    join(folder, 'program.ts'),
    `import { IdentityClient } from 'ng-identity';
import { FakeIdentity } from 'ng-identity/testing';
const client = new IdentityClient(new FakeIdentity().options);
export const slip = async () => new Response(await client.downloadSlip('12345678901', 'premium'));\n`,
  );
  const module = resolution === 'node10' ? 'commonjs' : resolution;
  const flags = '--noEmit --strict --target es2022 --lib es2022,dom'.split(' ');
  const modules = ['--module', module, '--moduleResolution', resolution];
  return run(join(folder, 'node_modules/.bin/tsc'), [...flags, ...modules, 'program.ts'], { cwd: folder });
}
