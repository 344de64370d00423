import { createServer } from 'node:http';
import { join } from 'node:path';
import { type Listening, listen, readBody } from '../../../infra/local/http-server.ts';
import { mustRun } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Emulator } from './emulator.ts';
import { versionOf } from './lambda-versions.ts';

const PROGRAM = join(import.meta.dirname, 'run-operator-function.ts');
const LIMIT_BYTES = 100_000;
const OPERATOR = 'arn:aws:sts::123456789012:assumed-role/identity-prod-operator/rehearsal';

/**
 * Serves the operator API of prod, because moto runs no functions. Each request runs its function in a process of its
 * own, with the environment that was deployed. Signatures and policies are not checked.
 */
export function startOperatorApi(emulator: () => Emulator): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const body = String((await readBody(request, LIMIT_BYTES)) ?? '');
    const { statusCode, body: text } = await reply(emulator(), (request.url ?? '').slice(1), body).catch(
      ({ message }: Error) => ({ statusCode: 500, body: JSON.stringify({ message }) }),
    );
    response.writeHead(statusCode, { 'Content-Type': 'application/json' }).end(text);
  });
  return listen(server);
}

async function reply(emulator: Emulator, path: string, body: string) {
  const name = path.replace('/', '-');
  const deployed = await versionOf(emulator, `operators-${name}`);
  if (!deployed) throw new Error(`The emulator has no function for ${path}.`);
  const event = {
    multiValueHeaders: { 'Content-Type': ['application/json'] },
    body,
    requestContext: { identity: { userArn: OPERATOR } },
  };
  const { endpoint } = emulator.settings;
  const env = {
    ...emulator.environment,
    ...deployed.Environment.Variables,
    // Functions read only the variables of single services.
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    AWS_ENDPOINT_URL_LAMBDA: endpoint,
  };
  const output = await mustRun(process.execPath, [PROGRAM, name, JSON.stringify(event)], { cwd: ROOT, env });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as { statusCode: number; body: string };
}
