import { run, type Surroundings } from '../../clients/operator/preflight/program.ts';
import type { Row } from '../../clients/operator/preflight/rows.ts';
import { REGION, TEMPLATE } from './account-double.ts';
import { captureOutput } from './captured-output.ts';
import { HEALTHY_DNS, NOW_MS, prodConfig } from './preflight-stage.ts';

export interface PreflightRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the preflight in this process, with the AWS SDK clients that the CLI uses, against an AWS endpoint. */
export async function runPreflight(
  endpoint: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<PreflightRun> {
  const variables = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'example',
    AWS_MAX_ATTEMPTS: '1',
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  const output = captureOutput();
  try {
    const defaults = {
      configOf: () => prodConfig(),
      dns: HEALTHY_DNS,
      tables: async () => TEMPLATE,
      nowMs: NOW_MS,
    };
    const code = await run(args, { ...defaults, ...surroundings });
    return { code, stdout: output.stdout, stderr: output.stderr };
  } finally {
    output.restore();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

export async function rowsOf(
  endpoint: string,
  surroundings: Surroundings = {},
  ...options: readonly string[]
): Promise<readonly Row[]> {
  const { stdout } = await runPreflight(endpoint, ['--stage', 'prod', '--json', ...options], surroundings);
  return JSON.parse(stdout) as Row[];
}
