import { type Command, Option } from 'commander';
import { type ApiKey, isUsable } from '../../../shared/accounts/api-key.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import {
  addAddressRange,
  addScope,
  environmentOption,
  keyArgument,
  organisationArgument,
  parseExpiry,
  parseLabel,
} from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { SHORT_HASH } from '../operations/keys.ts';
import { table, time } from '../output.ts';

/** For how long an old key may still work, in seconds. */
const GRACES: Readonly<Record<string, number>> = { '0': 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 };
const SHOWN_ONCE = 'This is the only time that the key is shown. Keep it in a secret store.';

interface CreateOptions {
  readonly env: Environment;
  readonly label: string;
  readonly expires?: string;
  readonly scope?: string[];
  readonly ip?: string[];
}

/** `key ...`: API keys. */
export function keyCommands(program: Command): void {
  const group = program.command('key').description('API keys: make, rotate, revoke, list');
  createCommand(group);
  rotateCommand(group);
  group
    .command('revoke')
    .description('refuse a key from the next request on, for ever')
    .addArgument(organisationArgument())
    .addArgument(keyArgument())
    .addOption(environmentOption('of the key, where its label stands in both'))
    .action(async (id: string, name: string, options: { env?: Environment }, command: Command) => {
      const { operator, print, confirm } = await openSession(command);
      const key = await operator.findKey(id, name, options.env);
      await confirm(`Revoke ${inWords(key)}? It will never work again.`);
      await operator.revokeKey(key);
      print(keyView({ ...key, status: 'REVOKED' }), `Revoked ${inWords(key)}.`);
    });
  group
    .command('list')
    .description('all keys of an organisation, without their text, which nobody has')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const views = (await operator.listKeys(id)).map(keyView);
      const head = ['LABEL', 'ENV', 'STATUS', 'ENDS IN', 'HASH', 'CREATED', 'EXPIRES', 'LIMITS'];
      const lines = views.map((key) => [
        key.label,
        key.env,
        key.status,
        key.lastFour,
        key.hash.slice(0, SHORT_HASH),
        time(key.createdAt),
        key.notAfter ? time(key.notAfter) : 'never',
        [...(key.scopes ?? []), ...(key.addressRanges ?? [])].join(' ') || 'none',
      ]);
      print(views, table(head, lines));
    });
}

function createCommand(group: Command): void {
  group
    .command('create')
    .description('make a key and show it, this once')
    .addArgument(organisationArgument())
    .addOption(environmentOption('which registry and wallet it reaches').makeOptionMandatory())
    .addOption(
      new Option('--label <label>', 'what stands in logs and statements in its place')
        .argParser(parseLabel)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'ISO time, or a span such as 12h or 30d; without it, never', (text) =>
      parseExpiry(text),
    )
    .option(
      '--scope <scope>',
      'what it may do, once for each: verify:<service>, verify:*, slip:read, wallet:read, verification:read; without it, everything',
      addScope,
    )
    .option(
      '--ip <range>',
      'where it may be used from, once for each: an address or a network; without it, anywhere',
      addAddressRange,
    )
    .action(async (organisationId: string, options: CreateOptions, command: Command) => {
      const { operator, print } = await openSession(command);
      const { env, label, expires, scope, ip } = options;
      const { text, row } = await operator.createKey({
        organisationId,
        env,
        label,
        ...(expires && { notAfter: expires }),
        ...(scope && { scopes: scope }),
        ...(ip && { addressRanges: ip }),
      });
      print({ apiKey: text, ...keyView(row) }, `${text}\n\n${SHOWN_ONCE}`);
    });
}

function rotateCommand(group: Command): void {
  group
    .command('rotate')
    .description('make a new key of the same label; the old one works on for a grace')
    .addArgument(organisationArgument())
    .addArgument(keyArgument())
    .addOption(environmentOption('of the key, where its label stands in both'))
    .addOption(new Option('--grace <span>', 'for the old key').choices(Object.keys(GRACES)).default('24h'))
    .action(
      async (id: string, name: string, options: { env?: Environment; grace: string }, command: Command) => {
        const { operator, print, confirm } = await openSession(command);
        const key = await operator.findKey(id, name, options.env);
        const graceSeconds = GRACES[options.grace] ?? 0;
        if (graceSeconds === 0) await confirm(`End ${inWords(key)} at once? It will never work again.`);
        const { text, row } = await operator.rotateKey(key, graceSeconds);
        const end = graceSeconds === 0 ? 'does not work any more' : `works for ${options.grace} more`;
        const sentence = `The old one (ends in ${key.lastFour}) ${end}.`;
        print({ apiKey: text, ...keyView(row), replaces: key.hash }, `${text}\n\n${SHOWN_ONCE}\n${sentence}`);
      },
    );
}

/** A key for scripts. */
function keyView(key: ApiKey) {
  const { label, env, lastFour, hash, createdAt, notAfter, scopes, addressRanges } = key;
  const ended = key.status === 'REVOKED' ? 'REVOKED' : 'EXPIRED';
  const status = isUsable(key, Date.now()) ? 'ACTIVE' : ended;
  const limits = {
    ...(notAfter && { notAfter }),
    ...(scopes && { scopes }),
    ...(addressRanges && { addressRanges }),
  };
  return { label, env, status, lastFour, hash, createdAt, ...limits };
}

function inWords({ label, env, lastFour }: ApiKey): string {
  return `the ${env} key "${label}" (ends in ${lastFour})`;
}
