import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { bundle } from '../../infra/bundle/bundle.ts';
import { FUNCTION_NAMES } from '../../infra/routes.ts';

/** What we did not write: the packages that are installed, and what of them is deployed (reference list S49). */

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** The path of a package as Node finds it from another one; undefined where the lock file lacks it. */
function pathFrom(from: string, name: string): string | undefined {
  const parts = from === '' ? [] : from.split('/node_modules/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const place = [...parts.slice(0, depth), name].join('/node_modules/');
    const path = depth === 0 ? `node_modules/${name}` : place;
    if (packages[path]) return path;
  }
  return undefined;
}

describe('S49: the lock file', () => {
  test('names one exact version of each package', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const [path, { version }] of locked) expect([path, version]).toEqual([path, expect.any(String)]);
  });

  test('has every optional dependency of every package, for all platforms', () => {
    const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [path, name, pathFrom(path, name)] as const),
    );
    expect(wanted.length).toBeGreaterThan(50);
    // Without one, `npm ci` refuses the lock file where that platform is.
    expect(wanted.filter(([, , found]) => !found || !packages[found]?.version)).toEqual([]);
  });

  test('holds the checksum of every package that any platform installs, and no download address', () => {
    const unsure = locked.filter(
      ([, { integrity, inBundle, os, cpu }]) => !integrity && !inBundle && !os && !cpu,
    );
    expect(unsure.map(([path]) => path)).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });

  test('has install scripts only of packages about which it was decided', () => {
    const scripted = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1));
    expect(new Set(scripted)).toEqual(new Set(Object.keys(manifest.allowScripts)));
    // Two programs that are downloaded as binaries: the Node that runs everything, and the bundler.
    const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed.map(([name]) => name).sort()).toEqual(['esbuild', 'node']);
  });
});

describe('S49: what is deployed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'deployed-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const sources = Object.fromEntries(FUNCTION_NAMES.map((name) => [name, `functions/${name}.ts`]));
  const { metafile } = bundle(sources, directory);
  const inputs = Object.keys(metafile.inputs);

  test('comes from the packages that were chosen for it, and no package of development', () => {
    const used = new Set(
      inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    );
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => name in manifest.devDependencies && name !== '@smithy/types')).toEqual(
      [],
    );
    // A package of ours is chosen in package.json, or comes with the AWS SDK, Powertools or pdf-lib.
    const strangers = [...used].filter(
      (name) =>
        !(name in manifest.dependencies) &&
        !/^(@aws-sdk|@smithy|@aws|@aws-lambda-powertools|@pdf-lib)\//.test(name),
    );
    expect(strangers.sort()).toEqual(COMING_ALONG);
  });

  test('holds no test, no stand-in of AWS, no command line', () => {
    expect(
      inputs.filter((path) => /^(test|clients|infra\/(admin|local|stacks|constructs))\//.test(path)),
    ).toEqual([]);
  });

  test('holds nothing that writes calls or their contents into traces', () => {
    expect(inputs.filter((path) => /aws-xray-sdk|powertools\/tracer|opentelemetry/.test(path))).toEqual([]);
  });

  test('holds no secret, no key and no path of the machine that built it', () => {
    const bundles = globSync('*/index.cjs', { cwd: directory }).map((file) => join(directory, file));
    expect(bundles).toHaveLength(FUNCTION_NAMES.length);
    for (const file of bundles) {
      const text = readFileSync(file, 'utf8');
      expect(text).not.toMatch(
        /AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY|sk_(live|test)_\w{8}/,
      );
      expect(text).not.toMatch(/idv_(live|test)_[0-9A-Za-z]{48}/);
      expect(text).not.toContain(process.cwd());
      expect(text).not.toMatch(/\/(home|root|Users)\/[a-z]/);
    }
  });
});

/** What comes with those packages under another name: Middy's helpers, and the SDK's reader of user agents. */
const COMING_ALONG = ['@middy/util', 'bowser'];
