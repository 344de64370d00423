import type { Command } from 'commander';
import type { Stage } from '../../infra/config.ts';
import { confirm, UsageError } from './confirm.ts';
import { type Deployment, localDeployment, stageDeployment } from './deployment.ts';
import { type Operator, operator } from './operator.ts';

/** What one run of a command works with, from the options that all commands share. */
export interface Session {
  readonly deployment: Deployment;
  readonly operator: Operator;
  /** Asks before what can't be undone, unless --yes was said. Rejects where the answer is no. */
  confirm(question: string): Promise<void>;
  /** Prints the result: `value` as JSON for scripts, else `text` for people. */
  print(value: unknown, text: string): void;
}

interface SharedOptions {
  readonly stage?: Stage;
  readonly local?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

export async function openSession(command: Command): Promise<Session> {
  const { stage, local, json, yes } = command.optsWithGlobals<SharedOptions>();
  if (!stage && !local) throw new UsageError('Say which service: --local, or --stage <stage>.');
  const deployment = stage ? await stageDeployment(stage) : localDeployment();
  return {
    deployment,
    operator: operator(deployment),
    async confirm(question) {
      if (!yes) await confirm(question, { input: process.stdin, output: process.stderr });
    },
    print(value, text) {
      process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
    },
  };
}
