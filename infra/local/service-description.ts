import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DemoCredentials, seedDemo } from './seed.ts';

/** What another process needs to use a running service; `service.json` in the work directory holds it. */
export interface ServiceDescription {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** Everything that functions write, and what the platform says about them. */
  readonly logFile: string;
  /** Settings of the service (table names and so on) and credentials that may do everything, for SDK clients. */
  readonly adminAwsEnvironment: Readonly<Record<string, string>>;
  /** Absent where the service was started without the demo organisation. */
  readonly credentials?: DemoCredentials;
}

/** In the work directory, while the service runs. */
export const SERVICE_FILE = 'service.json';
const CREDENTIALS_FILE = 'credentials.json';

/** Makes the demo organisation, where a client for it is given, and writes down what other processes need to use the service. */
export async function describeService(
  bare: ServiceDescription,
  { workDirectory, dataDirectory }: { workDirectory: string; dataDirectory: string | undefined },
  client: DynamoDBClient | undefined,
): Promise<ServiceDescription> {
  const serviceFile = join(workDirectory, SERVICE_FILE);
  if (!client) {
    writePrivate(serviceFile, bare);
    return bare;
  }
  // Keys are shown once: who keeps tables keeps their keys beside them.
  const keptFile = dataDirectory && join(dataDirectory, CREDENTIALS_FILE);
  const credentials = await seedDemo(client, bare.adminAwsEnvironment, keptFile);
  const description = { ...bare, credentials };
  if (keptFile) writePrivate(keptFile, credentials);
  writePrivate(join(workDirectory, CREDENTIALS_FILE), { baseUrl: bare.baseUrl, ...credentials });
  writePrivate(serviceFile, description);
  return description;
}

/** Replaces a file that only the user may read: keys stand in it. */
function writePrivate(file: string, content: unknown): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}
