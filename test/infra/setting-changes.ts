import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ConsoleConfig,
  DeliveryConfig,
  MonthlyBudget,
  OperationsConfig,
  StageConfig,
  TrafficHours,
} from '../../infra/config.ts';
import { prod } from '../../infra/stages/prod.ts';
import type { TestTrafficLimits } from '../../shared/accounts/test-traffic.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import type { MoneySettings } from '../../shared/payments/settings.ts';
import {
  LIVE_PROVIDER_NAMES,
  LIVE_PROVIDERS,
  type LiveProviderName,
  needsNames,
} from '../../shared/registries/providers/catalogue.ts';
import { DEFAULT_THEME } from '../../shared/slips/default-theme.ts';
import { CONSOLE, CONSOLE_SETTINGS } from './console.ts';
import { MONEY_SETTINGS } from './money.ts';

/** For every setting, the changes that an operator may make to a running stage, or why the tests change none. */

export interface Change {
  /** Settings before the change, in addition to those in the file of prod. */
  readonly from: Partial<StageConfig>;
  readonly to: Partial<StageConfig>;
  /** Context values for the second deployment. */
  readonly context?: Readonly<Record<string, string>>;
  /** The kind and type of each fault that the change is expected to cause. @default none */
  readonly meant?: readonly string[];
}

function bothWays(from: Partial<StageConfig>, to: Partial<StageConfig>): Change[] {
  return [
    { from, to },
    { from: to, to: from },
  ];
}

function inOperations(changes: Partial<OperationsConfig>): Partial<StageConfig> {
  return { operations: { accountConcurrency: 1_000, ...prod.operations, ...changes } };
}

function withoutOperation(name: keyof OperationsConfig): Partial<StageConfig> {
  const { [name]: _, ...others } = { accountConcurrency: 1_000, ...prod.operations };
  return { operations: { accountConcurrency: 1_000, ...others } };
}

const themes = mkdtempSync(join(tmpdir(), 'theme-'));
process.once('exit', () => rmSync(themes, { recursive: true, force: true }));
const slipTheme = join(themes, 'theme.json');
const authorisation = { reference: 'TEST/2026/001', authority: 'An invented authority' };
writeFileSync(slipTheme, JSON.stringify({ ...DEFAULT_THEME, authorisation }));

/**
 * Returns a routing with all providers of each ID type, except these. Leaves out ID types for which every remaining
 * provider requires names.
 */
function registriesWithout(...removed: readonly LiveProviderName[]): Pick<StageConfig, 'registries'> {
  const routed = ID_TYPES.map((idType) => {
    const names = LIVE_PROVIDER_NAMES.filter((name) => idType in LIVE_PROVIDERS[name].idTypes);
    return [idType, names.filter((name) => !removed.includes(name))] as const;
  });
  const usable = routed.filter(([idType, names]) => names.some((name) => !needsNames(name, idType)));
  return { registries: Object.fromEntries(usable) };
}

const tables = {
  ApiKeys: 'keys-2',
  Wallets: 'wallets-2',
  VerificationLogs: 'logs-2',
  AuditTrail: 'trail-2',
  AuditTrailStream: 'arn:aws:dynamodb:eu-west-1:123456789012:table/trail-2/stream/2026-11-29T00:00:00.000',
  Approvals: 'approvals-2',
  Payments: 'payments-2',
  Console: 'console-2',
};
const otherArchive = { name: 'example-audit-archive', account: '111122223333' };
const archivedIn = (bucket: typeof otherArchive) => ({ auditArchive: { retentionDays: 2_557, bucket } });
const sold = (changes: Partial<MoneySettings> = {}) => ({ money: { ...MONEY_SETTINGS, ...changes } });
const soldBy = (changes: Partial<MoneySettings['seller']>) =>
  sold({ seller: { ...MONEY_SETTINGS.seller, ...changes } });
const restored = (changes: Partial<typeof tables> = {}) => ({ restoredTables: { ...tables, ...changes } });
const restoredAgain = (table: keyof typeof tables) => bothWays(restored(), restored({ [table]: 'again' }));

const keyless = (changes: Partial<StageConfig['keylessThrottling']>) => ({
  keylessThrottling: { ...prod.keylessThrottling, ...changes },
});
const quota = (rateLimit: number, burstLimit: number) =>
  inOperations({ accountThrottling: { rateLimit, burstLimit } });
const delivered = (changes: Partial<DeliveryConfig>) =>
  inOperations({ delivery: { repository: 'example/identity', identityProvider: 'existing', ...changes } });
const perOrganisation = { requestsPerSecond: 4, concurrentRequests: 4 };
const tested = (changes: Partial<TestTrafficLimits>) => ({
  testTraffic: { requestsPerSecond: 20, concurrentRequests: 20, perOrganisation, ...changes },
});
const testedEach = (changes: Partial<typeof perOrganisation>) =>
  tested({ perOrganisation: { ...perOrganisation, ...changes } });
const backup = { account: '444455556666', region: 'eu-central-1' };
const alarmEmail = 'ops@example.com';
const ticketEmail = 'tickets@example.com';
const inTraffic = (changes: Partial<TrafficHours>) =>
  inOperations({ trafficHours: { fromHourUtc: 7, toHourUtc: 18, ...changes } });
const budgeted = (changes: Partial<MonthlyBudget>) =>
  inOperations({ alarmEmail, monthlyBudget: { usd: 500, scope: 'stage', ...changes } });

const openUntil = '2027-03-31';
const hostedZone = { id: 'Z0MADEUP', name: 'example.com' };
const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/made-up';
const first = { name: 'api.example.com', hostedZone };
const second = { name: 'id.example.com', hostedZone };
const imported = { name: 'api.example.com', certificateArn };
const addressed = (domain: OperationsConfig['domain'], changes: Partial<OperationsConfig> = {}) =>
  inOperations({ ...(domain && { domain }), generatedUrl: { openUntil }, ...changes });
const closing = ['state lost: AWS::ApiGateway::DomainName'];
/** The certificate is retained, and no longer belongs to the stack. */
const released = ['state lost: AWS::CertificateManager::Certificate'];

const publicBaseUrl = CONSOLE.publicBaseUrl;
const consoled = (changes: Partial<ConsoleConfig> = {}) => ({
  publicBaseUrl,
  console: { ...CONSOLE_SETTINGS, ...changes },
});
const consoleAt = (domain: ConsoleConfig['domain']) => consoled({ domain });
const consoleName = { name: 'console.example.com' };
const consoleImported = { ...consoleName, certificateArn };

const warmed = (writeUnitsPerSecond: number): Partial<StageConfig> => ({
  warmThroughput: { Wallets: { readUnitsPerSecond: 12_000, writeUnitsPerSecond } },
});

/** Every setting of `settingPaths()` has an entry here or in `OTHER_STACKS`. */
export const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'throttling.rateLimit': bothWays({}, { throttling: { rateLimit: 0, burstLimit: 2_000 } }),
  'throttling.burstLimit': bothWays({}, { throttling: { rateLimit: 1_000, burstLimit: 0 } }),
  'keylessThrottling.routes.rateLimit': bothWays({}, keyless({ routes: { rateLimit: 10, burstLimit: 40 } })),
  'keylessThrottling.routes.burstLimit': bothWays({}, keyless({ routes: { rateLimit: 20, burstLimit: 20 } })),
  'keylessThrottling.unknown.rateLimit': bothWays({}, keyless({ unknown: { rateLimit: 2, burstLimit: 2 } })),
  'keylessThrottling.unknown.burstLimit': bothWays({}, keyless({ unknown: { rateLimit: 1, burstLimit: 4 } })),
  testTraffic: bothWays({}, tested({})),
  'testTraffic.requestsPerSecond': bothWays(tested({}), tested({ requestsPerSecond: 30 })),
  'testTraffic.concurrentRequests': bothWays(tested({}), tested({ concurrentRequests: 30 })),
  'testTraffic.perOrganisation.requestsPerSecond': bothWays(tested({}), testedEach({ requestsPerSecond: 5 })),
  'testTraffic.perOrganisation.concurrentRequests': bothWays(
    tested({}),
    testedEach({ concurrentRequests: 5 }),
  ),
  webhookConcurrency: bothWays(consoled(), { ...consoled(), webhookConcurrency: 100 }),
  reservedConcurrency: [
    ...bothWays({}, { reservedConcurrency: { 'nin-basic': 5 } }),
    ...bothWays({}, { reservedConcurrency: {} }),
  ],
  logRetentionDays: bothWays({}, { logRetentionDays: 30 }),
  verificationLogRetentionDays: bothWays({}, { verificationLogRetentionDays: 30 }),
  registries: [
    ...bothWays({}, registriesWithout()),
    ...LIVE_PROVIDER_NAMES.flatMap((name) => bothWays(registriesWithout(), registriesWithout(name))),
  ],
  registryTimeoutMs: bothWays({}, { registryTimeoutMs: 10_000 }),
  nubanResolve: bothWays(registriesWithout(), { ...registriesWithout(), nubanResolve: true }),
  databaseTimeoutMs: bothWays({}, { databaseTimeoutMs: 1_000 }),
  logLevel: bothWays({}, { logLevel: 'DEBUG' }),
  functionMemoryMb: bothWays({}, { functionMemoryMb: 1_024 }),
  publicBaseUrl: bothWays({}, { publicBaseUrl: 'https://id.example.com' }),
  supportContact: bothWays({}, { supportContact: 'https://example.com/support' }),
  docsUrl: bothWays({}, { docsUrl: 'https://docs.example.com/' }),
  slipTheme: bothWays({}, { slipTheme }),
  lowBalanceCredits: bothWays({}, { lowBalanceCredits: 5 }),
  secondPerson: bothWays({}, { secondPerson: undefined }),
  'secondPerson.creditsAbove': bothWays({}, { secondPerson: { creditsAbove: 0 } }),
  warmThroughput: bothWays({}, warmed(40_000)),
  customerManagedKey: bothWays({}, { customerManagedKey: false }),
  money: bothWays({}, sold()),
  'money.seller.name': bothWays(sold(), soldBy({ name: 'Example Identity Plc' })),
  'money.seller.address': bothWays(sold(), soldBy({ address: ['2 Example Street', 'Abuja'] })),
  'money.seller.taxNumber': bothWays(sold(), soldBy({ taxNumber: '12345678-0002' })),
  'money.seller.email': bothWays(sold(), soldBy({ email: 'billing@example.com' })),
  'money.vat': bothWays(sold(), sold({ vat: [{ from: '2020-02-01', basisPoints: 1_000 }] })),
  'money.documentPrefix': bothWays(sold(), sold({ documentPrefix: 'VERIFY' })),
  'money.leastCredits': bothWays(sold(), sold({ leastCredits: 500 })),
  'money.mostCredits': bothWays(sold(), sold({ mostCredits: 500 })),
  'auditArchive.retentionDays': bothWays({}, { auditArchive: { retentionDays: 1 } }),
  'auditArchive.bucket': bothWays({}, archivedIn(otherArchive)),
  'auditArchive.bucket.name': bothWays(
    archivedIn(otherArchive),
    archivedIn({ ...otherArchive, name: 'other' }),
  ),
  'auditArchive.bucket.account': bothWays(
    archivedIn(otherArchive),
    archivedIn({ ...otherArchive, account: '444455556666' }),
  ),
  'money.exportBucket': bothWays(sold(), sold({ exportBucket: 'example-finance-reports' })),
  console: bothWays({ publicBaseUrl }, consoled()),
  'console.domain': [
    { from: consoled(), to: consoleAt(consoleImported), meant: released },
    { from: consoleAt(consoleImported), to: consoled() },
  ],
  'console.domain.name': bothWays(
    consoled(),
    consoleAt({ ...CONSOLE_SETTINGS.domain, name: 'accounts.example.com' }),
  ).map((change) => ({ ...change, meant: [...closing, ...released] })),
  'console.domain.certificateArn': bothWays(
    consoleAt(consoleImported),
    consoleAt({ ...consoleImported, certificateArn: `${certificateArn}-2` }),
  ),
  'console.domain.hostedZone': bothWays(
    consoleAt(consoleImported),
    consoleAt({ ...consoleImported, hostedZone }),
  ),
  'console.domain.hostedZone.id': bothWays(
    consoleAt({ ...consoleImported, hostedZone }),
    consoleAt({ ...consoleImported, hostedZone: { ...hostedZone, id: 'Z1MADEUP' } }),
  ),
  'console.domain.hostedZone.name': bothWays(
    consoleAt({ ...consoleImported, hostedZone }),
    consoleAt({ ...consoleImported, hostedZone: { ...hostedZone, name: 'console.example.com' } }),
  ),
  // The sign-in pages move to a different address (docs/operate/console-setup.md).
  'console.signInPrefix': bothWays(consoled(), consoled({ signInPrefix: 'other-identity' })).map(
    (change) => ({
      ...change,
      meant: ['state lost: AWS::Cognito::UserPoolDomain'],
    }),
  ),
  'console.mailFrom': bothWays(consoled(), consoled({ mailFrom: 'accounts@example.org' })),
  'console.terms.version': bothWays(
    consoled(),
    consoled({ terms: { ...CONSOLE_SETTINGS.terms, version: '2027-01' } }),
  ),
  'console.terms.url': bothWays(
    consoled(),
    consoled({ terms: { ...CONSOLE_SETTINGS.terms, url: 'https://example.com/other' } }),
  ),
  'console.testCredits': bothWays(consoled(), consoled({ testCredits: 500 })),
  'console.documentationUrl': bothWays(
    consoled(),
    consoled({ documentationUrl: 'https://docs.example.com' }),
  ),
  restoredTables: bothWays({}, restored()),
  'restoredTables.ApiKeys': restoredAgain('ApiKeys'),
  'restoredTables.Wallets': restoredAgain('Wallets'),
  'restoredTables.VerificationLogs': restoredAgain('VerificationLogs'),
  'restoredTables.AuditTrail': restoredAgain('AuditTrail'),
  'restoredTables.AuditTrailStream': restoredAgain('AuditTrailStream'),
  'restoredTables.Approvals': restoredAgain('Approvals'),
  'restoredTables.Payments': restoredAgain('Payments'),
  'restoredTables.Console': restoredAgain('Console'),
  'operations.alarmEmail': bothWays({}, inOperations({ alarmEmail })),
  'operations.probeRegion': bothWays(
    addressed(imported),
    addressed(imported, { probeRegion: 'eu-central-1' }),
  ),
  // Without the setting, the backup stack stays deployed.
  'operations.backup': bothWays({}, inOperations({ backup })),
  'operations.backup.account': bothWays(
    inOperations({ backup }),
    inOperations({ backup: { ...backup, account: '777788889999' } }),
  ),
  'operations.backup.region': bothWays(
    inOperations({ backup }),
    inOperations({ backup: { ...backup, region: 'eu-west-2' } }),
  ),
  'operations.traces': bothWays({}, inOperations({ traces: true })),
  'operations.ticketEmail': [
    { from: inOperations({ alarmEmail }), to: inOperations({ alarmEmail, ticketEmail }) },
    // The topic of tickets is removed.
    {
      ...{ from: inOperations({ alarmEmail, ticketEmail }), to: inOperations({ alarmEmail }) },
      meant: ['state lost: AWS::SNS::Topic'],
    },
  ],
  'operations.rollout': [
    ...bothWays({}, inOperations({ rollout: 'linear' })),
    { from: withoutOperation('rollout'), to: {} },
    // The function that checks new versions is removed. Its log group is retained, and no longer belongs to the stack.
    { from: {}, to: withoutOperation('rollout'), meant: ['state lost: AWS::Logs::LogGroup'] },
  ],
  'operations.firewall': bothWays({}, withoutOperation('firewall')),
  'operations.firewall.requestsPerAddressPerMinute': bothWays(
    {},
    inOperations({ firewall: { requestsPerAddressPerMinute: 100 } }),
  ),
  'operations.domain': [
    { from: {}, to: addressed(first) },
    // The stage returns to the generated URL, with and without an overlap.
    { from: addressed(first), to: inOperations({ previousDomains: [{ ...first, openUntil }] }) },
    { from: addressed(first), to: {}, meant: [...closing, ...released] },
    { from: addressed(imported), to: {}, meant: closing },
  ],
  'operations.domain.name': [
    { from: addressed(first), to: addressed(second, { previousDomains: [{ ...first, openUntil }] }) },
    { from: addressed(first), to: addressed(second), meant: [...closing, ...released] },
  ],
  'operations.domain.certificateArn': [
    { from: addressed(imported), to: addressed({ ...imported, certificateArn: `${certificateArn}-2` }) },
    { from: addressed({ ...imported, hostedZone }), to: addressed(first) },
    { from: addressed(first), to: addressed({ ...imported, hostedZone }), meant: released },
  ],
  'operations.domain.hostedZone': bothWays(addressed(imported), addressed({ ...imported, hostedZone })),
  'operations.domain.hostedZone.id': [
    ...bothWays(
      addressed({ ...imported, hostedZone }),
      addressed({ ...imported, hostedZone: { id: 'Z1MADEUP', name: 'example.com' } }),
    ),
    // A certificate that is validated in the new zone replaces the stage's certificate.
    {
      from: addressed(first),
      to: addressed({ ...first, hostedZone: { id: 'Z1MADEUP', name: 'example.com' } }),
      meant: released,
    },
  ],
  'operations.domain.hostedZone.name': bothWays(
    addressed({ ...imported, hostedZone }),
    addressed({ ...imported, hostedZone: { id: 'Z0MADEUP', name: 'api.example.com' } }),
  ),
  'operations.generatedUrl': bothWays(addressed(first), addressed(first, { generatedUrl: 'closed' })),
  'operations.previousDomains': [
    { from: addressed(second), to: addressed(second, { previousDomains: [{ ...first, openUntil }] }) },
    {
      from: addressed(second, { previousDomains: [{ ...first, openUntil }] }),
      to: addressed(second),
      meant: [...closing, ...released],
    },
    // The previous domain becomes the domain of the stage again.
    {
      from: addressed(second, { previousDomains: [{ ...first, openUntil }] }),
      to: addressed(first, { previousDomains: [{ ...second, openUntil }] }),
    },
  ],
  'operations.accountConcurrency': bothWays({}, inOperations({ accountConcurrency: 2_000 })),
  'operations.accountThrottling': bothWays({}, quota(20_000, 10_000)),
  'operations.accountThrottling.rateLimit': bothWays(quota(10_000, 5_000), quota(20_000, 5_000)),
  'operations.accountThrottling.burstLimit': bothWays(quota(10_000, 5_000), quota(10_000, 10_000)),
  // Without the setting, the delivery stack stays deployed.
  'operations.delivery': bothWays({}, delivered({})),
  'operations.delivery.repository': bothWays(delivered({}), delivered({ repository: 'example/other' })),
  'operations.delivery.identityProvider': [
    { from: delivered({}), to: delivered({ identityProvider: 'create' }) },
    // The identity provider stays, because roles of other stages may use it.
    {
      from: delivered({ identityProvider: 'create' }),
      to: delivered({}),
      meant: ['name left behind: AWS::IAM::OIDCProvider'],
    },
  ],
  'operations.trafficHours': bothWays({}, inTraffic({})),
  'operations.trafficHours.fromHourUtc': bothWays(inTraffic({}), inTraffic({ fromHourUtc: 9 })),
  'operations.trafficHours.toHourUtc': bothWays(inTraffic({}), inTraffic({ toHourUtc: 20 })),
  'operations.trafficHours.weekdaysOnly': bothWays(inTraffic({}), inTraffic({ weekdaysOnly: true })),
  'operations.trafficHours.quietMinutes': bothWays(inTraffic({}), inTraffic({ quietMinutes: 60 })),
  'operations.monthlyBudget': bothWays(inOperations({ alarmEmail }), budgeted({})),
  'operations.monthlyBudget.usd': bothWays(budgeted({}), budgeted({ usd: 900 })),
  'operations.monthlyBudget.scope': bothWays(budgeted({}), budgeted({ scope: 'account' })),
  'operations.operators': bothWays({}, inOperations({ operators: { sessionHours: 2 } })),
  'operations.operators.users': bothWays(
    {},
    inOperations({ operators: { users: { finance: ['arn:aws:iam::123456789012:user/ada'] } } }),
  ),
  'operations.operators.sessionHours': bothWays({}, inOperations({ operators: { sessionHours: 12 } })),
  'operations.secretMaxAgeDays': bothWays({}, inOperations({ secretMaxAgeDays: 90 })),
};

/** Settings whose change does not update the deployed stacks, and why. */
export const OTHER_STACKS: Readonly<Record<string, string>> = {
  stage: 'The names of the stacks contain the stage.',
  account: 'A different account has different stacks (docs/operate/deploy.md, "Account and region").',
  region: 'A different region has different stacks (docs/operate/deploy.md, "Account and region").',
  'money.paystackUrl': 'Only the local stage, which is not deployed, can use a different address.',
  operations: 'Only the local stage, which is not deployed, can omit it.',
};
