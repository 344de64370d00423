import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

/** Runs the fixture app in its own process, which a test ends with a signal. Argument: the work directory. */
const service = await startLocalService({
  workDirectory: process.argv[2] ?? '',
  projectDirectory: FIXTURE,
  seed: false,
});
await fetch(`${service.baseUrl}/v1/probe`);
process.stdout.write('started\n');
