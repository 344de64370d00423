import type { Command } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { creditsArgument, environmentOption, organisationArgument, parseTime } from '../arguments.ts';

/** The options that top-ups and corrections share. */
export interface CreditOptions {
  readonly env: Environment;
  readonly reference: string;
  readonly reason: string;
  /** ISO time. */
  readonly effectiveAt?: string;
}

/** Adds a command that books credits. `credits` describes the number of credits. */
export function creditCommand(group: Command, name: string, description: string, credits: string): Command {
  return group
    .command(name)
    .description(`${description}; running the command again with the same reference changes nothing`)
    .addArgument(organisationArgument())
    .addArgument(creditsArgument(credits))
    .requiredOption(
      '--reference <reference>',
      'unique reference of the payment or ticket, for example an invoice number',
    )
    .addOption(environmentOption('wallet to change').default('live'))
    .option(
      '--effective-at <time>',
      'when the payment or the mistake was made; statements use the time of the booking (default: now)',
      parseTime,
    );
}
