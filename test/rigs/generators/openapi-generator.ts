import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { mustRun } from '../../support/programs.ts';
import { type Check, type CheckContext, environment } from './check.ts';
import { expectedOutput } from './expected.ts';
import { startLaterVersion } from './later-version.ts';

/**
 * Clients that openapi-generator writes with its default settings. Each must compile, and get a record of each kind from
 * the running service, whose responses also have what a later version may add. C# is only inspected unless dotnet is installed.
 */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const PROGRAMS = join(import.meta.dirname, 'programs');
const VERSION = '7.25.0';
const ARTIFACT = `org.openapitools:openapi-generator-cli:${VERSION}`;

interface Language {
  /** The name of the generator. */
  readonly generator: string;
  readonly programs: readonly string[];
  /** Responses that these clients cannot read. @default none */
  readonly unread?: readonly string[];
  /** Compiles the client in the folder `client` and runs the program. Returns what it prints. */
  readonly run: (context: CheckContext & { readonly client: string }) => Promise<string>;
}

const LANGUAGES: readonly Language[] = [
  { generator: 'java', programs: [], run: runJava },
  { generator: 'python', programs: ['python3'], run: runPython },
  { generator: 'typescript-fetch', programs: [], run: runTypeScript },
  { generator: 'php', programs: ['php', 'composer'], run: runPhp },
  { generator: 'go', programs: ['go'], run: runGo },
  {
    generator: 'rust',
    programs: ['cargo'],
    // The generator merges the alternatives of `data`, and requires the fields of all.
    unread: ['nin-match-only', 'gateway BVN match-only'],
    run: runRust,
  },
];

async function runJava(context: CheckContext & { readonly client: string }): Promise<string> {
  const { client } = context;
  const maven = ['-q', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
  await mustRun('mvn', maven, { cwd: client });
  const classPath = `target/classes:${readFileSync(join(client, 'classpath.txt'), 'utf8').trim()}`;
  // The client has the language level of Java 8, the program has not.
  return mustRun('java', ['-cp', classPath, join(PROGRAMS, 'Program.java')], {
    cwd: client,
    env: environment(context),
  });
}

async function runPython(context: CheckContext & { readonly client: string }): Promise<string> {
  const { client } = context;
  await mustRun('python3', ['-m', 'venv', 'venv'], { cwd: client });
  const python = join(client, 'venv/bin/python');
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', client];
  await mustRun(python, install);
  return mustRun(python, [join(PROGRAMS, 'program.py')], { env: environment(context) });
}

async function runTypeScript(context: CheckContext & { readonly client: string }): Promise<string> {
  const { directory } = context;
  // The project's own compiler must not read it, because it imports the client.
  cpSync(join(PROGRAMS, 'program.ts.txt'), join(directory, 'program.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const compilerOptions = {
    target: 'ES2023',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['program.ts'] }),
  );
  await mustRun(join(ROOT, 'node_modules/.bin/tsc'), ['-p', directory]);
  const outfile = join(directory, 'program.mjs');
  const entryPoints = [join(directory, 'program.ts')];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' });
  return mustRun(process.execPath, [outfile], { env: environment(context) });
}

/** The package php-guzzlehttp-guzzle, for machines that cannot reach Packagist. */
const DEBIAN_GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php';
const AUTOLOAD = `<?php
require '${DEBIAN_GUZZLE}';
spl_autoload_register(function ($name) {
    $file = __DIR__ . '/../lib/' . str_replace(['OpenAPI\\\\Client\\\\', '\\\\'], ['', '/'], $name) . '.php';
    if (is_file($file)) require $file;
});
`;

async function runPhp(context: CheckContext & { readonly client: string }): Promise<string> {
  const { client } = context;
  const env = { ...environment(context), COMPOSER_ALLOW_SUPERUSER: '1' };
  if (existsSync(DEBIAN_GUZZLE)) {
    mkdirSync(join(client, 'vendor'));
    writeFileSync(join(client, 'vendor/autoload.php'), AUTOLOAD);
  } else
    await mustRun('composer', ['install', '--no-dev', '--quiet', '--no-interaction'], { cwd: client, env });
  cpSync(join(PROGRAMS, 'program.php'), join(client, 'program.php'));
  return mustRun('php', ['program.php'], { cwd: client, env });
}

async function runGo(context: CheckContext & { readonly client: string }): Promise<string> {
  const { client } = context;
  mkdirSync(join(client, 'program'));
  cpSync(join(PROGRAMS, 'program.go'), join(client, 'program/program.go'));
  await mustRun('go', ['mod', 'tidy'], { cwd: client });
  await mustRun('go', ['vet', '.', './program'], { cwd: client });
  return mustRun('go', ['run', './program'], { cwd: client, env: environment(context) });
}

const CARGO = `[package]
name = "program"
version = "0.0.0"
edition = "2021"

[dependencies]
openapi = { path = "../client" }
serde = "1"
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
`;

async function runRust(context: CheckContext & { readonly client: string }): Promise<string> {
  const program = join(context.directory, 'program');
  mkdirSync(join(program, 'src'), { recursive: true });
  cpSync(join(PROGRAMS, 'program.rs'), join(program, 'src/main.rs'));
  writeFileSync(join(program, 'Cargo.toml'), CARGO);
  return mustRun('cargo', ['run', '--quiet'], { cwd: program, env: environment(context) });
}

const download: Check['download'] = ({ directory }) =>
  mustRun('mvn', ['-q', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${directory}`]);

/** Returns the folder of the client. */
async function generate(generator: string, { directory }: CheckContext): Promise<string> {
  const jar = join(directory, `openapi-generator-cli-${VERSION}.jar`);
  await mustRun('java', ['-jar', jar, 'generate', '-g', generator, '-i', DOCUMENT, '-o', 'client'], {
    cwd: directory,
  });
  return join(directory, 'client');
}

const csharp: Check = {
  name: 'C# client (openapi-generator, default library), inspected',
  programs: ['java', 'mvn'],
  download,
  async check(context) {
    const client = await generate('csharp', context);
    for (const file of globSync('src/Org.OpenAPITools/Model/*.cs', { cwd: client }))
      assert.doesNotMatch(readFileSync(join(client, file), 'utf8'), /\bTrue = true\b/, file);
  },
};

const csharpBuild: Check = {
  name: 'C# client (openapi-generator, default library), compiled',
  programs: ['java', 'mvn', 'dotnet'],
  download,
  async check(context) {
    const client = await generate('csharp', context);
    await mustRun('dotnet', ['build', 'src/Org.OpenAPITools'], { cwd: client });
  },
};

export const OPENAPI_GENERATOR_CHECKS: readonly Check[] = [
  ...LANGUAGES.map(({ generator, programs, unread = [], run }): Check => {
    const name = `${generator} client (openapi-generator, default library)`;
    return {
      name: unread.length > 0 ? `${name}, without ${unread.join(' and ')}` : name,
      programs: ['java', 'mvn', ...programs],
      download,
      async check(context) {
        const client = await generate(generator, context);
        const { baseUrl, stop } = await startLaterVersion(context.baseUrl);
        try {
          const output = await run({ ...context, baseUrl, client });
          const isRead = (line: string) => !unread.some((one) => line.startsWith(one));
          const expected = (await expectedOutput({ ...context, baseUrl })).split('\n').filter(isRead);
          assert.deepEqual(output.trim().split('\n'), expected);
        } finally {
          await stop();
        }
      },
    };
  }),
  csharp,
  csharpBuild,
];
