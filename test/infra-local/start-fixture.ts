import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

/** Starts the fixture app in a process of its own, which a test then kills. Argument: the work directory. */
const service = await startLocalService({
  workDirectory: process.argv[2] ?? '',
  projectDirectory: FIXTURE,
  seed: false,
});
await fetch(`${service.baseUrl}/v1/probe`);
process.stdout.write('started\n');
