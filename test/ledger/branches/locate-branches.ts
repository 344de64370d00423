import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Node } from '@babel/types';
import { parseSource, ROOT } from '../../house/project.ts';
import { branchesOf } from './find-branches.ts';

export interface LocatedBranch {
  readonly name: string;
  readonly offset: number;
}

/** Locates the branches of these source files in a bundle with a source map next to it. */
export async function locateBranches(bundle: string, files: readonly string[]): Promise<LocatedBranch[]> {
  const offsets = await offsetsIn(bundle);
  const sources = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(ROOT, file), 'utf8') })),
  );
  return sources.flatMap(({ file, text }) => {
    const locate = (name: string, nodes: readonly Node[]) => {
      for (const { loc } of nodes) {
        const offset = offsets.get(`${file}:${loc?.start.line}:${loc?.start.column}`);
        if (offset !== undefined) return offset;
      }
      throw new Error(`The branch was not found in the bundle: ${name}`);
    };
    return branchesOf(parseSource(file, text), text).map(({ name, at }) => ({
      name,
      offset: locate(name, at),
    }));
  });
}

/** Returns the bundle offset of every source position in the source map, by `file:line:column`. */
async function offsetsIn(bundle: string): Promise<Map<string, number>> {
  const text = await readFile(bundle, 'utf8');
  const map = new SourceMap(JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as SourceMapPayload);
  const offsets = new Map<string, number>();
  let offset = 0;
  for (const [line, content] of text.split('\n').entries()) {
    for (let column = 0; column < content.length; column += 1) {
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry)) continue;
      if (entry.generatedLine !== line || entry.generatedColumn !== column) continue;
      const file = relative(ROOT, join(dirname(bundle), entry.originalSource));
      // The map may point to the space before the code, which belongs to the branch around it.
      const [space = ''] = /^\s*/.exec(content.slice(column)) ?? [];
      const position = `${file}:${entry.originalLine + 1}:${entry.originalColumn}`;
      if (!offsets.has(position)) offsets.set(position, offset + column + space.length);
    }
    offset += content.length + 1;
  }
  return offsets;
}
