import type { Command } from 'commander';
import { type Organisation, servicePrice } from '../../../shared/accounts/organisation.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import type { SubmittedOrganisation } from '../../../shared/operators/operations/members.ts';
import { SERVICE_NAMES, SERVICES, servicesNamed } from '../../../shared/verifications/services.ts';
import {
  countArgument,
  nameArgument,
  organisationArgument,
  parseReason,
  profileOption,
} from '../arguments.ts';
import { type CommandContext, changeContext, commandContext } from '../command-context.ts';
import { amount, counted, fields, table, time } from '../output.ts';
import { teamText, teamView } from './members.ts';
import { profileText } from './profile-text.ts';

/** Adds `org ...`. */
export function organisationCommands(program: Command): void {
  const group = program.command('org').description('Manage organisations');
  group
    .command('create')
    .description('Create a pending organisation with two empty wallets and no services')
    .addArgument(nameArgument())
    .action(async (name: string, _: object, command: Command) => {
      const { change, print } = await changeContext(command);
      const row = await change('org create', { name });
      print(organisationView(row), organisationText(row));
    });
  group
    .command('approve')
    .description('Approve an organisation so that its live keys work, or end its suspension')
    .addArgument(organisationArgument())
    .addOption(profileOption())
    .action(async (id: string, { profile }: { profile?: number }, command: Command) => {
      const { change, print } = await changeContext(command);
      const row = await change('org approve', { organisation: id, profile });
      print(organisationView(row), `${printable(row.name)} is approved.`);
    });
  group
    .command('suspend')
    .description('Suspend an organisation: reject all its requests, live and test')
    .addArgument(organisationArgument())
    .option('--reason <text>', 'reason, for members in the console and owners by email', parseReason)
    .action(async (id: string, { reason }: { reason?: string }, command: Command) => {
      const { operator, change, print, confirm } = await changeContext(command);
      const { name } = await operator.getOrganisation(id);
      await confirm(`Suspend ${name} (${id})? All its requests will be rejected.`);
      const row = await change('org suspend', { organisation: id, reason });
      print(organisationView(row), `${printable(row.name)} is suspended.`);
    });
  group
    .command('show')
    .description('Show the status, services, prices and limits of an organisation')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const row = await operator.getOrganisation(id);
      print(organisationView(row), organisationText(row));
    });
  profileCommand(group);
  listCommand(group);
  setRateCommand(group);
  setLowBalanceCommand(group);
}

function profileCommand(group: Command): void {
  group
    .command('profile')
    .description('Show the members of an organisation, and the profile that they have entered in the console')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const { name, status } = await operator.getOrganisation(id);
      const [profile, team] = await Promise.all([operator.profileOf(id), operator.teamOf(id)]);
      print(
        { id, name, status, profile: profile ?? null, ...teamView(team) },
        `${profileText({ id, name, status }, profile)}\n\n${teamText(team)}`,
      );
    });
}

function listCommand(group: Command): void {
  group
    .command('list')
    .description('List all organisations, oldest first')
    .option('--submitted', 'list only organisations that are waiting for approval, oldest submission first')
    .action(async ({ submitted }: { submitted?: true }, command: Command) => {
      const { operator, print } = await commandContext(command);
      if (submitted) return listSubmitted(await operator.listSubmitted(), print);
      const rows = await operator.listOrganisations();
      const head = ['ID', 'STATUS', 'SERVICES', 'SHARDS', 'CREATED', 'NAME'];
      const lines = rows.map((row) => [
        row.id,
        row.status,
        Object.keys(row.services).length,
        row.walletShards,
        time(row.createdAt),
        row.name,
      ]);
      print(rows.map(organisationView), table(head, lines));
    });
}

function listSubmitted(rows: readonly SubmittedOrganisation[], print: CommandContext['print']): void {
  const head = ['ID', 'SUBMITTED', 'COMPANY', 'CHECK', 'TAX CHECK', 'NAME'];
  const lines = rows.map(({ organisation, profile }) => [
    organisation.id,
    time(profile.submittedAt ?? ''),
    profile.companyNumber,
    profile.companyCheck?.result ?? '',
    profile.taxCheck?.result ?? '',
    organisation.name,
  ]);
  print(
    rows.map(({ organisation: { id, name, status }, profile }) => ({ id, name, status, profile })),
    table(head, lines),
  );
}

function setRateCommand(group: Command): void {
  group
    .command('set-rate')
    .description('Set the rate limit of each key of an organisation')
    .addArgument(organisationArgument())
    .addArgument(countArgument('<perSecond>', 'sustained number of requests per second'))
    .addArgument(countArgument('<burst>', 'number of requests that may arrive at once'))
    .action(async (id: string, perSecond: number, burst: number, _: object, command: Command) => {
      const { change, print } = await changeContext(command);
      const row = await change('org set-rate', { organisation: id, perSecond, burst });
      print(organisationView(row), `${printable(row.name)}: rate limit ${rateText(row)}.`);
    });
}

function setLowBalanceCommand(group: Command): void {
  group
    .command('set-low-balance')
    .description('Set the live balance below which the Balance Low event is published')
    .addArgument(organisationArgument())
    .addArgument(countArgument('[credits]', "threshold in credits (default: the stage's threshold)"))
    .action(async (id: string, credits: number | undefined, _: object, command: Command) => {
      const { change, print } = await changeContext(command);
      const row = await change('org set-low-balance', { organisation: id, credits });
      print(
        organisationView(row),
        `${printable(row.name)}: Balance Low is published when the live balance falls ${lowBalanceText(row)}.`,
      );
    });
}

/** Returns the enabled services in the order of the catalogue, with the organisation's prices in credits. */
function pricesOf(row: Organisation): { name: string; price: number }[] {
  return SERVICE_NAMES.filter((name) => Object.hasOwn(row.services, name)).map((name) => ({
    name,
    price: servicePrice(row, name) ?? SERVICES[name].price,
  }));
}

/** Returns what these enabled services cost now. `name`: a service, or an ID type. */
export function currentPricesText(row: Organisation, name: string): string {
  const names: readonly string[] = servicesNamed(name);
  return pricesText(pricesOf(row).filter((service) => names.includes(service.name)));
}

/** Returns the special prices of disabled services, which apply again once the services are enabled. */
function keptPricesOf(row: Organisation): { name: string; price: number }[] {
  return SERVICE_NAMES.filter((name) => !Object.hasOwn(row.services, name)).flatMap((name) => {
    const price = servicePrice(row, name);
    return price === undefined ? [] : [{ name, price }];
  });
}

function pricesText(prices: readonly { name: string; price: number }[]): string {
  return prices.map(({ name, price }) => `${name} (${price})`).join(', ');
}

/** As JSON output shows it. */
export function organisationView(row: Organisation) {
  const { id, name, status, rateLimit, walletShards, lowBalanceCredits, bvnBasis, createdAt } = row;
  return {
    id,
    name,
    status,
    services: pricesOf(row),
    keptPrices: keptPricesOf(row),
    rateLimit,
    walletShards,
    lowBalanceCredits,
    bvnBasis,
    createdAt,
  };
}

function organisationText(row: Organisation): string {
  const kept = pricesText(keptPricesOf(row));
  return fields({
    id: row.id,
    name: row.name,
    status: row.status,
    services: pricesText(pricesOf(row)) || 'none',
    ...(kept && { 'kept prices': kept }),
    'rate limit': rateText(row),
    shards: row.walletShards,
    'low balance': lowBalanceText(row),
    ...(row.bvnBasis !== undefined && { 'BVN basis': printable(row.bvnBasis) }),
    created: time(row.createdAt),
  });
}

function lowBalanceText({ lowBalanceCredits }: Organisation): string {
  return lowBalanceCredits === undefined
    ? "below the stage's threshold"
    : `below ${counted(lowBalanceCredits, 'credit')}`;
}

function rateText({ rateLimit }: Organisation): string {
  return `${counted(rateLimit.perSecond, 'request')} per second, burst of ${amount(rateLimit.burst)}`;
}

/** Formats the services of an organisation for people. */
export function servicesText(row: Organisation): string {
  const lines = pricesOf(row).map(({ name, price }) => [name, price]);
  const enabled =
    lines.length > 0
      ? table(['SERVICE', 'CREDITS'], lines)
      : `${printable(row.name)} has no services enabled.`;
  const kept = pricesText(keptPricesOf(row));
  return kept ? `${enabled}\n\nKept prices of disabled services: ${kept}.` : enabled;
}
