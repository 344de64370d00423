import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { billOfMaterials, checksum, type Lock } from '../../infra/bundle/bill-of-materials.ts';
import type { Bundles } from '../../infra/bundle/bundle.ts';
import { checkBundles } from '../../infra/bundle/sbom.ts';
import { FUNCTION_NAMES } from '../../infra/function-sources.ts';
import { allBundles, BUNDLED_APP } from '../support/all-bundles.ts';
import { run } from '../support/programs.ts';

/** Bundling takes seconds of processor time, and longer on a busy machine. */
const SLOW_MS = 600_000;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'infra/bundle/sbom.ts');

interface Hash {
  readonly alg: string;
  readonly content: string;
}

interface Part {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly 'bom-ref': string;
  readonly hashes?: readonly Hash[];
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string };
    readonly expression?: string;
  }[];
}

interface Bill {
  readonly components: readonly Part[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const directory = mkdtempSync(join(tmpdir(), 'bill-'));
afterAll(() => rmSync(directory, { recursive: true }));

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
let bundles: Bundles;
let text: string;
let bill: Bill;
/** The parts of each bundle, read once because parsing all source maps takes seconds. */
let partsOf: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  bundles = await allBundles();
  text = billOfMaterials(bundles, lock, ROOT);
  bill = JSON.parse(text) as Bill;
  partsOf = new Map(FUNCTION_NAMES.map((name) => [name, partsInSourceMap(name)]));
}, SLOW_MS);

/** Returns the packages and fonts in a bundle's source map, which does not depend on the bundler's report. */
function partsInSourceMap(name: string): string[] {
  const file = join(bundles.directories.get(name) ?? '', 'index.cjs.map');
  const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
  const parts = sources.flatMap((source) => {
    const [, path] = /node_modules\/(.+)$/.exec(source) ?? [];
    if (path) return `node_modules/${/^(?:.+\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]}`;
    return /shared\/pdf\/fonts\/.+\.json$/.exec(source)?.[0] ?? [];
  });
  return [...new Set(parts)].sort();
}

const parts = (type: string) => bill.components.filter((part) => part.type === type);

describe('the bill of materials', () => {
  test('is valid CycloneDX 1.6, according to a validator that rejects an invalid document', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(text)).toBeNull();
    expect(await validator.validate(text.replace('"library"', '"a library"'))).not.toBeNull();
  });

  test('lists every package and font that is in a bundle, and no others', () => {
    const expected = new Set([...partsOf.values()].flat());
    const listed = [...parts('library'), ...parts('file')].map((part) => part['bom-ref']);
    expect(listed.sort()).toEqual([...expected].sort());
    expect(listed).toContain('node_modules/valibot');
    expect(listed).toContain('node_modules/pdf-lib/node_modules/tslib');
    // Imported, but the bundler leaves out all of its code.
    expect(listed).not.toContain('node_modules/bowser');
  });

  test.each(FUNCTION_NAMES)('lists the packages and fonts in %s', (name) => {
    const { dependsOn = [] } = bill.dependencies.find(({ ref }) => ref === `bundle:${name}`) ?? {};
    expect([...dependsOn].sort()).toEqual(partsOf.get(name));
  });

  test('has the version, licence and published checksum of each package', () => {
    for (const part of parts('library')) {
      const path = part['bom-ref'];
      const installed = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
      const [licence] = part.licenses ?? [];
      const [hash] = part.hashes ?? [];
      const stated = licence?.license?.id ?? licence?.expression;
      expect([path, part.version, stated]).toEqual([path, installed.version, installed.license]);
      expect(part.purl).toBe(`pkg:npm/${installed.name.replace('@', '%40')}@${installed.version}`);
      expect(hash?.alg).toBe('SHA-512');
      const integrity = `sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`;
      expect([path, integrity]).toEqual([path, lock.packages[path]?.integrity]);
    }
  });

  test('has the checksum of each bundle', () => {
    const listed = parts('application').map(({ name, hashes }) => [name, hashes?.[0]?.content]);
    const expected = FUNCTION_NAMES.map((name) => [
      name,
      checksum(join(bundles.directories.get(name) ?? '', 'index.cjs')),
    ]);
    expect(listed.sort()).toEqual(expected.sort());
  });

  test('is not created if an installed package differs from the lock file', () => {
    const path = 'node_modules/valibot';
    const other = { ...lock.packages[path], version: '0.0.1' };
    for (const changed of [undefined, other])
      expect(() =>
        billOfMaterials(bundles, { packages: { ...lock.packages, [path]: changed } }, ROOT),
      ).toThrow(/The installed version of node_modules\/valibot, .*Run npm ci/);
  });
});

describe('npm run sbom', () => {
  const sbom = (...args: string[]) => run(process.execPath, [PROGRAM, ...args], { cwd: ROOT });

  test(
    'writes the bill of materials of a synthesised app',
    async () => {
      const output = join(directory, 'new/sbom.cdx.json');
      expect(await sbom('--output', output, '--app', BUNDLED_APP)).toEqual({
        code: 0,
        output: `Wrote ${output}\n`,
      });
      expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual(bill);
    },
    SLOW_MS,
  );

  test('names each bundle of a synthesised app that differs from the newly built one', () => {
    const app = join(directory, 'changed');
    for (const file of globSync('*/{index.cjs,start.mjs}', { cwd: join(BUNDLED_APP, 'bundles') })) {
      mkdirSync(join(app, 'bundles', file, '..'), { recursive: true });
      const code = readFileSync(join(BUNDLED_APP, 'bundles', file), 'utf8');
      writeFileSync(join(app, 'bundles', file), file === 'health/index.cjs' ? `${code};` : code);
    }
    expect(() => checkBundles(app, bundles.directories)).toThrow(
      `Some bundles in ${app} differ: health. Run cdk synth`,
    );
    expect(() => checkBundles(BUNDLED_APP, bundles.directories)).not.toThrow();
  });

  test('names a bundle that is missing, and writes nothing', async () => {
    const output = join(directory, 'none.json');
    const result = await sbom('--output', output, '--app', join(directory, 'nowhere'));
    expect(result.code).toBe(1);
    expect(result.output).toMatch(
      /nowhere has no bundle of \S+\. Specify a directory that cdk synth has written\./,
    );
    expect(globSync(output)).toEqual([]);
  });
});
