import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** The demo organisation and its keys, as `credentials.json` holds them beside `baseUrl`. */
export const demoCredentialsShape = v.object({
  organisation: v.string(),
  live: v.object({ apiKey: v.string() }),
  test: v.object({ apiKey: v.string() }),
});

export type DemoCredentials = v.InferOutput<typeof demoCredentialsShape>;

/**
 * Makes the demo organisation, or finds the one of `earlierFile` if its keys still work.
 * `environment` holds the settings of the service and the operator's credentials.
 */
export async function seedDemo(
  environment: Readonly<Record<string, string>>,
  earlierFile?: string,
): Promise<DemoCredentials> {
  const earlier = earlierFile && existsSync(earlierFile) ? readFileSync(earlierFile, 'utf8') : 'null';
  const program = fileURLToPath(new URL('seed.ts', import.meta.url));
  const env = { ...environment, PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)(process.execPath, [program, earlier], { env });
  return v.parse(demoCredentialsShape, JSON.parse(stdout));
}
