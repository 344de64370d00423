import type { Command } from 'commander';
import type { Stage } from '../../infra/config.ts';
import { printable, printableJson } from '../../shared/core/printable-text.ts';
import { UsageError } from './arguments.ts';
import { confirm } from './confirm.ts';
import { type Deployment, localDeployment, stageDeployment } from './deployment.ts';
import { type Operator, operator } from './operator.ts';

/** What a command works with, according to the global options. */
export interface CommandContext {
  readonly deployment: Deployment;
  readonly operator: Operator;
  /** Asks for confirmation unless --yes was passed. Throws if the operator declines. */
  confirm(question: string): Promise<void>;
  /** Prints the progress of a long command. Does nothing unless stderr is a terminal. */
  progress(text: string): void;
  /** Prints the result: `value` as JSON with --json, otherwise `text`. */
  print(value: unknown, text: string): void;
}

interface GlobalOptions {
  readonly stage?: Stage;
  readonly local?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Returns the stage whose settings apply: the one of `--stage`, or `local`. */
export function stageOf(command: Command): Stage {
  return command.optsWithGlobals<GlobalOptions>().stage ?? 'local';
}

export async function commandContext(command: Command): Promise<CommandContext> {
  const { stage, local, json, yes } = command.optsWithGlobals<GlobalOptions>();
  if (!stage && !local)
    throw new UsageError('`--local` or `--stage <stage>` is required to select the service to work on.');
  const deployment = stage ? await stageDeployment(stage) : localDeployment();
  return {
    deployment,
    operator: operator(deployment),
    async confirm(question) {
      if (!yes) await confirm(question, { input: process.stdin, output: process.stderr });
    },
    progress(text) {
      if (process.stderr.isTTY) process.stderr.write(`${text}\n`);
    },
    print(value, text) {
      // The line breaks are those of tables and lists, which have escaped their texts.
      const lines = text.split('\n').map(printable).join('\n');
      process.stdout.write(`${json ? printableJson(value) : lines}\n`);
    },
  };
}
