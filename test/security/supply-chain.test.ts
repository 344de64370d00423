import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { FUNCTION_NAMES } from '../../infra/function-sources.ts';
import { allBundles } from '../support/all-bundles.ts';

/** The packages that are installed, and those that are deployed (S49). */

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

/** Returns the path at which Node finds a package that another one imports, or undefined if it is not locked. */
function pathFrom(from: string, name: string): string | undefined {
  const input = from === '' ? [] : from.split('/node_modules/');
  for (let depth = input.length; depth >= 0; depth -= 1) {
    const index = [...input.slice(0, depth), name].join('/node_modules/');
    const path = depth === 0 ? `node_modules/${name}` : index;
    if (packages[path]) return path;
  }
  return undefined;
}

describe('S49: the lock file', () => {
  test('names one exact version of each package', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version).toMatch(/^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/);
    for (const [path, { version }] of locked) expect([path, version]).toEqual([path, expect.any(String)]);
  });

  test('has every optional dependency of every package, for all platforms', () => {
    const expected = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [path, name, pathFrom(path, name)] as const),
    );
    expect(expected.length).toBeGreaterThan(50);
    // `npm ci` rejects the lock file on a platform that needs a package without a version.
    expect(expected.filter(([, , found]) => !found || !packages[found]?.version)).toEqual([]);
  });

  test('has the checksum of every package that all platforms install, and no download URL', () => {
    const unchecked = locked.filter(
      ([, { integrity, inBundle, os, cpu }]) => !integrity && !inBundle && !os && !cpu,
    );
    expect(unchecked.map(([path]) => path)).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
  });

  test('has install scripts only for packages that allowScripts lists', () => {
    const scripted = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1));
    expect(new Set(scripted)).toEqual(new Set(Object.keys(manifest.allowScripts)));
    // Only two packages may run their install scripts, which provide binaries: Node and the bundler.
    const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed.map(([name]) => name).sort()).toEqual(['esbuild', 'node']);
  });
});

describe('S49: what is deployed', () => {
  let inputs: string[];
  let files: string[];
  beforeAll(async () => {
    const { directories, metafile } = await allBundles();
    inputs = Object.keys(metafile.inputs);
    files = [...directories.values()].map((directory) => join(directory, 'index.cjs'));
  });

  test('comes from chosen packages, and from no development package', () => {
    const used = new Set(
      inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
    );
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => name in manifest.devDependencies && name !== '@smithy/types')).toEqual(
      [],
    );
    // Chosen packages are in package.json, or come with the AWS SDK, Powertools or pdf-lib.
    const unknown = [...used].filter(
      (name) =>
        !(name in manifest.dependencies) &&
        !/^(@aws-sdk|@smithy|@aws|@aws-lambda-powertools|@pdf-lib)\//.test(name),
    );
    expect(unknown.sort()).toEqual(INDIRECT_PACKAGES);
  });

  test('contains no code from the tests, the clients, the CLI, the local runtime or the CDK app', () => {
    expect(
      inputs.filter((path) => /^(test|clients|infra\/(admin|local|stacks|constructs))\//.test(path)),
    ).toEqual([]);
  });

  test('contains no package that writes calls or their contents into traces', () => {
    expect(inputs.filter((path) => /aws-xray-sdk|powertools\/tracer|opentelemetry/.test(path))).toEqual([]);
  });

  test('contains no secret, no key and no path of the build machine', () => {
    expect(files).toHaveLength(FUNCTION_NAMES.length);
    for (const file of files) {
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

/**
 * Other packages, on which the chosen ones depend: Middy's helpers, the SDK's user agent parser, and the packages that
 * openid-client uses for tokens and OAuth.
 */
const INDIRECT_PACKAGES = ['@middy/util', 'bowser', 'jose', 'oauth4webapi'];
