import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { buildClient } from './build.ts';
import manifest from './package.json' with { type: 'json' };

/** `npm run clients:build`: builds the TypeScript client, or writes the package to publish. */

const FOLDER = import.meta.dirname;

const command = new Command('npm run clients:build --')
  .description('Build the TypeScript client in clients/typescript/dist.')
  .option('--package <folder>', 'write the package to publish, which is not private, to this folder instead')
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
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE']) cpSync(join(FOLDER, name), join(target, name));
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(publicManifest(repository), null, 2)}\n`);
}

/** The manifest to publish. npm compares its repository with the one that builds the package. */
function publicManifest(name: string | undefined): object {
  const { private: _, ...rest } = manifest;
  if (name === undefined) return rest;
  const url = `git+https://github.com/${name}.git`;
  return { ...rest, repository: { type: 'git', url, directory: 'clients/typescript' } };
}
