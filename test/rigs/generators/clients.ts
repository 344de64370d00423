import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { samplesIn } from '../../openapi/samples.ts';
import { mustRun } from '../../support/programs.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';
import { type Check, environment } from './check.ts';

/**
 * Checks code samples, and clients of generators for one language, which must compile and get a record from the running
 * service.
 */

const PROGRAMS = join(import.meta.dirname, 'programs');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const DOCUMENT = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
/** What each program prints: the surname in a record, and the code of an error. */
const EXPECTED = 'ANUNOBI NIN_NOT_FOUND';

const go: Check = {
  name: 'Go client (oapi-codegen)',
  programs: ['go'],
  download: ({ directory }) =>
    mustRun('go', ['install', OAPI_CODEGEN], { env: { ...process.env, GOBIN: directory } }),
  async check(context) {
    const { directory } = context;
    mkdirSync(join(directory, 'client'));
    const options = ['-generate', 'types,client', '-package', 'client', '-o', 'client/client.go'];
    await mustRun(join(directory, 'oapi-codegen'), [...options, DOCUMENT], { cwd: directory });
    writeFileSync(join(directory, 'go.mod'), 'module example.com/generated\n\ngo 1.24\n');
    cpSync(join(PROGRAMS, 'oapi-codegen.go'), join(directory, 'program.go'));
    await mustRun('go', ['mod', 'tidy'], { cwd: directory });
    await mustRun('go', ['vet', './...'], { cwd: directory });
    const output = await mustRun('go', ['run', '.'], { cwd: directory, env: environment(context) });
    assert.equal(output.trim(), EXPECTED);
  },
};

const python: Check = {
  name: 'Python client (openapi-python-client)',
  programs: ['python3'],
  download: () => pythonEnvironment('openapi-python-client', REQUIREMENTS),
  async check(context) {
    const { directory } = context;
    const bin = await pythonEnvironment('openapi-python-client', REQUIREMENTS);
    const config = {
      content_type_overrides: { 'application/pdf': 'application/octet-stream' },
      post_hooks: [],
    };
    writeFileSync(join(directory, 'config.json'), JSON.stringify(config));
    const options = [
      '--path',
      DOCUMENT,
      '--config',
      'config.json',
      '--meta',
      'none',
      '--output-path',
      'generated',
    ];
    await mustRun(
      join(bin, 'python'),
      ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', ...options],
      {
        cwd: directory,
      },
    );
    cpSync(join(PROGRAMS, 'openapi_python_client.py'), join(directory, 'program.py'));
    await mustRun(join(bin, 'python'), ['-m', 'compileall', '-q', 'generated'], { cwd: directory });
    const output = await mustRun(join(bin, 'python'), ['program.py'], {
      cwd: directory,
      env: environment(context),
    });
    assert.equal(output.trim(), EXPECTED);
  },
};

const noDownload = async () => undefined;

const phpSamples: Check = {
  name: 'PHP samples',
  programs: ['php'],
  download: noDownload,
  async check({ directory }) {
    for (const { operation, source } of samplesIn('PHP')) {
      const file = join(directory, `${operation}.php`);
      writeFileSync(file, `<?php\n${source}\n`);
      await mustRun('php', ['-l', file]);
    }
  },
};

const goSamples: Check = {
  name: 'Go samples',
  programs: ['go'],
  download: noDownload,
  async check({ directory }) {
    const functions = samplesIn('Go').map(
      ({ operation, source }) =>
        `func ${operation}(baseUrl, apiKey string) (*http.Response, error) {\n${source}\nreturn response, err\n}\n`,
    );
    const imports = 'import (\n"net/http"\n"strings"\n"time"\n)\n';
    writeFileSync(join(directory, 'samples.go'), `package samples\n\n${imports}\n${functions.join('\n')}`);
    writeFileSync(join(directory, 'go.mod'), 'module example.com/samples\n\ngo 1.24\n');
    await mustRun('go', ['build', './...'], { cwd: directory });
  },
};

const javaSamples: Check = {
  name: 'Java samples',
  programs: ['javac'],
  download: noDownload,
  async check({ directory }) {
    const methods = samplesIn('Java').map(
      ({ operation, source }) =>
        `void ${operation}(String baseUrl, String apiKey, HttpClient client) throws Exception {\n${source}\n}\n`,
    );
    const imports = [
      'java.net.URI',
      'java.net.http.*',
      'java.net.http.HttpRequest.*',
      'java.net.http.HttpResponse.*',
      'java.time.Duration',
    ];
    const head = imports.map((name) => `import ${name};\n`).join('');
    const file = join(directory, 'Samples.java');
    writeFileSync(file, `${head}\nclass Samples {\n${methods.join('\n')}}\n`);
    await mustRun('javac', ['-d', directory, file]);
  },
};

export const CLIENT_CHECKS: readonly Check[] = [go, python, goSamples, javaSamples, phpSamples];
