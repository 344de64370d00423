import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// cspell:ignore normalize serialize
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { Metafile } from 'esbuild';
import { PackageURL } from 'packageurl-js';
import type { Bundles } from './bundle.ts';

/** Paths of packages are relative to the project. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage | undefined>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  /** `sha512-<base64>` of the published archive. */
  readonly integrity?: string;
}

/** Of slips. */
const FONTS = /^shared\/pdf\/fonts\/.+\.font\.json$/;
const FONT_LICENCE = 'OFL-1.1';

/** Such as `(MIT OR Apache-2.0)`. */
const SPDX_EXPRESSION = /^\(?[\w.+-]+(?: (?:OR|AND|WITH) [\w.+-]+)+\)?$/;

const { ComponentType, HashAlgorithm } = Enums;

/**
 * Returns the bill of materials of bundles, as CycloneDX 1.6 in JSON: each bundle with its checksum, each package with
 * code in a bundle, and each font. Packages whose code the bundler left out are not listed. The same bundles produce
 * the same text, so it contains neither a time nor a serial number. `root` is the folder of the project. Throws if the
 * version of an installed package is not the one in the lock file.
 */
export function billOfMaterials({ directories, metafile }: Bundles, lock: Lock, root: string): string {
  const version = lock.packages['']?.version;
  const application = new Models.Component(ComponentType.Application, 'identity-verification-service', {
    bomRef: 'service',
    ...(version && { version }),
  });
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: application }) });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => partsWithCode(inputs));
  const parts = new Map([...new Set(used)].map((part) => [part, componentOf(part, lock, root)]));
  for (const [name, directory] of directories) {
    const bundle = new Models.Component(ComponentType.Application, name, {
      bomRef: `bundle:${name}`,
      hashes: sha256(join(directory, 'index.cjs')),
    });
    addAll(bundle.dependencies, partsWithCode(outputOf(metafile, name).inputs), parts);
    application.dependencies.add(bundle.bomRef);
    bom.components.add(bundle);
  }
  for (const [part, component] of parts) {
    addAll(component.dependencies, importsOf(part, metafile), parts);
    bom.components.add(component);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function outputOf({ outputs }: Metafile, name: string): Metafile['outputs'][string] {
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.cjs`)) ?? [];
  if (!output) throw new Error(`The bundler reported no output for ${name}.`);
  return output;
}

/**
 * Undefined for other code of the project. The bundler follows links, so packages may be outside the project.
 */
function partOf(path: string): string | undefined {
  if (FONTS.test(path)) return path;
  return /(?:^|\/)(node_modules\/(?:.+\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function partsWithCode(inputs: Metafile['outputs'][string]['inputs']): string[] {
  return Object.entries(inputs).flatMap(([path, input]) =>
    input['bytesInOutput'] > 0 ? (partOf(path) ?? []) : [],
  );
}

function importsOf(part: string, { inputs }: Metafile): string[] {
  return Object.entries(inputs)
    .filter(([path]) => partOf(path) === part)
    .flatMap(([, { imports }]) => imports.flatMap(({ path }) => partOf(path) ?? []))
    .filter((imported) => imported !== part);
}

function addAll(
  references: Models.BomRefRepository,
  names: readonly string[],
  parts: ReadonlyMap<string, Models.Component>,
): void {
  for (const name of names) {
    const component = parts.get(name);
    if (component) references.add(component.bomRef);
  }
}

function componentOf(part: string, lock: Lock, root: string): Models.Component {
  if (FONTS.test(part))
    return new Models.Component(ComponentType.File, part, {
      bomRef: part,
      hashes: sha256(join(root, part)),
      licenses: licenceOf(FONT_LICENCE),
    });
  const { version, license, integrity } = lock.packages[part] ?? {};
  const installed = JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8')) as LockedPackage;
  if (!version || !integrity || version !== installed.version)
    throw new Error(
      `The installed version of ${part}, ${installed.version}, is not in package-lock.json. Run npm ci.`,
    );
  const [name = '', group] =
    part
      .split(/.*node_modules\//)[1]
      ?.split('/')
      .reverse() ?? [];
  const purl = new PackageURL('npm', group, name, version).toString();
  return new Models.Component(ComponentType.Library, name, {
    bomRef: part,
    version,
    purl,
    ...(group && { group }),
    hashes: sha512(integrity),
    licenses: licenceOf(license),
  });
}

/** Of the published archive, as `npm sbom` lists it. */
function sha512(integrity: string): Models.HashDictionary {
  const [, content = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return new Models.HashDictionary([
    [HashAlgorithm['SHA-512'], Buffer.from(content, 'base64').toString('hex')],
  ]);
}

/** As an SPDX identifier or expression, or unchanged. */
function licenceOf(text: string | undefined): Models.LicenseRepository {
  if (!text) return new Models.LicenseRepository();
  if (SPDX.isSupportedSpdxId(text)) return new Models.LicenseRepository([new Models.SpdxLicense(text)]);
  const license = SPDX_EXPRESSION.test(text)
    ? new Models.LicenseExpression(text)
    : new Models.NamedLicense(text);
  return new Models.LicenseRepository([license]);
}

/** SHA-256. */
export function checksum(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function sha256(file: string): Models.HashDictionary {
  return new Models.HashDictionary([[HashAlgorithm['SHA-256'], checksum(file)]]);
}
