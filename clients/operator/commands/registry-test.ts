import { readFileSync } from 'node:fs';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { canonicalNumber, numberFormat } from '../../../shared/core/numbers.ts';
import { parseSecret, type Secret } from '../../../shared/core/secrets.ts';
import { LONGEST_TEST_SECONDS } from '../../../shared/operators/test-look-up.ts';
import type { RegistryQuery } from '../../../shared/registries/port.ts';
import {
  displayNameOf,
  LIVE_PROVIDERS,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import { parseConsent, parseReason, providerArgument, UsageError } from '../arguments.ts';
import { type ChangeContext, changeContext, stageOf } from '../command-context.ts';
import { differenceCount } from '../conformance/compare.ts';
import { TEST_NUMBERS } from '../conformance/test-numbers.ts';
import { formatConformance, formatTest } from '../format-registry-test.ts';
import {
  checkSample,
  conformanceList,
  conforms,
  type ListedLookUp,
  type RegistryTest,
} from '../operations/test-registry.ts';
import { counted } from '../output.ts';

/** States the unit of the option `timeout`, because its name does not. */
type Seconds = number;

interface TestOptions {
  readonly level?: RegistryQuery['level'];
  readonly bankCode?: string;
  readonly consent?: string;
  readonly credentials?: string;
  readonly reason: string;
  readonly timeout: Seconds;
}

const TEST_HELP = `
Without a number, the command looks up all numbers that the provider publishes
for tests, of all types and levels or only of those that you pass. It compares
the fields of each response with the provider's published sample.

If you pass a number, use one that the provider publishes for tests
(docs/operate/registries.md), because the shell history keeps the number.

The command prints outcomes and names of fields, never the record. It exits with
1 if a look-up finds no record or a response differs from its sample.`;

/** The default consent reference for a provider's test numbers, which belong to no person. */
const TEST_CONSENT = 'published test number';

/** Adds `registry test`. */
export function testCommand(group: Command): void {
  group
    .command('test')
    .description('Send test look-ups directly to a provider, which may bill them')
    .addArgument(providerArgument('provider to test'))
    .addArgument(new Argument('[type]', 'ID type to look up (default: all)').choices(ID_TYPES))
    .argument('[number]', "number to look up (default: the provider's published test numbers)")
    .requiredOption('--reason <text>', 'reason, shown in the audit trail', parseReason)
    .addOption(
      new Option(
        '--level <level>',
        'level of detail (default: basic if you pass a number, otherwise all levels)',
      ).choices(['basic', 'premium']),
    )
    .option('--bank-code <code>', 'bank code, for a NUBAN number')
    .option(
      '--consent <reference>',
      "reference to the holder's consent, for providers that require consent",
      parseConsent,
    )
    .option('--credentials <file>', "JSON file with the provider's credentials (default: the stage's secret)")
    .option(
      '--timeout <seconds>',
      `deadline of each look-up in seconds, from 1 to ${LONGEST_TEST_SECONDS}`,
      parseTimeout,
      20,
    )
    .addHelpText('after', TEST_HELP)
    .action(
      async (
        name: LiveProviderName,
        idType: IdType | undefined,
        text: string | undefined,
        options: TestOptions,
        command: Command,
      ) => {
        const number = idType && text !== undefined ? requireNumber(idType, text) : undefined;
        const context = await changeContext(command);
        if (stageOf(command) === 'local' && options.credentials === undefined)
          throw new UsageError('`--credentials <file>` is required with `--local`.');
        if (idType && number !== undefined) await testNumber(name, { ...options, idType, number }, context);
        else await testList(name, { ...options, ...(idType && { idType }) }, context);
      },
    );
}

function requireNumber(idType: IdType, text: string): string {
  const number = canonicalNumber(idType, text);
  if (number !== undefined) return number;
  throw new UsageError(
    `The number has the wrong format for the ID type ${idType}. It must be ${numberFormat(idType).text}.`,
  );
}

/** Sends one look-up through the operator API, which records it, and compares its response with the sample. */
async function lookUp(
  name: LiveProviderName,
  { idType, level, number, bankCode, names }: ListedLookUp,
  { consent, timeout, reason, credentials }: TestOptions,
  { change }: ChangeContext,
): Promise<RegistryTest> {
  const tested = await change('registry test', {
    provider: name,
    idType,
    level,
    number,
    bankCode,
    names,
    consent,
    timeoutSeconds: timeout,
    reason,
    ...(credentials !== undefined && { credentials: { ...readCredentials(credentials) } }),
  });
  return checkSample(name, tested);
}

async function testNumber(
  name: LiveProviderName,
  options: TestOptions & Pick<RegistryQuery, 'idType' | 'number'>,
  context: ChangeContext,
): Promise<void> {
  const { idType, number, level = 'basic', bankCode } = options;
  const { confirm, print } = context;
  await confirm(`Send a ${idType} look-up to ${displayNameOf(name)}? It may be billed.`);
  const one = { idType, number, level, ...(bankCode !== undefined && { bankCode }) };
  const test = await lookUp(name, one, options, context);
  print(test, formatTest(test));
  if (test.outcome !== 'found') throw new Error(`The look-up returned no record (outcome: ${test.outcome}).`);
  if (test.sample.kind === 'compared' && !conforms(test))
    throw new Error(
      `The response differs from the published sample in ${counted(differenceCount(test.sample), 'field')}.`,
    );
}

/** Runs the provider's conformance list, one look-up after another. */
async function testList(
  name: LiveProviderName,
  options: TestOptions & { readonly idType?: IdType },
  context: ChangeContext,
): Promise<void> {
  const { confirm, progress, print } = context;
  const { consent = TEST_CONSENT, bankCode } = options;
  if (bankCode !== undefined) throw new UsageError('`--bank-code` is only used together with a number.');
  const displayName = displayNameOf(name);
  const { lookUps, untested } = conformanceList(LIVE_PROVIDERS[name], TEST_NUMBERS[name], options);
  if (lookUps.length === 0)
    throw new UsageError(`${displayName} publishes no matching test number. Pass an ID type and a number.`);
  await confirm(`Send ${counted(lookUps.length, 'look-up')} to ${displayName}? Each may be billed.`);
  const tests: (RegistryTest & { readonly number: string })[] = [];
  for (const one of lookUps) {
    progress(`Looking up ${one.idType} ${one.level} (${tests.length + 1} of ${lookUps.length})`);
    tests.push({ number: one.number, ...(await lookUp(name, one, { ...options, consent }, context)) });
  }
  print({ provider: displayName, lookUps: tests, untested }, formatConformance(tests, untested));
  const failed = tests.filter((test) => !conforms(test)).length;
  if (failed > 0)
    throw new Error(
      `${failed} of ${counted(tests.length, 'look-up')} failed: no record was found, or the response differs from the published sample.`,
    );
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
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_TEST_SECONDS)
    throw new InvalidArgumentError(`It must be a whole number of seconds from 1 to ${LONGEST_TEST_SECONDS}.`);
  return seconds;
}
