import { createServer } from 'node:http';
import { listen, readBody } from '../../infra/local/http-server.ts';

export interface SecretDouble {
  /** The number of further calls that get no response. */
  hangs: number;
  answered: number;
  close(): Promise<void>;
}

/** Starts a test double for Secrets Manager that returns this secret to handlers that run in this process. */
export async function startSecretDouble(input: object): Promise<SecretDouble> {
  const double = { hangs: 0, answered: 0 };
  const server = createServer(async (request, response) => {
    await readBody(request, 100_000);
    if (double.hangs > 0) {
      double.hangs -= 1;
      return;
    }
    double.answered += 1;
    response.setHeader('Content-Type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ SecretString: JSON.stringify(input) }));
  });
  const { url, close } = await listen(server);
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    SLIP_SECRET: 'arn:aws:secretsmanager:af-south-1:000000000000:secret:slip',
  });
  return Object.assign(double, { close });
}
