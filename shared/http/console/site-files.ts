import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** Built files with compressed variants (`main-4F2A9C01.js`, `.js.br`, `.js.gz`). */

/** In order of preference. */
export const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type SiteEncoding = keyof typeof ENCODINGS | 'identity';

export interface SiteFile {
  readonly contentType: string;
  /** A hash in the name: cached without revalidation. */
  readonly isImmutable: boolean;
  readonly variants: ReadonlyMap<SiteEncoding, SiteVariant>;
}

export interface SiteVariant {
  readonly body: Buffer;
  readonly etag: string;
}

/** By path, such as `/main-4F2A9C01.js`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>;

/** The page for paths without a file. */
export const SITE_INDEX = '/index.html';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** As esbuild names files: `main-4F2A9C01.js`. */
const HASHED_NAME = /-[A-Z0-9]{8}\.[a-z0-9]+$/;

/** Requests find files only in this map. Throws if the index is missing or a file has an unknown type. */
export function readSiteFiles(directory: string): SiteFiles {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const suffixes = Object.values(ENCODINGS);
  const plain = paths.filter((path) => !suffixes.some((suffix) => path.endsWith(suffix)));
  const files = new Map(
    plain.map((path) => [`/${relative(directory, path).split(sep).join('/')}`, readSiteFile(path, paths)]),
  );
  if (!files.has(SITE_INDEX)) throw new Error(`The pages of the console have no ${SITE_INDEX}.`);
  return files;
}

function readSiteFile(path: string, paths: readonly string[]): SiteFile {
  const contentType = CONTENT_TYPES[extname(path)];
  if (!contentType) throw new Error(`The file ${path} of the console has no known content type.`);
  const compressed = Object.entries(ENCODINGS).filter(([, suffix]) => paths.includes(path + suffix));
  const variants = [
    ...compressed.map(([encoding, suffix]) => [encoding as SiteEncoding, path + suffix] as const),
    ['identity' as const, path] as const,
  ];
  return {
    contentType,
    isImmutable: HASHED_NAME.test(path),
    variants: new Map(variants.map(([encoding, file]) => [encoding, readVariant(file)])),
  };
}

function readVariant(file: string): SiteVariant {
  const body = readFileSync(file);
  // Each variant has its own tag (RFC 9110, 8.8.3).
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
