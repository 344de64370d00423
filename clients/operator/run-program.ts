import type { Command } from 'commander';
import { printable } from '../../shared/core/printable-text.ts';
import { credentialsAdvice } from './aws-profile.ts';
import { ignoreClosedPipes } from './closed-pipe.ts';

/** Runs a program with one command. If it fails, prints the error to stderr and exits with 1. */
export async function runProgram(program: Command): Promise<void> {
  ignoreClosedPipes();
  try {
    await program.parseAsync();
  } catch (error) {
    const message = error instanceof Error ? (credentialsAdvice(error) ?? error.message) : String(error);
    process.stderr.write(`error: ${message.split('\n').map(printable).join('\n')}\n`);
    process.exitCode = 1;
  }
}
