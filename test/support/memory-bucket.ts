import type { S3Bucket, VersionPage } from '../../shared/core/bucket.ts';

/** A bucket in memory with versions, as S3 shows them. `hide` and `replace` do what only an administrator can do. */
export function memoryBucket() {
  const objects = new Map<string, { readonly versionId: string; readonly text: string | undefined }[]>();
  let versions = 0;
  let failure: Error | undefined;
  const add = (key: string, text: string | undefined) => {
    versions += 1;
    objects.set(key, [{ versionId: `v${versions}`, text }, ...(objects.get(key) ?? [])]);
  };
  const bucket: S3Bucket = {
    name: 'archive',
    put: async (key, { text }) => add(key, text),
    async putNew(key, { text }) {
      if (failure) throw failure;
      if (objects.get(key)?.[0]?.text !== undefined) return false;
      add(key, text);
      return true;
    },
    async get(key, versionId) {
      const all = objects.get(key) ?? [];
      const found = all.find((one) => versionId === undefined || one.versionId === versionId);
      if (found?.text === undefined) throw new Error(`There is no object ${key}.`);
      return found.text;
    },
    async *listVersions(prefix, { after = '', delimiter } = {}): AsyncGenerator<VersionPage> {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
      if (delimiter) {
        const folders = keys.map((key) => key.slice(0, key.indexOf(delimiter, prefix.length) + 1));
        yield { versions: [], prefixes: [...new Set(folders)] };
        return;
      }
      // One key per page, so that callers must read all pages.
      for (const key of keys)
        yield {
          versions: (objects.get(key) ?? []).map(({ versionId, text }) => ({
            key,
            versionId,
            isDeletion: text === undefined,
          })),
          prefixes: [],
        };
    },
  };
  return {
    bucket,
    keys: () => [...objects.keys()].sort(),
    json: async (key: string): Promise<unknown> => JSON.parse(await bucket.get(key)),
    fail: (error: Error | undefined) => {
      failure = error;
    },
    hide: (key: string) => add(key, undefined),
    replace: (key: string, content: unknown) => add(key, JSON.stringify(content)),
  };
}
