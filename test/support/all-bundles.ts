import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Bundles, bundle } from '../../infra/bundle/bundle.ts';
import { FUNCTION_NAMES, FUNCTION_SOURCES } from '../../infra/function-sources.ts';
import { onceInRun } from './once-in-run.ts';
import { RUN_DIRECTORY } from './run-directory.ts';

/**
 * The bundles of all functions. Bundling takes 10 s of processor time, so the test files of a run share the bundles of
 * the local service or, if none was started, bundle once.
 */

const service = process.env['LOCAL_SERVICE_FILE'];
/** As in a directory that `cdk synth` has written, the folder `bundles` contains a folder for each function. */
export const BUNDLED_APP = service ? join(dirname(service), 'cdk.out') : RUN_DIRECTORY;

/** Returns the bundles of all functions. Test files must not change them. */
export async function allBundles(): Promise<Bundles> {
  const directory = service
    ? join(BUNDLED_APP, 'bundles')
    : await onceInRun('bundles', (made) => void bundle(FUNCTION_SOURCES, made));
  return {
    directories: new Map(FUNCTION_NAMES.map((name) => [name, join(directory, name)])),
    metafile: JSON.parse(readFileSync(join(directory, 'metafile.json'), 'utf8')),
  };
}
