import type { Command } from 'commander';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import { SERVICE_NAMES, SERVICES } from '../../../shared/verifications/services.ts';
import { countArgument, nameArgument, organisationArgument } from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { fields, table, time } from '../output.ts';

/** `org ...`: who may use the service. */
export function organisationCommands(program: Command): void {
  const group = program
    .command('org')
    .description('Organisations: make, approve, suspend, show, set their rate');
  group
    .command('create')
    .description('make an organisation: pending, nothing enabled, two empty wallets')
    .addArgument(nameArgument())
    .action(async (name: string, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.createOrganisation(name);
      print(organisationView(row), organisationText(row));
    });
  group
    .command('approve')
    .description('let its live keys in; ends a suspension too')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.approve(id);
      print(organisationView(row), `${row.name} is approved.`);
    });
  group
    .command('suspend')
    .description('refuse all its keys, live and test, from the next request on')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print, confirm } = await openSession(command);
      const { name } = await operator.getOrganisation(id);
      await confirm(`Suspend ${name} (${id})? All its requests will be refused.`);
      const row = await operator.suspend(id);
      print(organisationView(row), `${row.name} is suspended.`);
    });
  group
    .command('show')
    .description('status, services with prices, rate limit')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.getOrganisation(id);
      print(organisationView(row), organisationText(row));
    });
  group
    .command('list')
    .description('all organisations')
    .action(async (_: object, command: Command) => {
      const { operator, print } = await openSession(command);
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
  setRateCommand(group);
  setLowBalanceCommand(group);
}

function setRateCommand(group: Command): void {
  group
    .command('set-rate')
    .description('requests that each of its keys may send')
    .addArgument(organisationArgument())
    .addArgument(countArgument('<perSecond>', 'requests a second, sustained'))
    .addArgument(countArgument('<burst>', 'requests at once'))
    .action(async (id: string, perSecond: number, burst: number, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.setRate(id, { perSecond, burst });
      print(organisationView(row), `${row.name}: ${rateText(row)}.`);
    });
}

function setLowBalanceCommand(group: Command): void {
  group
    .command('set-low-balance')
    .description("from which balance on the event Balance Low is sent; without a number, the stage's own")
    .addArgument(organisationArgument())
    .addArgument(countArgument('[credits]', 'low below so many credits'))
    .action(async (id: string, credits: number | undefined, _: object, command: Command) => {
      const { operator, print } = await openSession(command);
      const row = await operator.setLowBalance(id, credits);
      print(organisationView(row), `${row.name}: low ${lowBalanceText(row)}.`);
    });
}

/** The enabled services in the catalogue's order, each with the price that the organisation pays, in credits. */
function pricesOf({ services }: Organisation): { name: string; price: number }[] {
  return SERVICE_NAMES.filter((name) => Object.hasOwn(services, name)).map((name) => ({
    name,
    price: services[name]?.price ?? SERVICES[name].price,
  }));
}

/** An organisation for scripts. */
export function organisationView(row: Organisation) {
  const { id, name, status, rateLimit, walletShards, lowBalanceCredits, createdAt } = row;
  return { id, name, status, services: pricesOf(row), rateLimit, walletShards, lowBalanceCredits, createdAt };
}

function organisationText(row: Organisation): string {
  const services = pricesOf(row).map(({ name, price }) => `${name} (${price})`);
  return fields({
    id: row.id,
    name: row.name,
    status: row.status,
    services: services.join(', ') || 'none',
    rate: rateText(row),
    shards: row.walletShards,
    low: lowBalanceText(row),
    created: time(row.createdAt),
  });
}

function lowBalanceText({ lowBalanceCredits }: Organisation): string {
  return lowBalanceCredits === undefined ? "below the stage's number" : `below ${lowBalanceCredits} credits`;
}

function rateText({ rateLimit }: Organisation): string {
  return `${rateLimit.perSecond} requests a second, ${rateLimit.burst} at once`;
}

/** The services of an organisation for people. */
export function servicesText(row: Organisation): string {
  const lines = pricesOf(row).map(({ name, price }) => [name, price]);
  return lines.length > 0 ? table(['SERVICE', 'CREDITS'], lines) : `${row.name} has no services enabled.`;
}
