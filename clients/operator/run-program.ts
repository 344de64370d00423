import { type Command, CommanderError } from 'commander';
import { printable } from '../../shared/core/printable-text.ts';
import { credentialsAdvice } from './aws-profile.ts';

/** Runs a program with one command. If it fails, prints the error to stderr and sets the exit code to 1. */
export async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.exitOverride().parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    const message = error instanceof Error ? (credentialsAdvice(error) ?? error.message) : String(error);
    process.stderr.write(`error: ${message.split('\n').map(printable).join('\n')}\n`);
    process.exitCode = 1;
  }
}
