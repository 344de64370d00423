import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import type { Stage } from '../../infra/config.ts';
import type { Recorder } from '../../shared/audit/recorder.ts';
import { type Clock, REAL_CLOCK } from '../../shared/core/clock.ts';
import { organisationKey } from '../../shared/core/keys.ts';
import { printable, printableJson } from '../../shared/core/printable-text.ts';
import type { ActionName } from '../../shared/operators/actions.ts';
import { type Operator, operator } from '../../shared/operators/operator.ts';
import { UsageError } from './arguments.ts';
import { confirm } from './confirm.ts';
import { type Deployment, localDeployment, stageDeployment } from './deployment.ts';
import type { InputOf, ResultOf } from './operator-api.ts';
import { time } from './output.ts';

/** The context of a command, according to the global options. */
export interface CommandContext {
  readonly deployment: Deployment;
  readonly operator: Operator;
  /** With AWS's clock. */
  readonly clock: Clock;
  /** Asks for confirmation unless --yes was passed. Throws if the operator declines. */
  confirm(question: string): Promise<void>;
  /** Prints the progress of a long command. Does nothing unless stderr is a terminal. */
  progress(text: string): void;
  /** Prints a line that the operator must see while a command runs, even if stderr is not a terminal. */
  notify(text: string): void;
  /** Prints the result: `value` as JSON with --json, otherwise `text`. */
  print(value: unknown, text: string): void;
}

/** The context of a command that changes something, through the operator API. */
export interface ChangeContext extends CommandContext {
  /** Makes a change that never needs a second person. Throws with a message for the operator if it is not possible. */
  change<N extends ActionName>(
    name: N,
    input: InputOf<N>,
    onProgress?: (progress: unknown) => void,
    path?: string,
  ): Promise<ResultOf<N>>;
  /** Makes a change. If it needs a second person, says how to approve it, and returns undefined. */
  changeOrRequest<N extends ActionName>(
    name: N,
    input: InputOf<N>,
    onProgress?: (progress: unknown) => void,
  ): Promise<ResultOf<N> | undefined>;
}

interface GlobalOptions {
  readonly stage?: Stage;
  readonly local?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Returns the stage whose settings apply: the one that `--stage` names, or `local`. */
export function stageOf(command: Command): Stage {
  return command.optsWithGlobals<GlobalOptions>().stage ?? 'local';
}

/** Changes are made by the operator API. */
const READ_ONLY: Recorder = {
  record() {
    throw new Error('This command must not change anything.');
  },
};

/** Returns the context of a command that only reads. */
export async function commandContext(command: Command): Promise<CommandContext> {
  const deployment = await deploymentOf(command);
  const clock = { ...REAL_CLOCK, nowMs: deployment.clock.nowMs };
  return {
    ...baseContext(command, deployment),
    clock,
    operator: operator(deployment, { recorder: READ_ONLY, clock }),
  };
}

/** Returns the context of a command that changes something. Throws if the clock of this machine is wrong. */
export async function changeContext(command: Command): Promise<ChangeContext> {
  const context = await commandContext(command);
  const { deployment, print } = context;
  const { client, tables, clock, api } = deployment;
  // Reads AWS's clock with a request for a row that does not exist.
  await client.send(new GetCommand({ TableName: tables.apiKeys, Key: organisationKey('CLOCK') }));
  clock.changeTimeMs();
  return {
    ...context,
    async change(name, input, onProgress, path) {
      const changed = await api.change(name, input, onProgress, path);
      if (changed.kind === 'done') return changed.result;
      throw new Error(`The operator API asked for a second person for \`${name}\`.`);
    },
    async changeOrRequest(name, input, onProgress) {
      const changed = await api.change(name, input, onProgress);
      if (changed.kind === 'done') return changed.result;
      const { id, expiresAt, existed } = changed.requested;
      print(
        { approval: { id, expiresAt } },
        `${existed ? 'You have already requested this change. ' : ''}Nothing has been changed yet. Another person must run \`admin approve ${id}\` before ${time(expiresAt)}.`,
      );
      return undefined;
    },
  };
}

async function deploymentOf(command: Command): Promise<Deployment> {
  const { stage, local } = command.optsWithGlobals<GlobalOptions>();
  if (!stage && !local)
    throw new UsageError('`--local` or `--stage <stage>` is required to select the service to work on.');
  return stage ? stageDeployment(stage) : localDeployment();
}

function baseContext(command: Command, deployment: Deployment) {
  const { json, yes } = command.optsWithGlobals<GlobalOptions>();
  return {
    deployment,
    async confirm(question: string) {
      if (!yes) await confirm(question, { input: process.stdin, output: process.stderr });
    },
    progress(text: string) {
      if (process.stderr.isTTY) process.stderr.write(`${text}\n`);
    },
    notify(text: string) {
      process.stderr.write(`${text}\n`);
    },
    print(value: unknown, text: string) {
      // The line breaks come from tables and lists, which escape the texts in them.
      const lines = text.split('\n').map(printable).join('\n');
      process.stdout.write(`${json ? printableJson(value) : lines}\n`);
    },
  };
}
