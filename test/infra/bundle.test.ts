import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bundles, bundle } from '../../infra/bundle/bundle.ts';
import { CONSOLE_FUNCTIONS } from '../../infra/console-routes.ts';
import { FUNCTION_NAMES } from '../../infra/function-sources.ts';
import { ROUTES } from '../../infra/routes.ts';
import { LIVE_PROVIDER_NAMES, LIVE_PROVIDERS } from '../../shared/registries/providers/catalogue.ts';
import { drawSlip } from '../../shared/slips/draw-slip.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { slipInput, USUAL_RECORD } from '../slips/records.ts';
import { makePng } from '../slips/test-pictures.ts';
import { allBundles } from '../support/all-bundles.ts';
import { PIN } from '../support/pin-stages.ts';
import { context } from './context.ts';

/** The functions that draw PDFs. */
const DRAWING = ['console-send-test-request', 'console-show-invoice', 'nin-slip', 'wallet-invoice'];

/** The functions that match claimed details with the record, other than those that draw PDFs. */
const MATCHING = ['bvn-basic', 'bvn-premium', 'nin-basic', 'nin-premium', 'verify-identity'];

/** Bundling takes seconds of processor time, and longer on a busy machine. */
const SLOW_MS = 600_000;

const directory = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the bundles of functions:', () => {
  let bundles: Bundles;
  beforeAll(async () => {
    bundles = await allBundles();
  }, SLOW_MS);

  /** Returns the sources of a bundle and its size in bytes. */
  function contents(name: string): { inputs: string[]; bytes: number } {
    const [, output] =
      Object.entries(bundles.metafile.outputs).find(([file]) => file.endsWith(`/${name}/index.cjs`)) ?? [];
    if (!output) throw new Error(`There is no bundle ${name}.`);
    return { inputs: Object.keys(output.inputs), bytes: output.bytes };
  }

  function codeOf(name: string): Buffer {
    return readFileSync(join(bundles.directories.get(name) ?? '', 'index.cjs'));
  }

  /** Returns the names that a bundle exports, from the list that esbuild writes at its end for ES modules. */
  function exportsOf(code: string): string[] {
    const [, names = ''] = /0&&\(module\.exports=\{([\w,]+)\}\);\s*$/.exec(code) ?? [];
    return names.split(',');
  }

  const OPERATORS = FUNCTION_NAMES.filter((name) => name.startsWith('operators-'));
  const LARGER = [...DRAWING, ...MATCHING, ...OPERATORS, 'nuban-basic', 'console-submit-organisation'];

  // The limits are slightly above the current sizes. docs/design/performance.md explains what the bundles contain.
  test.each([
    ['of most functions', FUNCTION_NAMES.filter((name) => !LARGER.includes(name)), 406, 140],
    ['of the operator API', OPERATORS, 505, 167],
    ['for account numbers, with the list of banks', ['nuban-basic'], 428, 147],
    ['that submits profiles, looks up numbers and sends emails', ['console-submit-organisation'], 444, 153],
    ['that match claimed details, with the tables of names', MATCHING, 560, 205],
    ['for slips', ['nin-slip'], 1_027, 382],
    ['for invoices', ['wallet-invoice'], 736, 269],
    ['for the playground, with all services and the sandbox', ['console-send-test-request'], 1_114, 432],
  ] as const)(
    'the bundles %s stay small, because every cold start parses them',
    (_, names, kb, compressedKb) => {
      expect(Math.max(...names.map((name) => contents(name).bytes))).toBeLessThan(kb * 1_000);
      const compressed = names.map((name) => gzipSync(codeOf(name)).length);
      expect(Math.max(...compressed)).toBeLessThan(compressedKb * 1_000);
    },
  );

  test('only functions that match claimed details contain the module that matches them', () => {
    const matching = FUNCTION_NAMES.filter((name) =>
      contents(name).inputs.includes('shared/matching/match.ts'),
    );
    expect(matching.sort()).toEqual(['console-send-test-request', 'nin-slip', ...MATCHING].sort());
  });

  test('only functions that need the list of banks contain it', () => {
    const withBanks = FUNCTION_NAMES.filter((name) =>
      contents(name).inputs.some((input) => input.endsWith('/bank-rows.ts')),
    );
    expect(withBanks.sort()).toEqual([
      'banks',
      'console-send-test-request',
      'nuban-basic',
      'operators-registry-test',
      'sandbox-registry',
      'verify-identity',
    ]);
  });

  test('only functions that compare names contain modules of shared/matching', () => {
    const comparing = FUNCTION_NAMES.filter((name) =>
      contents(name).inputs.some((input) => input.includes('shared/matching/')),
    );
    const people = SERVICE_NAMES.filter((name) => /^(?:nin|bvn)-(?:basic|premium)$/.test(name));
    expect(comparing.sort()).toEqual(
      [
        ...people,
        'console-send-test-request',
        'console-submit-organisation',
        'nin-slip',
        'verify-identity',
      ].sort(),
    );
  });

  // The test look-ups of operators can use every provider.
  test.each(FUNCTION_NAMES.filter((name) => name !== 'operators-registry-test'))(
    '%s contains the providers of the ID types that it may look up, and no others',
    (name) => {
      const { looksUp = [] } =
        [...ROUTES, ...CONSOLE_FUNCTIONS].find((one) => one.name === name)?.access ?? {};
      const expected = LIVE_PROVIDER_NAMES.filter((provider) =>
        looksUp.some((idType) => idType in LIVE_PROVIDERS[provider].idTypes),
      );
      const adapters = contents(name).inputs.flatMap((input) => {
        const [, provider = ''] = /shared\/registries\/providers\/(\w+)\//.exec(input) ?? [];
        return provider && provider !== 'sandbox' ? [provider] : [];
      });
      expect([...new Set(adapters)].sort()).toEqual(expected.toSorted());
    },
  );

  test('all functions of routes with a key have a warm-up, and no others do', () => {
    const warmed = FUNCTION_NAMES.filter((name) => contents(name).inputs.includes('shared/core/warm-up.ts'));
    const withKey = ROUTES.filter(({ isKeyless }) => !isKeyless).map(({ name }) => name);
    expect(warmed.sort()).toEqual(withKey.sort());
  });

  test.each(FUNCTION_NAMES)('%s exports a handler, and its warm-up if it has one', (name) => {
    const code = codeOf(name).toString();
    const isWarmed = contents(name).inputs.includes('shared/core/warm-up.ts');
    expect(exportsOf(code)).toEqual(isWarmed ? ['handler', 'warm'] : ['handler']);
    expect(existsSync(join(bundles.directories.get(name) ?? '', 'start.mjs'))).toBe(true);
  });

  test('functions of routes without secrets contain no Secrets Manager client', () => {
    const withoutSecrets = ROUTES.filter(({ access }) => !access.secrets && !access.looksUp);
    expect(withoutSecrets.length).toBeGreaterThan(5);
    for (const { name } of withoutSecrets)
      expect(contents(name).inputs.filter((input) => input.includes('/client-secrets-manager/'))).toEqual([]);
  });

  test('only the function for slips can draw a specimen', () => {
    const drawing = FUNCTION_NAMES.filter((name) =>
      contents(name).inputs.includes('shared/slips/draw-specimen.ts'),
    );
    expect(drawing).toEqual(['nin-slip']);
  });

  test.each(['unknown-route', 'openapi'])('%s, which uses no AWS service, contains no AWS client', (name) => {
    expect(contents(name).inputs.filter((input) => input.includes('/@aws-sdk/client-'))).toEqual([]);
  });

  test.each(FUNCTION_NAMES)(
    '%s contains neither the chain of credential providers nor a font engine',
    (name) => {
      const unwanted = /credential-provider-(node|sso|ini|process|web-identity)|\/fontkit\//;
      expect(contents(name).inputs.filter((input) => unwanted.test(input))).toEqual([]);
    },
  );

  test.each(FUNCTION_NAMES)('%s contains no module that infra/bundle/bundle.ts replaces', (name) => {
    const replaced = /\/(event-streams|endpoint-cache|mnemonist|standard-fonts|pako)\//;
    expect(contents(name).inputs.filter((input) => replaced.test(input))).toEqual([]);
  });

  test('functions that charge, show balances or sweep holds contain no payment code', () => {
    const names = [...SERVICE_NAMES, 'verify-identity', 'wallet-balance', 'sweep-holds'];
    for (const name of names)
      expect(contents(name).inputs.filter((file) => file.includes('shared/payments/'))).toEqual([]);
    expect(contents('paystack-webhook').inputs).toContain('shared/payments/orders/settle-top-up.ts');
  });

  test('only functions that draw PDFs contain a PDF library', () => {
    const drawing = FUNCTION_NAMES.filter((name) =>
      contents(name).inputs.some((input) => input.includes('/pdf-lib/')),
    );
    expect(drawing.sort()).toEqual(DRAWING);
  });
});

describe('the synthesis of the whole app', () => {
  test(
    'passes the CloudFormation rules and is reproducible byte for byte',
    async () => {
      const { directories } = await allBundles();
      const synthesize = async (name: string, builtinCloudFormationValidation: boolean) => {
        const outdir = join(directory, name);
        const options = {
          outdir,
          context: context({ stage: 'prod' }),
          changes: PIN,
          builtinCloudFormationValidation,
        };
        const code = `import { buildApp } from './infra/app.ts'; buildApp({ ...${JSON.stringify(options)}, bundles: new Map(${JSON.stringify([...directories])}) }).synth();`;
        // In a process outside Jest, the validation takes seconds instead of minutes.
        await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
        const files = readdirSync(outdir).filter((file) => /\.(template|assets)\.json$/.test(file));
        return files.sort().map((file) => [file, readFileSync(join(outdir, file), 'utf8')]);
      };
      // Whether the bundles are reproducible, whose checksums the templates contain, bill-of-materials.test.ts checks.
      const [first, second] = await Promise.all([synthesize('first', true), synthesize('second', false)]);

      expect(first).toHaveLength(12);
      expect(second).toEqual(first);
    },
    SLOW_MS,
  );
});

describe('the slip in a bundle', () => {
  let bundled: { readonly drawSlip: typeof drawSlip };
  beforeAll(() => {
    const { directories } = bundle({ draw: 'shared/slips/draw-slip.ts' }, join(directory, 'slip'));
    bundled = createRequire(import.meta.url)(join(directories.get('draw') ?? '', 'index.cjs'));
  }, SLOW_MS);

  test.each([
    ['a JPEG photo', USUAL_RECORD.photo],
    ['a PNG photo', makePng({ width: 90, height: 120, colourType: 6 }).toString('base64')],
    ['no photo', ''],
  ])('with %s is identical to a slip drawn without the replaced modules', async (_, photo) => {
    const input = slipInput('premium', { ...USUAL_RECORD, photo }, true);

    const slip = Buffer.from(await bundled.drawSlip(input));
    expect(slip.equals(await drawSlip(input))).toBe(true);
  });
});

describe('the SDK in a bundle', () => {
  const saved = { ...process.env };
  afterEach(() => {
    process.env = { ...saved };
  });

  test(
    'signs with the session token of the environment, and reports missing credentials',
    async () => {
      const requests: IncomingHttpHeaders[] = [];
      const server = createServer((request, response) => {
        requests.push(request.headers);
        response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{"TableNames":[]}');
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo;
      const { directories } = bundle({ probe: 'test/infra/list-tables.ts' }, join(directory, 'sdk'));
      const file = join(directories.get('probe') ?? '', 'index.cjs');
      const { listTables } = createRequire(import.meta.url)(file) as {
        listTables(endpoint: string): Promise<unknown>;
      };
      const endpoint = `http://127.0.0.1:${port}`;

      Object.assign(process.env, {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'a made-up key',
        AWS_SESSION_TOKEN: 'a made-up token',
      });
      const tables = await listTables(endpoint);
      delete process.env['AWS_ACCESS_KEY_ID'];
      const withoutCredentials = listTables(endpoint);

      await expect(withoutCredentials).rejects.toThrow('AWS credentials are missing.');
      expect(tables).toEqual([]);
      expect(requests).toHaveLength(1);
      expect(requests[0]).toMatchObject({
        'x-amz-security-token': 'a made-up token',
        authorization: expect.stringMatching(
          /Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, SignedHeaders=[^,]*x-amz-security-token/,
        ),
      });
      await new Promise((done) => server.close(done).closeAllConnections());
    },
    SLOW_MS,
  );
});

describe('the AWS clients in a bundle', () => {
  /** Runs a bundled function against a server in this process. Returns its requests and the AWS files that it read. */
  async function readsOf(source: string, call: string) {
    const requests: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers);
      response.setHeader('Content-Type', 'application/x-amz-json-1.0').end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { directories } = bundle({ probe: source }, join(directory, call));
    const file = join(directories.get('probe') ?? '', 'index.cjs');
    const recorder = fileURLToPath(new URL('recorded-reads.ts', import.meta.url));
    const code = `require(${JSON.stringify(file)}).${call}(${JSON.stringify(url)})`;
    const env = {
      HOME: directory,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'a made-up key',
      AWS_ENDPOINT_URL_DYNAMODB: url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    };
    const options = ['--no-warnings', '--import', recorder, '--input-type=commonjs', '-e', code];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, options, { env });
      const reads = (JSON.parse(stdout) as string[]).filter((path) =>
        path.startsWith(join(directory, '.aws')),
      );
      return { reads, requests };
    } finally {
      await new Promise((done) => server.close(done).closeAllConnections());
    }
  }

  test(
    "read no AWS profile files, and send no headers that only serve AWS's statistics",
    async () => {
      const { reads, requests } = await readsOf('test/infra/send-calls.ts', 'sendCalls');

      expect(reads).toEqual([]);
      expect(requests).toHaveLength(2);
      for (const headers of requests)
        expect(Object.keys(headers).sort()).toEqual([
          'amz-sdk-invocation-id',
          'amz-sdk-request',
          'authorization',
          'connection',
          'content-length',
          'content-type',
          'host',
          'x-amz-content-sha256',
          'x-amz-date',
          'x-amz-target',
        ]);
    },
    SLOW_MS,
  );

  test(
    'would read AWS profile files without explicit settings',
    async () => {
      const { reads } = await readsOf('test/infra/list-tables.ts', 'listTables');
      expect(new Set(reads)).toEqual(
        new Set([join(directory, '.aws/config'), join(directory, '.aws/credentials')]),
      );
    },
    SLOW_MS,
  );
});
