import { join } from 'node:path';
import { setting } from '../../shared/core/config.ts';
import { serveSite } from '../../shared/http/console/site.ts';
import { readSiteFiles } from '../../shared/http/console/site-files.ts';

/** Serves the pages of the console, and rejects requests for paths and methods that the console does not have. */
export const handler = serveSite(readSiteFiles(join(setting('LAMBDA_TASK_ROOT'), 'site')));
