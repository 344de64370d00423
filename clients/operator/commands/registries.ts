import { readFileSync } from 'node:fs';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Stage } from '../../../infra/config.ts';
import { registriesOf } from '../../../infra/stages/read-config.ts';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { canonicalNumber, numberFormat } from '../../../shared/core/numbers.ts';
import { parseSecret, type Secret } from '../../../shared/core/secrets.ts';
import type { RegistryQuery } from '../../../shared/registries/port.ts';
import { displayNameOf, LIVE_PROVIDER_NAMES } from '../../../shared/registries/providers/catalogue.ts';
import { UsageError } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import {
  type RegistryStatus,
  type RegistryTest,
  registryStatus,
  testRegistry,
} from '../operations/registries.ts';
import { fields, table, time } from '../output.ts';

/** Adds `registry ...`: the health of the registry providers, and test look-ups. */
export function registryCommands(program: Command): void {
  const group = program.command('registry').description('Check and test the registry providers');
  group
    .command('status')
    .description("Show each provider's health, as measured by the service's own look-ups")
    .action(async (_: object, command: Command) => {
      const { deployment, print } = await commandContext(command);
      const { stage = 'local' } = command.optsWithGlobals<{ stage?: Stage }>();
      const all = await registryStatus(deployment, registriesOf(stage), Date.now());
      print(all, table(['PROVIDER', 'ENV', 'STATUS', 'SINCE', 'SERVES (ORDER)'], all.map(columns)));
    });
  testCommand(group);
}

function columns({ displayName, environment, status, since, serves }: RegistryStatus): string[] {
  return [displayName, environment, status, since ? time(since) : 'always', serves.join(', ')];
}

/** The option keeps its command line name, so the type carries the unit. */
type Seconds = number;

interface TestOptions {
  readonly level: RegistryQuery['level'];
  readonly bankCode?: string;
  readonly consent?: string;
  readonly credentials?: string;
  readonly timeout: Seconds;
}

const TEST_HELP = `
Use a number that the provider publishes for tests (docs/registries.md), because
the shell history keeps it. The command prints the outcome, never the record.`;

function testCommand(group: Command): void {
  group
    .command('test')
    .description('Send one look-up directly to a provider, which may bill it')
    .addArgument(new Argument('<provider>', 'provider to test').choices(LIVE_PROVIDER_NAMES))
    .addArgument(new Argument('<type>', 'ID type of the number').choices(ID_TYPES))
    .argument('<number>', 'number to look up')
    .addOption(
      new Option('--level <level>', 'level of detail').choices(['basic', 'premium']).default('basic'),
    )
    .option('--bank-code <code>', 'bank code, for NUBAN')
    .option('--consent <reference>', "reference of the holder's consent, for providers that require one")
    .option('--credentials <file>', "JSON file with the provider's credentials (default: the stage's secret)")
    .option('--timeout <seconds>', 'deadline of the look-up in seconds, from 1 to 60', parseTimeout, 20)
    .addHelpText('after', TEST_HELP)
    .action(async (name: string, idType: IdType, text: string, options: TestOptions, command: Command) => {
      const number = canonicalNumber(idType, text);
      if (number === undefined)
        throw new UsageError(
          `The number has the wrong format for the ID type ${idType}. It must be ${numberFormat(idType).text}.`,
        );
      const { confirm, deployment, print } = await commandContext(command);
      const { level, bankCode, consent, credentials, timeout } = options;
      const secret = credentials ? readCredentials(credentials) : await deployment.registryCredentials(name);
      await confirm(`Send a ${idType} look-up to ${displayNameOf(name)}? It may be billed.`);
      const query: RegistryQuery = {
        idType,
        level,
        number,
        deadlineMs: Date.now() + timeout * 1_000,
        ...(bankCode !== undefined && { bankCode }),
        ...(consent !== undefined && { consent }),
      };
      const { local = false } = command.optsWithGlobals<{ local?: boolean }>();
      const result = await testRegistry(name, query, { credentials: async () => secret, allowLocal: local });
      print(result, formatTest(result));
      if (result.outcome !== 'found') throw new Error(`The outcome of the look-up is ${result.outcome}.`);
    });
}

function formatTest({ maybeBilled, detail, latencyMs, idType, ...rest }: RegistryTest): string {
  return fields({
    provider: rest.provider,
    'ID type': idType,
    level: rest.level,
    outcome: rest.outcome,
    detail: detail || 'none',
    latency: `${latencyMs} ms`,
    billing: maybeBilled ? 'may be billed even without a record' : 'as agreed with the provider',
  });
}

function readCredentials(file: string): Secret {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`The file ${file} cannot be read.`);
  }
  return parseSecret(text, `The file ${file}`);
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60)
    throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 60.');
  return seconds;
}
