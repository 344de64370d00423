import type { Command } from 'commander';
import type { Stage } from '../../infra/config.ts';
import { confirm, UsageError } from './confirm.ts';
import { localPlace, type Place, stagePlace } from './deployment.ts';
import { type Operator, operator } from './operator.ts';

/** What one run of a command works with, from the options that all commands share. */
export interface Session {
  readonly place: Place;
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
  const place = stage ? await stagePlace(stage) : localPlace();
  return {
    place,
    operator: operator(place),
    async confirm(question) {
      if (!yes) await confirm(question, { input: process.stdin, output: process.stderr });
    },
    print(value, text) {
      process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
    },
  };
}
