import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { run } from '../../test/support/programs.ts';
import table from '../conformance.json' with { type: 'json' };
import { buildClient } from './build.ts';
import manifest from './package.json' with { type: 'json' };
import { Certificates } from './test/conformance/connection-server.ts';
import { runConnection } from './test/conformance/run-connection.ts';
import type { ConformanceTable, FailedConnection } from './test/conformance/table.ts';
import { checkTools } from './tools.ts';

/**
 * `npm run clients:matrix`: the built package on every supported runtime, the conformance table and the cases of the
 * fake on all but `EDGE`, and other people's tools.
 * Installs runtimes into `.local/client-runtimes`, and lists those that it could not.
 */

const FOLDER = import.meta.dirname;
/** The Node.js that the project uses. */
const NODE = join(FOLDER, '../../node_modules/.bin/node');
const RUNTIMES_FOLDER = join(FOLDER, '../../.local/client-runtimes');
const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

interface Runtime {
  readonly name: string;
  /** Unless the project has it. */
  readonly package?: string;
  /** Relative to the folder of the package. */
  readonly command: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  { name: 'node-24', command: [NODE] },
  { name: 'node-22', package: `${NODE_PACKAGE}@22.23.3`, command: [`node_modules/${NODE_PACKAGE}/bin/node`] },
  { name: 'node-20', package: `${NODE_PACKAGE}@20.20.2`, command: [`node_modules/${NODE_PACKAGE}/bin/node`] },
  { name: 'deno', package: 'deno@2.9.6', command: ['node_modules/.bin/deno', 'run', '--allow-all'] },
  { name: 'bun', package: 'bun@1.4.5', command: ['node_modules/.bin/bun', 'run'] },
];
/** It cannot run the server that the table needs. */
const EDGE: Runtime = {
  name: 'edge-runtime',
  package: '@edge-runtime/vm@5.0.0',
  command: [process.execPath],
};

/** Undefined if it cannot be installed. */
async function installed({
  name,
  package: packageName,
  command,
}: Runtime): Promise<readonly string[] | undefined> {
  if (!packageName) return command;
  const folder = join(RUNTIMES_FOLDER, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const { code } = await run('npm', ['install', '--no-audit', '--no-fund', packageName], { cwd: folder });
  const [program = '', ...rest] = command;
  return code === 0
    ? [program.startsWith('node_modules/') ? join(folder, program) : program, ...rest]
    : undefined;
}

async function writePrograms(folder: string): Promise<void> {
  const dist = await buildClient(join(folder, 'node_modules/ng-identity/dist'));
  copyFileSync(join(FOLDER, 'package.json'), join(dist, '../package.json'));
  // Deno loads only packages that the nearest package.json names.
  const dependencies = { [manifest.name]: manifest.version };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  for (const name of ['use-package.mjs', 'use-package.cjs'])
    copyFileSync(join(FOLDER, 'test/runtimes', name), join(folder, name));
  const options = { bundle: true, target: 'es2022', logLevel: 'warning' } as const;
  for (const name of ['all-situations.ts', 'fake-cases.mjs', 'one-call.ts'])
    await build({
      ...options,
      entryPoints: [join(FOLDER, 'test/runtimes', name)],
      external: [manifest.name],
      format: 'esm',
      platform: 'node',
      outfile: join(folder, name.replace('.ts', '.mjs')),
    });
  await build({
    ...options,
    entryPoints: [join(FOLDER, 'src/index.ts')],
    format: 'iife',
    globalName: 'ngIdentity',
    platform: 'neutral',
    outfile: join(folder, 'global.js'),
  });
}

function startServer(): Promise<Server> {
  const { status, headers, json } = table.responses.found;
  const server = createServer((_, response) =>
    response.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(json)),
  );
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const programs = mkdtempSync(join(tmpdir(), 'client-matrix-'));
const server = await startServer();
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const call = [`http://127.0.0.1:${port}`, table.api_key, table.number];
const skipped: string[] = [];
let failed = 0;

/** Or prints everything if it fails. */
async function check(
  title: string,
  [command = '', ...args]: readonly string[],
  expected: RegExp,
): Promise<void> {
  const { code, output } = await run(command, args, { cwd: programs });
  const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
  const isPassed = code === 0 && expected.test(lastLine);
  if (!isPassed) failed += 1;
  process.stdout.write(`${title.padEnd(28)}${isPassed ? lastLine : `FAILED\n${output}`}\n`);
}

/** What a runtime does not tell the client. Then the charge is unknown, which the README says. */
function isShown({ server }: FailedConnection, runtime: string): boolean {
  if (runtime === 'node-20') return !server.startsWith('proxy');
  return runtime !== 'bun' || !server.endsWith('_in_handshake');
}

async function checkConnections(name: string, command: readonly string[]): Promise<void> {
  const { connections } = table as unknown as ConformanceTable;
  const differences = [];
  for (const connection of connections.filter((one) => isShown(one, name)))
    differences.push(
      ...(await runConnection(
        connection,
        [...command, join(programs, 'one-call.mjs')],
        table as unknown as ConformanceTable,
        certificates,
      )),
    );
  if (differences.length > 0) failed += 1;
  const result = differences.length > 0 ? `FAILED\n${differences.join('\n')}` : 'works';
  process.stdout.write(`${`${name}: connections`.padEnd(28)}${result}\n`);
}

const certificates = new Certificates();
try {
  await writePrograms(programs);
  const isRecord = new RegExp(`^${table.number}$`);
  for (const runtime of RUNTIMES) {
    const command = await installed(runtime);
    if (!command) skipped.push(runtime.name);
    else {
      const { name } = runtime;
      await check(
        `${name}: table`,
        [...command, join(programs, 'all-situations.mjs')],
        /^[1-9]\d* passed, 0 failed$/,
      );
      await check(
        `${name}: fake`,
        [...command, join(programs, 'fake-cases.mjs')],
        /^[1-9]\d* passed, 0 failed$/,
      );
      await checkConnections(name, command);
      await check(`${name}: ES module`, [...command, join(programs, 'use-package.mjs'), ...call], isRecord);
      await check(`${name}: CommonJS`, [...command, join(programs, 'use-package.cjs'), ...call], isRecord);
    }
  }
  const edge = await installed(EDGE);
  if (!edge) skipped.push(EDGE.name);
  else {
    // Because it imports the runtime.
    const program = join(RUNTIMES_FOLDER, EDGE.name, 'use-edge.mjs');
    copyFileSync(join(FOLDER, 'test/runtimes/use-edge.mjs'), program);
    await check(`${EDGE.name}: bundle`, [...edge, program, ...call, join(programs, 'global.js')], isRecord);
  }
  failed += await checkTools(NODE);
} finally {
  certificates[Symbol.dispose]();
  server.close();
  rmSync(programs, { recursive: true });
}
if (skipped.length > 0) process.stdout.write(`Not installed, so not tested: ${skipped.join(', ')}\n`);
process.exitCode = failed === 0 ? 0 : 1;
