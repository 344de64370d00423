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

/** According to the global options. */
export interface CommandContext {
  readonly deployment: Deployment;
  readonly operator: Operator;
  /** With AWS's clock. */
  readonly clock: Clock;
  /** Unless --yes was passed. Throws if the operator declines. */
  confirm(question: string): Promise<void>;
  /** In a terminal only. */
  progress(text: string): void;
  /** Even if stderr is not a terminal. */
  notify(text: string): void;
  /** With --json, `value`. */
  print(value: unknown, text: string): void;
}

/** Through the operator API. */
export interface ChangeContext extends CommandContext {
  /** Never needs a second person. */
  change<N extends ActionName>(
    name: N,
    input: InputOf<N>,
    onProgress?: (progress: unknown) => void,
    path?: string,
  ): Promise<ResultOf<N>>;
  /** If it needs a second person, says how to approve it, and returns undefined. */
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

/** `--stage`, or `local`. */
export function stageOf(command: Command): Stage {
  return command.optsWithGlobals<GlobalOptions>().stage ?? 'local';
}

/** Changes are made by the operator API. */
const READ_ONLY: Recorder = {
  record() {
    throw new Error('This command must not change anything.');
  },
};

/** For reads. */
export async function commandContext(command: Command): Promise<CommandContext> {
  const deployment = await deploymentOf(command);
  const clock = { ...REAL_CLOCK, nowMs: deployment.clock.nowMs };
  return {
    ...baseContext(command, deployment),
    clock,
    operator: operator(deployment, { recorder: READ_ONLY, clock }),
  };
}

/** Throws if the clock of this machine is wrong. */
export async function changeContext(command: Command): Promise<ChangeContext> {
  const context = await commandContext(command);
  const { deployment, print } = context;
  const { client, tables, clock, api } = deployment;
  // The row does not exist.
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
      // Line breaks come from tables and lists, which escape their texts.
      const lines = text.split('\n').map(printable).join('\n');
      process.stdout.write(`${json ? printableJson(value) : lines}\n`);
    },
  };
}
