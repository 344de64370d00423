import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { buildApp } from '../../infra/app.ts';
import type { StageConfig } from '../../infra/config.ts';
import { FUNCTION_NAMES } from '../../infra/function-sources.ts';
import { DataStack } from '../../infra/stacks/data-stack.ts';
import { pinFor } from '../support/pin-stages.ts';
import { context } from './context.ts';
import type { StackTemplate } from './deployment-faults.ts';

/** Synthesises templates with the CDK. Tests load it with `outsideJest`, so its results are text and data. */

export interface Synthesis {
  readonly changes?: Partial<StageConfig>;
  /** Further context values, for example `deployNow`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The time for reminders. @default the current time */
  readonly now?: Date;
  /** The account of the AWS profile, as the CDK CLI passes it. @default none */
  readonly account?: string | undefined;
}

export interface Synthesised {
  /** The stacks in the order in which the CDK deploys them. */
  readonly stacks: readonly (StackTemplate & { readonly isProtected: boolean })[];
  readonly warnings: readonly string[];
}

/** Leaves out what no template depends on: where each construct was created, and a report that the CDK CLI prints. */
const FASTER = {
  'aws:cdk:disable-stack-trace': true,
  'aws:cdk:disable-creation-stack-traces': true,
  '@aws-cdk/core:failSynthOnValidationErrors': false,
};

/**
 * Builds a stage with empty bundles. Gives staging and prod an account and a region. Returns what `read` returns for
 * the app.
 */
export function withApp<T>(
  stage: string,
  { changes, more, now, account }: Synthesis,
  read: (app: App) => T,
): T {
  const directory = mkdtempSync(join(tmpdir(), 'synthesis-'));
  if (account) process.env['CDK_DEFAULT_ACCOUNT'] = account;
  try {
    const bundle = join(directory, 'bundle');
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'index.cjs'), '');
    const app = buildApp({
      outdir: join(directory, 'out'),
      context: context({ stage, ...FASTER, ...more }),
      changes: { ...pinFor(stage), ...changes },
      bundles: new Map(FUNCTION_NAMES.map((name) => [name, bundle])),
      // The validation takes seconds. The test of the whole synthesis in bundle.test.ts does not disable it.
      builtinCloudFormationValidation: false,
      treeMetadata: false,
      ...(now && { now }),
    });
    return read(app);
  } finally {
    if (account) delete process.env['CDK_DEFAULT_ACCOUNT'];
    rmSync(directory, { recursive: true });
  }
}

/** Returns the stacks and warnings of a stage as JSON of the type `Synthesised`. Throws if the CDK reports an error. */
export function synthesise(stage: string, synthesis: Synthesis): string {
  return withApp(stage, synthesis, (app) => JSON.stringify(synthesisedOf(app)));
}

function synthesisedOf(app: App): Synthesised {
  const { stacks } = app.synth();
  const messages = stacks.flatMap((stack) => stack.messages);
  const textsOf = (level: string) =>
    messages.filter((message) => message.level === level).map(({ entry }) => String(entry.data));
  const [error] = textsOf('error');
  if (error) throw new Error(error);
  return {
    stacks: stacks.map(({ stackName, template, terminationProtection }) => ({
      name: stackName,
      template,
      isProtected: terminationProtection === true,
    })),
    warnings: textsOf('warning'),
  };
}

/** Returns the template, as JSON, of a data stack whose resources no other stack uses. */
export function dataStackAlone(): string {
  const app = new App({ context: FASTER, builtinCloudFormationValidation: false, treeMetadata: false });
  return JSON.stringify(
    Template.fromStack(
      new DataStack(app, 'alone', { logRetentionDays: 365, auditArchive: { retentionDays: 1 } }),
    ).toJSON(),
  );
}
