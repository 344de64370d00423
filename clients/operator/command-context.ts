import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import type { Stage } from '../../infra/config.ts';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder, type CommandRun, type Recorder } from '../../shared/audit/recorder.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { auditKey } from '../../shared/core/keys.ts';
import { printable, printableJson } from '../../shared/core/printable-text.ts';
import { type LedgerTools, REAL_TOOLS } from '../../shared/ledger/dependencies.ts';
import { UsageError } from './arguments.ts';
import { confirm } from './confirm.ts';
import { type Deployment, localDeployment, stageDeployment } from './deployment.ts';
import { type Operator, operator } from './operator.ts';

/** The context of a command, according to the global options. */
export interface CommandContext {
  readonly deployment: Deployment;
  readonly operator: Operator;
  /** With AWS's clock. */
  readonly tools: LedgerTools;
  /** Asks for confirmation unless --yes was passed. Throws if the operator declines. */
  confirm(question: string): Promise<void>;
  /** Prints the progress of a long command. Does nothing unless stderr is a terminal. */
  progress(text: string): void;
  /** Prints a line that the operator must see while a command runs, even if stderr is not a terminal. */
  notify(text: string): void;
  /** Prints the result: `value` as JSON with --json, otherwise `text`. */
  print(value: unknown, text: string): void;
}

/** The context of a command that changes something. Its `operator` records every change in the audit trail. */
export interface ChangeContext extends CommandContext {
  /** The person who makes the change, as the audit trail shows them. */
  readonly actor: string;
  /** The name of the command, such as `wallet top-up`. */
  readonly action: string;
  readonly run: CommandRun;
  readonly recorder: Recorder;
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

/** Changes need `changeContext`. */
const READ_ONLY: Recorder = {
  record() {
    throw new Error('This command must not change anything.');
  },
};

/** Returns the context of a command that only reads. */
export async function commandContext(command: Command): Promise<CommandContext> {
  const deployment = await deploymentOf(command);
  const tools = { ...REAL_TOOLS, nowMs: deployment.clock.nowMs };
  return {
    ...baseContext(command, deployment),
    tools,
    operator: operator(deployment, { recorder: READ_ONLY, tools }),
  };
}

/**
 * Returns the context of a command that changes something. Throws if the operator is unknown, or if the clock of
 * this machine is wrong.
 */
export async function changeContext(command: Command): Promise<ChangeContext> {
  const deployment = await deploymentOf(command);
  const { client, tables, clock } = deployment;
  const actor = await deployment.identity();
  // Reads AWS's clock with a request for a row that does not exist.
  await client.send(new GetCommand({ TableName: tables.auditTrail, Key: auditKey(undefined, 'CLOCK') }));
  const run = { actor, action: nameOf(command), commandId: newOperationId(clock.changeTimeMs()) };
  const recorder = auditRecorder(auditTable(client, tables.auditTrail), run, clock.changeTimeMs);
  const tools = { ...REAL_TOOLS, nowMs: clock.changeTimeMs };
  return {
    ...baseContext(command, deployment),
    tools,
    operator: operator(deployment, { recorder, tools }),
    actor,
    action: run.action,
    run,
    recorder,
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

/** Returns the name of a command without the program's name, such as `org approve`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}
