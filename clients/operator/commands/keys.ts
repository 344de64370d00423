import { type Command, Option } from 'commander';
import { type ApiKey, isUsable } from '../../../shared/accounts/api-key.ts';
import { SHORT_HASH } from '../../../shared/accounts/api-key-table.ts';
import type { KeyUsage } from '../../../shared/accounts/key-usage.ts';
import type { CreatedKey, EditedKey } from '../../../shared/accounts/manage-api-key.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import type { RotatedKey } from '../../../shared/operators/make-change.ts';
import {
  addAddressRange,
  addScope,
  environmentOption,
  keyArgument,
  organisationArgument,
  parseExpiry,
  parseLabel,
} from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { table, time } from '../output.ts';

/** The values of `--grace`: how long the old key may work after a rotation, in seconds. */
const GRACE_SECONDS: Readonly<Record<string, number>> = { '0': 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 };
const SHOWN_ONCE = 'The key is not shown again. Store it in a secrets manager now.';

interface CreateOptions {
  readonly env: Environment;
  readonly label: string;
  readonly expires?: string;
  readonly scope?: string[];
  readonly ip?: string[];
}

/** Adds `key ...`. */
export function keyCommands(program: Command): void {
  const group = program.command('key').description('Manage API keys');
  createCommand(group);
  updateCommand(group);
  rotateCommand(group);
  group
    .command('revoke')
    .description('Revoke a key permanently, with effect from the next request')
    .addArgument(organisationArgument())
    .addArgument(keyArgument())
    .addOption(
      environmentOption('environment of the key, needed only if its label exists in both environments'),
    )
    .action(async (id: string, name: string, options: { env?: Environment }, command: Command) => {
      const { operator, change, print, confirm } = await changeContext(command);
      const key = await operator.findKey(id, name, options.env);
      await confirm(`Revoke ${describeKey(key)}? It will never work again.`);
      const revoked = await change('key revoke', { organisation: id, key: key.hash, env: key.env });
      print(keyView(revoked), `Revoked ${describeKey(key)}.`);
    });
  listCommand(group);
}

function listCommand(group: Command): void {
  group
    .command('list')
    .description('List the keys of an organisation without revealing their values')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const keys = await operator.listKeys(id);
      const usage = await operator.keyUsage(keys);
      const views = keys.map((key) => ({ ...keyView(key), ...usageView(usage.get(key.hash)) }));
      const head = [
        'LABEL',
        'ENV',
        'STATUS',
        'ENDS IN',
        'HASH',
        'CREATED',
        'EXPIRES',
        'LAST USED',
        'FROM',
        'LIMITS',
      ];
      const lines = views.map((key) => [
        key.label,
        key.env,
        key.status,
        key.lastFour,
        key.hash.slice(0, SHORT_HASH),
        time(key.createdAt),
        key.notAfter ? time(key.notAfter) : 'never',
        key.lastUsed ?? 'never',
        key.lastNetwork ?? '',
        [...(key.scopes ?? []), ...(key.addressRanges ?? [])].join(' ') || 'none',
      ]);
      print(views, table(head, lines));
    });
}

function createCommand(group: Command): void {
  group
    .command('create')
    .description('Create a key and print it; it cannot be printed again')
    .addArgument(organisationArgument())
    .addOption(
      environmentOption(
        'live keys use the live registries, and test keys use the sandbox',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--label <label>', 'name of the key in logs and statements')
        .argParser(parseLabel)
        .makeOptionMandatory(),
    )
    .option(
      '--expires <time>',
      'when the key expires: an ISO time with a time zone, a date, or a duration such as 12h or 30d, or never (default: 365d for live keys, never for test keys)',
      (text) => (text === 'never' ? text : parseExpiry(text)),
    )
    .option(
      '--scope <scope>',
      'allow only this scope: verify:<service>, verify:* (all look-ups except slips), match:<service> or match:* (only whether details match, for NIN and BVN), slip:read, slip:revoke, wallet:read, verification:read or wallet:pay (starts payments); repeatable (default: all scopes except wallet:pay)',
      addScope,
    )
    .option(
      '--ip <range>',
      'allow only this IP address or network; repeatable (default: any address)',
      addAddressRange,
    )
    .action(async (organisationId: string, options: CreateOptions, command: Command) => {
      const { changeOrRequest, print } = await changeContext(command);
      const { env, label, expires, scope, ip } = options;
      const created = await changeOrRequest('key create', {
        organisation: organisationId,
        env,
        label,
        expires,
        scopes: scope,
        addressRanges: ip,
      });
      if (created) print(newKeyView(created), newKeyText(created));
    });
}

interface UpdateOptions {
  readonly env?: Environment;
  readonly label?: string;
  readonly scope?: string[];
  readonly allScopes?: true;
  readonly ip?: string[];
  readonly anyIp?: true;
}

function updateCommand(group: Command): void {
  group
    .command('update')
    .description('Change the label or the limits of a key, with effect from the next request')
    .addArgument(organisationArgument())
    .addArgument(keyArgument())
    .addOption(
      environmentOption('environment of the key, needed only if its label exists in both environments'),
    )
    .addOption(new Option('--label <label>', 'new name of the key').argParser(parseLabel))
    .option('--scope <scope>', 'allow only this scope, as in `key create`; repeatable', addScope)
    .addOption(new Option('--all-scopes', 'allow all scopes except wallet:pay').conflicts('scope'))
    .option('--ip <range>', 'allow only this IP address or network; repeatable', addAddressRange)
    .addOption(new Option('--any-ip', 'allow any address').conflicts('ip'))
    .action(async (id: string, name: string, options: UpdateOptions, command: Command) => {
      const { operator, changeOrRequest, print } = await changeContext(command);
      const { hash, env } = await operator.findKey(id, name, options.env);
      const edited = await changeOrRequest('key update', {
        organisation: id,
        key: hash,
        env,
        label: options.label,
        scopes: options.allScopes ? null : options.scope,
        addressRanges: options.anyIp ? null : options.ip,
      });
      if (edited) print(editedKeyView(edited), editedKeyText(edited));
    });
}

export function editedKeyView({ before, after }: EditedKey) {
  return keyView(after ?? before);
}

export function editedKeyText({ before, after }: EditedKey): string {
  return after
    ? `Changed ${describeKey(after)}.`
    : `Nothing was changed: ${describeKey(before)} is already like this.`;
}

function rotateCommand(group: Command): void {
  group
    .command('rotate')
    .description('Replace a key with a new one that has the same label and limits')
    .addArgument(organisationArgument())
    .addArgument(keyArgument())
    .addOption(
      environmentOption('environment of the key, needed only if its label exists in both environments'),
    )
    .addOption(
      new Option('--grace <duration>', 'how long the old key keeps working, unless it expires earlier')
        .choices(Object.keys(GRACE_SECONDS))
        .default('24h'),
    )
    .action(
      async (id: string, name: string, options: { env?: Environment; grace: string }, command: Command) => {
        const { operator, changeOrRequest, print, confirm } = await changeContext(command);
        const key = await operator.findKey(id, name, options.env);
        const graceSeconds = GRACE_SECONDS[options.grace] ?? 0;
        if (graceSeconds === 0) await confirm(`Disable ${describeKey(key)} now? It will never work again.`);
        const { hash, env } = key;
        const rotated = await changeOrRequest('key rotate', {
          organisation: id,
          key: hash,
          env,
          graceSeconds,
        });
        if (rotated) print(rotatedKeyView(rotated), rotatedKeyText(rotated, graceSeconds));
      },
    );
}

function expiryText({ notAfter }: ApiKey): string {
  return notAfter ? `It expires at ${time(notAfter)}.` : 'It never expires.';
}

/** As JSON output shows it. */
export function newKeyView({ text, row }: CreatedKey) {
  return { apiKey: text, ...keyView(row) };
}

export function newKeyText({ text, row }: CreatedKey): string {
  return `${text}\n\n${SHOWN_ONCE}\n${expiryText(row)}`;
}

export function rotatedKeyView({ old, ...created }: RotatedKey) {
  return { ...newKeyView(created), replaces: old.hash };
}

export function rotatedKeyText({ old, ...created }: RotatedKey, graceSeconds: number): string {
  return `${newKeyText(created)}\nThe old key (ends in ${old.lastFour}) ${fateOf(old, graceSeconds)}.`;
}

/** Says what happens to the old key. A grace period does not extend its lifetime. */
function fateOf({ notAfter }: ApiKey, graceSeconds: number): string {
  if (graceSeconds === 0) return 'no longer works';
  const grace = Object.keys(GRACE_SECONDS).find((name) => GRACE_SECONDS[name] === graceSeconds);
  const expiresFirst = notAfter !== undefined && Date.parse(notAfter) < Date.now() + graceSeconds * 1_000;
  return expiresFirst ? `still works until it expires at ${time(notAfter)}` : `still works for ${grace}`;
}

function keyView(key: ApiKey) {
  const { label, env, lastFour, hash, createdAt, notAfter, scopes, addressRanges } = key;
  const inactive = key.status === 'REVOKED' ? 'REVOKED' : 'EXPIRED';
  const status = isUsable(key, Date.now()) ? 'ACTIVE' : inactive;
  const limits = {
    ...(notAfter && { notAfter }),
    ...(scopes && { scopes }),
    ...(addressRanges && { addressRanges }),
  };
  return { label, env, status, lastFour, hash, createdAt, ...limits };
}

/** Returns when, to the minute, and from which network a key was last used, as far as this is known. */
function usageView({ usedAtMs, network }: Partial<KeyUsage> = {}): {
  lastUsed?: string;
  lastNetwork?: string;
} {
  return {
    ...(usedAtMs !== undefined && { lastUsed: `${new Date(usedAtMs).toISOString().slice(0, 16)}Z` }),
    ...(network && { lastNetwork: network }),
  };
}

function describeKey({ label, env, lastFour }: ApiKey): string {
  return `the ${env} key "${label}" (ends in ${lastFour})`;
}
