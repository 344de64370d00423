import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

/** Runs the fixture app in its own process, which a test ends with a signal. Arguments: the work and data directories. */
const [workDirectory = '', dataDirectory] = process.argv.slice(2);
const service = await startLocalService({
  workDirectory,
  ...(dataDirectory !== undefined && { dataDirectory }),
  projectDirectory: FIXTURE,
  seed: false,
});
await fetch(`${service.baseUrl}/v1/probe`);
process.stdout.write('started\n');
