import { run } from '../../support/programs.ts';

export interface CheckContext {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** An empty folder for the check. */
  readonly directory: string;
}

/** The environment of a program that calls the service. */
export function environment({ baseUrl, apiKey }: CheckContext): NodeJS.ProcessEnv {
  return { ...process.env, BASE_URL: baseUrl, API_KEY: apiKey };
}

/** A check of docs/openapi.json with tools that this project does not install. */
export interface Check {
  readonly name: string;
  /** Programs that must be installed. Without one of them, the check is skipped. */
  readonly programs: readonly string[];
  /** Downloads the tool that the check runs. If that fails, the check is skipped. */
  readonly download: (context: CheckContext) => Promise<unknown>;
  /** Throws if the check fails. */
  readonly check: (context: CheckContext) => Promise<void>;
}

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped' | 'failed'; readonly reason: string };

/** Runs a check. Returns whether it passed, or why it did not. */
export async function outcomeOf(
  { programs, download, check }: Check,
  context: CheckContext,
): Promise<Outcome> {
  for (const program of programs)
    if (!(await isInstalled(program))) return { kind: 'skipped', reason: `${program} is not installed` };
  try {
    await download(context);
  } catch (error) {
    return { kind: 'skipped', reason: `the tool cannot be downloaded: ${messageOf(error)}` };
  }
  try {
    await check(context);
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
  return { kind: 'passed' };
}

async function isInstalled(program: string): Promise<boolean> {
  const { code } = await run('sh', ['-c', `command -v ${program}`]);
  return code === 0;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
