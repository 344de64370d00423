import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { buildClient } from './build.ts';
import manifest from './package.json' with { type: 'json' };

/** `npm run clients:build`. */

const FOLDER = import.meta.dirname;

const command = new Command('npm run clients:build --')
  .description('Build the TypeScript client in clients/typescript/dist.')
  .option('--package <folder>', 'write to this folder a package that npm can publish')
  .option('--repository <name>', 'the GitHub repository of the package, such as acme/identity')
  .option('--tag <tag>', 'fail unless this tag names the version, as in typescript-v1.2.3')
  .parse();

const {
  package: folder,
  repository,
  tag,
} = command.opts<{ package?: string; repository?: string; tag?: string }>();
if (tag !== undefined && tag !== `typescript-v${manifest.version}`)
  command.error(`The tag ${tag} does not name the version ${manifest.version}.`);

if (folder === undefined) await buildClient(join(FOLDER, 'dist'));
else {
  const target = resolve(folder);
  await buildClient(join(target, 'dist'));
  for (const name of ['CHANGELOG.md', 'LICENSE']) cpSync(join(FOLDER, name), join(target, name));
  writeFileSync(join(target, 'README.md'), publicReadme(repository));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publicManifest(repository), null, 2)}\n`);
}

/** npm compares its repository with the one of the build. */
function publicManifest(name: string | undefined): object {
  const { private: _, ...rest } = manifest;
  if (name === undefined) return rest;
  const url = `git+https://github.com/${name}.git`;
  return { ...rest, repository: { type: 'git', url, directory: 'clients/typescript' } };
}

/**
 * Links to files outside this folder lead to the repository at the version's tag, or lose their address without one.
 */
function publicReadme(name: string | undefined): string {
  const folder = new URL('file:///clients/typescript/');
  return readFileSync(join(FOLDER, 'README.md'), 'utf8').replaceAll(
    /\[([^\]]+)\]\((\.\.\/[^)]+)\)/g,
    (_, text: string, link: string) => {
      if (name === undefined) return text;
      const { pathname, hash } = new URL(link, folder);
      return `[${text}](https://github.com/${name}/blob/typescript-v${manifest.version}${pathname}${hash})`;
    },
  );
}
