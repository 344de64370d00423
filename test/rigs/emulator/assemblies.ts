import { appendFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StageConfig } from '../../../infra/config.ts';
import { mustRun } from '../../support/programs.ts';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Change {
  /** In `infra/stages/prod.ts`. */
  readonly settings: Partial<StageConfig>;
  /** A function whose code changes. @default none */
  readonly changedFunction?: string;
  /** Deploys without a rollout. @default false */
  readonly deployNow?: boolean;
}

/** The variable from which `changed-app.ts` reads a `ChangedApp` as JSON. */
export const CHANGED_APP = 'CHANGED_APP';
export interface ChangedApp {
  readonly settings: Partial<StageConfig>;
  readonly bundles: Readonly<Record<string, string>>;
}

/** Writes a stage's templates with `cdk synth`. Returns their directory. */
export async function synthesise(directory: string, stage: string, env: NodeJS.ProcessEnv): Promise<string> {
  const output = join(directory, stage);
  await mustRun('cdk', ['synth', '--quiet', '--output', output, '-c', `stage=${stage}`], { cwd: ROOT, env });
  return output;
}

/**
 * Synthesises prod with a change. The code of all functions except `changedFunction` is identical byte for byte.
 * Returns the directory.
 */
export async function synthesizeChange(
  directory: string,
  name: string,
  { settings, changedFunction, deployNow = false }: Change,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const bundlesDirectory = join(directory, `${name}-bundles`);
  cpSync(join(directory, 'prod/bundles'), bundlesDirectory, { recursive: true });
  if (changedFunction)
    appendFileSync(join(bundlesDirectory, changedFunction, 'index.cjs'), '\n// Another version.\n');
  const bundles = Object.fromEntries(
    readdirSync(bundlesDirectory).map((id) => [id, join(bundlesDirectory, id)]),
  );
  const changed: ChangedApp = { settings, bundles };
  const output = join(directory, name);
  const app = `${process.execPath} ${join(import.meta.dirname, 'changed-app.ts')}`;
  const context = ['-c', 'stage=prod', ...(deployNow ? ['-c', 'deployNow=true'] : [])];
  await mustRun('cdk', ['synth', '--quiet', '--app', app, '--output', output, ...context], {
    cwd: ROOT,
    env: { ...env, [CHANGED_APP]: JSON.stringify(changed) },
  });
  return output;
}
