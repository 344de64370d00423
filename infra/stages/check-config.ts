import * as v from 'valibot';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { OPERATOR_ROLES } from '../../shared/operators/actions.ts';
import {
  LIVE_PROVIDER_NAMES,
  LIVE_PROVIDERS,
  needsNames,
} from '../../shared/registries/providers/catalogue.ts';
import { STAGES, type StageConfig, type Throttling } from '../config.ts';
import { accountQuota } from '../constructs/api/account-quota.ts';
import { keylessTotal } from '../constructs/console/console-limits.ts';
import { WITH_WARM_THROUGHPUT } from '../constructs/data/stage-tables.ts';
import { FUNCTION_NAMES } from '../function-sources.ts';
import { LEAST_WEBHOOK_EXECUTIONS } from './capacity.ts';
import { checkCapacity } from './check-capacity.ts';
import { checkConsole, consoleSchema, httpsUrl } from './console-schema.ts';
import { domain, previousDomain } from './domain-schema.ts';
import { checkMoney, money } from './money-schema.ts';
import { checkPin, stageFile } from './pin.ts';
import { bucketName, day, OBJECT, oneOf, settings, text, whole } from './schemas.ts';

const AT_LEAST_0 = 'Use a number of at least 0.';
const throttling = settings({
  rateLimit: v.pipe(v.number(AT_LEAST_0), v.minValue(0, AT_LEAST_0)),
  burstLimit: whole(0),
});

const GENERATED_URL = "Use 'closed', or an object with openUntil.";
const generatedUrl = v.union([v.literal('closed'), v.strictObject({ openUntil: day })], GENERATED_URL);

const USER = 'Use ARNs of IAM users, for example arn:aws:iam::111122223333:user/ada.';

const operators = settings({
  users: v.optional(
    v.record(
      oneOf([...OPERATOR_ROLES, 'break-glass']),
      v.pipe(
        v.array(v.pipe(v.string(USER), v.regex(/^arn:[\w-]+:iam::\d{12}:user\/[\w+=,.@/-]+$/, USER)), USER),
        v.nonEmpty(USER),
      ),
      OBJECT,
    ),
  ),
  sessionHours: v.optional(whole(1, 12)),
});

const trafficHours = v.pipe(
  settings({
    fromHourUtc: whole(0, 23),
    toHourUtc: whole(1, 24),
    weekdaysOnly: v.optional(v.boolean('Use true or false.')),
    quietMinutes: v.optional(oneOf([15, 30, 60])),
  }),
  v.check(
    ({ fromHourUtc, toHourUtc }) => fromHourUtc < toHourUtc,
    'Set toHourUtc to a later hour than fromHourUtc, on the same day in UTC.',
  ),
);

const REPOSITORY =
  'Use organisation/repository, or organisation@123456/repository@456789 if the repository uses immutable subjects.';

const delivery = settings({
  // Without a wildcard, which would trust other repositories.
  repository: v.pipe(
    v.string(REPOSITORY),
    v.regex(/^(?:[\w-]+\/[\w.-]+|[\w-]+@\d+\/[\w.-]+@\d+)$/, REPOSITORY),
  ),
  identityProvider: oneOf(['create', 'existing']),
});

const ACCOUNT = "Use the 12 digits of an AWS account in quotation marks, for example '123456789012'.";
const accountId = v.pipe(v.string(ACCOUNT), v.regex(/^\d{12}$/, ACCOUNT));
const REGION = "Use the name of an AWS region, for example 'eu-west-1'.";
const regionName = v.pipe(v.string(REGION), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, REGION));
const email = v.pipe(v.string('Use an email address.'), v.email('Use an email address.'));

const operations = v.pipe(
  settings({
    alarmEmail: v.optional(email),
    ticketEmail: v.optional(email),
    traces: v.optional(v.boolean('Use true or false.')),
    rollout: v.optional(oneOf(['canary', 'linear'])),
    // The minimum of AWS WAF.
    firewall: v.optional(settings({ requestsPerAddressPerMinute: whole(10) })),
    domain: v.optional(domain),
    generatedUrl: v.optional(generatedUrl),
    previousDomains: v.optional(v.array(previousDomain, 'Use a list of domains.')),
    accountConcurrency: whole(1),
    accountThrottling: v.optional(throttling),
    operators: v.optional(operators),
    probeRegion: v.optional(regionName),
    backup: v.optional(settings({ account: accountId, region: regionName })),
    delivery: v.optional(delivery),
    secretMaxAgeDays: v.optional(whole(1)),
    trafficHours: v.optional(trafficHours),
    monthlyBudget: v.optional(settings({ usd: whole(1), scope: oneOf(['account', 'stage']) })),
  }),
  v.forward(
    v.check(
      ({ monthlyBudget, alarmEmail }) => monthlyBudget === undefined || alarmEmail !== undefined,
      'Set alarmEmail too: AWS sends the budget notifications to this address.',
    ),
    ['monthlyBudget'],
  ),
  v.forward(
    v.check(
      ({ probeRegion, domain }) => probeRegion === undefined || domain !== undefined,
      'Set domain too: the probe checks the address that customers use.',
    ),
    ['probeRegion'],
  ),
  v.forward(
    v.check(
      ({ domain, generatedUrl }) => domain === undefined || generatedUrl !== undefined,
      "With a domain, state whether customers can still use the URL that API Gateway generates: 'closed' for a new " +
        "stage, or for example { openUntil: '2027-03-31' } for a stage whose customers use it.",
    ),
    ['generatedUrl'],
  ),
  v.forward(
    v.check(
      ({ domain, generatedUrl }) => domain !== undefined || generatedUrl === undefined,
      'Remove it: without a domain, the URL that API Gateway generates is the address of the API.',
    ),
    ['generatedUrl'],
  ),
  v.forward(
    v.check(({ domain, previousDomains = [] }) => {
      const names = [domain, ...previousDomains].flatMap((one) => one?.name ?? []);
      return new Set(names).size === names.length;
    }, 'Name each domain once, in domain or in previousDomains.'),
    ['previousDomains'],
  ),
);

const trafficLimit = { requestsPerSecond: whole(1), concurrentRequests: whole(1) };

const CONTACT = 'Use an email address or an https URL, for example support@example.com.';
const supportContact = v.union([v.pipe(v.string(), v.email()), httpsUrl], CONTACT);

const stageConfig = settings({
  stage: oneOf(STAGES),
  account: v.optional(accountId),
  region: v.optional(regionName),
  // 0 rejects all requests, which a restore needs (docs/operate/restore.md).
  throttling,
  keylessThrottling: settings({ routes: throttling, unknown: throttling }),
  logRetentionDays: oneOf([7, 30, 90, 365]),
  verificationLogRetentionDays: whole(1),
  registries: v.record(
    oneOf(ID_TYPES),
    v.array(oneOf([...LIVE_PROVIDER_NAMES, 'sandbox']), 'Use a list of providers.'),
    OBJECT,
  ),
  registryTimeoutMs: whole(1),
  nubanResolve: v.boolean('Use true or false.'),
  databaseTimeoutMs: whole(1),
  logLevel: oneOf(['DEBUG', 'INFO']),
  functionMemoryMb: whole(128, 10_240),
  publicBaseUrl: v.optional(text),
  supportContact: v.optional(supportContact),
  docsUrl: v.optional(httpsUrl),
  slipTheme: v.optional(text),
  lowBalanceCredits: whole(0),
  secondPerson: v.optional(settings({ creditsAbove: whole(0) })),
  warmThroughput: v.optional(
    v.record(
      oneOf(WITH_WARM_THROUGHPUT),
      // DynamoDB's values for a new table, which is the least that it accepts.
      settings({ readUnitsPerSecond: whole(12_000), writeUnitsPerSecond: whole(4_000) }),
      OBJECT,
    ),
  ),
  customerManagedKey: v.boolean('Use true or false.'),
  auditArchive: settings({
    // The longest retention that S3 accepts is 100 years.
    retentionDays: whole(1, 36_500),
    bucket: v.optional(settings({ name: bucketName, account: accountId })),
  }),
  money: v.optional(money),
  console: v.optional(consoleSchema),
  restoredTables: v.optional(
    settings({
      ApiKeys: text,
      Wallets: text,
      VerificationLogs: text,
      AuditTrail: text,
      AuditTrailStream: text,
      Approvals: text,
      Payments: text,
      Console: text,
    }),
  ),
  testTraffic: v.optional(settings({ ...trafficLimit, perOrganisation: settings(trafficLimit) })),
  reservedConcurrency: v.optional(v.record(oneOf(FUNCTION_NAMES), whole(0), OBJECT)),
  webhookConcurrency: v.optional(whole(LEAST_WEBHOOK_EXECUTIONS, 1_000)),
  operations: v.optional(operations),
});

/**
 * Returns the path of every setting, for example `operations.domain.name`, and of every group of settings that a
 * stage can omit, for example `operations.domain`.
 */
export function settingPaths(): string[] {
  return Object.entries(stageConfig.entries).flatMap(([name, schema]) => pathsOf(name, schema));
}

function pathsOf(path: string, schema: v.GenericSchema): string[] {
  if ('wrapped' in schema) {
    const inner = pathsOf(path, schema.wrapped as v.GenericSchema);
    return inner.includes(path) ? inner : [path, ...inner];
  }
  if (schema.type !== 'strict_object') return [path];
  const { entries } = schema as v.StrictObjectSchema<v.ObjectEntries, undefined>;
  return Object.entries(entries).flatMap(([name, inner]) =>
    pathsOf(`${path}.${name}`, inner as v.GenericSchema),
  );
}

/**
 * Throws if a setting is invalid, before anything reaches AWS. The message names the setting and says what to do. Node
 * does not check the types of the stage files, and CloudFormation would reject a setting late or ignore a misspelt
 * provider.
 */
export function checkConfig(config: StageConfig): void {
  const file = stageFile(config.stage);
  const { success, issues } = v.safeParse(stageConfig, config);
  if (!success) {
    const problems = issues.map((issue) => `\n- ${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(`${file} has invalid settings:${problems.join('')}`);
  }
  requireOperations(config, file);
  rejectSandbox(config, file);
  rejectNamesOnly(config, file);
  checkNubanResolve(config, file);
  checkBudgetRegion(config, file);
  checkProbeRegion(config, file);
  checkBackup(config, file);
  checkMoney(config, file);
  checkConsole(config, file);
  checkCapacity(config, file);
  checkPin(config);
  checkKeylessThrottling(config, file);
}

/**
 * Without these settings, a deployment would remove the rollouts, the firewall and the domain of the API, and leave the
 * alarms unchanged.
 */
function requireOperations({ stage, operations }: StageConfig, file: string): void {
  if (stage === 'local' || operations !== undefined) return;
  throw new Error(
    `${file} has no operations. Add \`operations: COMMON_OPERATIONS\`. Only the local stage can omit it.`,
  );
}

/** Only the stage `local` may use the sandbox for live keys, because its records are invented (contract A9). */
function rejectSandbox({ stage, registries }: StageConfig, file: string): void {
  const routed = ID_TYPES.filter((idType) => registries[idType]?.includes('sandbox'));
  if (stage === 'local' || routed.length === 0) return;
  throw new Error(
    `${file} uses the sandbox, which returns invented records, for live ${routed.join(', ')} look-ups. ` +
      'Remove "sandbox" from registries. Only the local stage may use the sandbox for live look-ups.',
  );
}

/** Most requests do not contain the holder's names, so an ID type needs a provider that looks up the number alone. */
function rejectNamesOnly({ registries }: StageConfig, file: string): void {
  const unusable = ID_TYPES.filter((idType) => {
    const names = registries[idType] ?? [];
    return names.length > 0 && names.every((name) => needsNames(name, idType));
  });
  if (unusable.length === 0) return;
  throw new Error(
    `${file} routes live ${unusable.join(', ')} look-ups only to providers that require the holder's names. ` +
      'Requests need not contain names, and look-ups without them would fail. For each of these ID types, add to registries ' +
      'a provider that does not require names, or remove the ID type.',
  );
}

/** Without a provider whose name enquiries are free, the setting would have no effect. */
function checkNubanResolve({ nubanResolve, registries }: StageConfig, file: string): void {
  const free = LIVE_PROVIDER_NAMES.filter((name) => 'hasFreeNameEnquiry' in LIVE_PROVIDERS[name]);
  if (!nubanResolve || free.some((name) => registries.NUBAN?.includes(name))) return;
  throw new Error(
    `${file} sets nubanResolve, which needs a provider with free name enquiries. ` +
      `Add such a provider (${free.join(', ')}) to registries.NUBAN, or set nubanResolve to false.`,
  );
}

/** Requests without an API key must leave enough of the account's quota for the limit of one route with a key. */
function checkKeylessThrottling(config: StageConfig, file: string): void {
  const { stage, throttling } = config;
  const quota = accountQuota(config);
  const keyless = keylessTotal(config);
  const fits = (key: keyof Throttling) => keyless[key] + throttling[key] <= quota[key];
  if (stage === 'local' || (fits('rateLimit') && fits('burstLimit'))) return;
  const text = ({ rateLimit, burstLimit }: Throttling) =>
    `${rateLimit} requests per second with a burst of ${burstLimit}`;
  throw new Error(
    `${file} lets requests without an API key use up the account's API Gateway quota. All methods without a key accept ` +
      `${text(keyless)} (keylessThrottling), a route with a key accepts ${text(throttling)} (throttling), and the account ` +
      `accepts ${text(quota)}. Lower keylessThrottling or throttling so that the sum of the first two does not exceed the third. If the ` +
      'account has a different quota, set operations.accountThrottling.',
  );
}

/** The regions in which CloudFormation has the type AWS::Budgets::Budget, according to cfn-lint 1.58. */
const REGIONS_WITH_BUDGETS =
  'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 eu-central-1 eu-west-1 eu-west-2 eu-west-3 ' +
  'ap-south-1 ap-northeast-1 ap-northeast-2 ap-southeast-1 ap-southeast-2 me-south-1';

/** In other regions, the deployment of the operations stack would fail. */
function checkBudgetRegion({ region, operations }: StageConfig, file: string): void {
  if (!operations?.monthlyBudget || !region || REGIONS_WITH_BUDGETS.split(' ').includes(region)) return;
  throw new Error(
    `${file} sets operations.monthlyBudget, which CloudFormation does not support in ${region}. ` +
      'Remove it, and create the budget with the command in docs/operate/cost.md, "Budget".',
  );
}

/** A probe in the region of the stage would fail with it, and its alarm too. */
function checkProbeRegion({ region, operations }: StageConfig, file: string): void {
  if (!operations?.probeRegion || (region && region !== operations.probeRegion)) return;
  throw new Error(
    `${file} sets operations.probeRegion, which must differ from the region of the stage. Set region, and another region for the probe.`,
  );
}

/** Copies next to the tables would be lost with them. */
function checkBackup({ account, region, operations }: StageConfig, file: string): void {
  const { backup } = operations ?? {};
  if (!backup || (account && region && account !== backup.account && region !== backup.region)) return;
  throw new Error(
    `${file} sets operations.backup, whose account and region must both differ from those of the stage. ` +
      'Set account and region of the stage, and others for the copies.',
  );
}
