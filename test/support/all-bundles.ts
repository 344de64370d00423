import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Bundles, bundle } from '../../infra/bundle/bundle.ts';
import { FUNCTION_NAMES, FUNCTION_SOURCES } from '../../infra/function-sources.ts';
import { RUN_DIRECTORY } from './run-directory.ts';

/** Bundles all functions once for all test files of a run, because bundling takes 20 s of processor time. */

/** As in a directory that `cdk synth` has written, the folder `bundles` contains a folder for each function. */
export const BUNDLED_APP = RUN_DIRECTORY;
const DIRECTORY = join(BUNDLED_APP, 'bundles');
const METAFILE = join(DIRECTORY, 'metafile.json');
const LOCK = join(RUN_DIRECTORY, 'bundles.lock');

/** Returns the bundles of all functions. Test files must not change them. */
export async function allBundles(): Promise<Bundles> {
  while (!existsSync(METAFILE)) {
    // While another worker bundles, this one waits, which leaves the processor to the other.
    if (hasLock()) bundleAll();
    else await setTimeout(200);
  }
  return {
    directories: new Map(FUNCTION_NAMES.map((name) => [name, join(DIRECTORY, name)])),
    metafile: JSON.parse(readFileSync(METAFILE, 'utf8')),
  };
}

function hasLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}

function bundleAll(): void {
  try {
    const { metafile } = bundle(FUNCTION_SOURCES, DIRECTORY);
    // Other workers read the file as soon as it has its final name.
    writeFileSync(`${METAFILE}.new`, JSON.stringify(metafile));
    renameSync(`${METAFILE}.new`, METAFILE);
  } finally {
    rmdirSync(LOCK);
  }
}
