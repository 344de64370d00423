import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Stage } from '../../../infra/config.ts';
import { registriesOf } from '../../../infra/stages/read-config.ts';
import { ID_TYPES, type IdType, numberFormat } from '../../../shared/core/id-types.ts';
import type { RegistryQuery } from '../../../shared/registries/port.ts';
import { displayNameOf } from '../../../shared/registries/providers/catalogue.ts';
import { openSession } from '../command-context.ts';
import { UsageError } from '../confirm.ts';
import {
  PROVIDER_NAMES,
  type RegistryStatus,
  registryStatus,
  testRegistry,
} from '../operations/registries.ts';
import { fields, table, time } from '../output.ts';
import { credentialsIn, stageCredentials } from '../registry-secret.ts';

/** `registry ...`: how the providers are, and whether one answers. */
export function registryCommands(program: Command): void {
  const group = program
    .command('registry')
    .description('Registry providers: state, and a look-up to try one');
  group
    .command('status')
    .description('how the service sees each provider, from the outcomes of its own look-ups')
    .action(async (_: object, command: Command) => {
      const { deployment, print } = await openSession(command);
      const { stage = 'local' } = command.optsWithGlobals<{ stage?: Stage }>();
      const all = await registryStatus(deployment, registriesOf(stage), Date.now());
      print(all, table(['PROVIDER', 'ENV', 'STATUS', 'SINCE', 'SERVES (PLACE)'], all.map(line)));
    });
  testCommand(group);
}

function line({ displayName, environment, status, since, serves }: RegistryStatus): string[] {
  return [displayName, environment, status, since ? time(since) : 'always', serves.join(', ')];
}

interface TestOptions {
  readonly level: RegistryQuery['level'];
  readonly bankCode?: string;
  readonly consent?: string;
  readonly credentials?: string;
  readonly timeout: number;
}

const TEST_HELP = `
The number is one that the provider publishes for tests (docs/registries.md): arguments stay in the shell's history.
The outcome is printed, never the record.`;

function testCommand(group: Command): void {
  group
    .command('test')
    .description('ask one provider directly; it may bill the look-up')
    .addArgument(new Argument('<provider>', 'its name').choices(PROVIDER_NAMES))
    .addArgument(new Argument('<type>', 'ID type').choices(ID_TYPES))
    .argument('<number>', 'the number to look up')
    .addOption(
      new Option('--level <level>', 'what to ask for').choices(['basic', 'premium']).default('basic'),
    )
    .option('--bank-code <code>', "NUBAN: the bank's code")
    .option('--consent <reference>', "the holder's consent, where the provider demands it")
    .option('--credentials <file>', "JSON file in place of the stage's secret")
    .option('--timeout <seconds>', 'how long to wait', parseTimeout, 20)
    .addHelpText('after', TEST_HELP)
    .action(async (name: string, idType: IdType, number: string, options: TestOptions, command: Command) => {
      if (!numberFormat(idType).pattern.test(number))
        throw new UsageError(`A ${idType} number is ${numberFormat(idType).words}.`);
      const { confirm, print } = await openSession(command);
      const { stage } = command.optsWithGlobals<{ stage?: Stage }>();
      const { level, bankCode, consent, credentials, timeout } = options;
      if (!stage && !credentials) throw new UsageError('With --local, say --credentials <file>.');
      await confirm(`Ask ${displayNameOf(name)} for a ${idType}? It may be billed.`);
      const secret = credentials ? credentialsIn(credentials) : await stageCredentials(stage ?? 'dev', name);
      const result = await testRegistry(
        name,
        {
          ...{ idType, level, number, deadlineMs: Date.now() + timeout * 1_000 },
          ...(bankCode !== undefined && { bankCode }),
          ...(consent !== undefined && { consent }),
        },
        { credentials: async () => secret, allowLocal: !stage },
      );
      const { maybeBilled, detail, latencyMs, ...rest } = result;
      const words = { ...rest, detail: detail || 'none', latency: `${latencyMs} ms` };
      print(result, fields({ ...words, 'maybe billed': maybeBilled ? 'yes, for nothing' : 'as agreed' }));
      if (result.outcome !== 'found') throw new Error(`The look-up ended as ${result.outcome}.`);
    });
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60)
    throw new InvalidArgumentError('It is a whole number of seconds from 1 to 60.');
  return seconds;
}
