import * as v from 'valibot';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import {
  LIVE_PROVIDER_NAMES,
  LIVE_PROVIDERS,
  needsNames,
} from '../../shared/registries/providers/catalogue.ts';
import { STAGES, type StageConfig } from '../config.ts';
import { OPERATOR_ROLES } from '../constructs/operator-profiles.ts';
import { FUNCTION_NAMES } from '../routes.ts';

/** The least number of executions that Lambda requires to remain unreserved. */
const UNRESERVED_EXECUTIONS = 100;

function whole(least: number, most?: number) {
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  const message = `Use a whole number ${range}.`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most ?? Number.MAX_SAFE_INTEGER, message),
  );
}

function oneOf<const T extends readonly (string | number)[]>(options: T) {
  return v.picklist(
    options,
    ({ received }) => `${received} is not allowed. Use one of: ${options.join(', ')}.`,
  );
}

const OBJECT = 'Use an object.';

function settings<const T extends v.ObjectEntries>(entries: T) {
  return v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return 'This setting is unknown. Correct its spelling or remove it.';
    return received === 'undefined' ? 'This setting is required. Add it.' : OBJECT;
  });
}

const TEXT = 'Use text that is not empty.';
const text = v.pipe(v.string(TEXT), v.nonEmpty(TEXT));

const DOMAIN_NAME = 'Use a domain name without a scheme or path, for example api.example.com.';
const CERTIFICATE = 'Use the ARN of a certificate in Certificate Manager.';

const domain = settings({
  name: v.pipe(v.string(DOMAIN_NAME), v.regex(/^([a-z\d-]+\.)+[a-z]+$/, DOMAIN_NAME)),
  certificateArn: v.pipe(
    v.string(CERTIFICATE),
    v.regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/, CERTIFICATE),
  ),
  hostedZone: v.optional(settings({ id: text, name: text })),
});

const USER = 'Use ARNs of IAM users, for example arn:aws:iam::111122223333:user/ada.';

const operators = settings({
  users: v.optional(
    v.record(
      oneOf(OPERATOR_ROLES),
      v.pipe(
        v.array(v.pipe(v.string(USER), v.regex(/^arn:[\w-]+:iam::\d{12}:user\/[\w+=,.@/-]+$/, USER)), USER),
        v.nonEmpty(USER),
      ),
      OBJECT,
    ),
  ),
  sessionHours: v.optional(whole(1, 12)),
});

const operations = v.pipe(
  settings({
    alarmEmail: v.optional(v.pipe(v.string('Use an email address.'), v.email('Use an email address.'))),
    rollout: v.optional(oneOf(['canary', 'linear'])),
    // The minimum of AWS WAF.
    firewall: v.optional(settings({ requestsPerAddress: whole(10) })),
    domain: v.optional(domain),
    reservedConcurrency: v.optional(v.record(oneOf(FUNCTION_NAMES), whole(0), OBJECT)),
    accountConcurrency: whole(1),
    operators: v.optional(operators),
    secretMaxAgeDays: v.optional(whole(1)),
  }),
  v.check(({ reservedConcurrency = {}, accountConcurrency }) => {
    const counts = Object.values(reservedConcurrency);
    const reserved = counts.reduce((sum, count) => sum + count, 0);
    return counts.length === 0 || reserved + UNRESERVED_EXECUTIONS <= accountConcurrency;
  }, `Lower reservedConcurrency: the sum of its values must be at least ${UNRESERVED_EXECUTIONS} below accountConcurrency.`),
);

const stageConfig = settings({
  stage: oneOf(STAGES),
  // 0 rejects all callers, which a restore needs (docs/operations.md).
  throttling: settings({
    rateLimit: v.pipe(v.number('Use a number of at least 0.'), v.minValue(0, 'Use a number of at least 0.')),
    burstLimit: whole(0),
  }),
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
  slipTheme: v.optional(text),
  lowBalanceCredits: whole(0),
  secondPerson: v.optional(settings({ creditsAbove: whole(0) })),
  customerManagedKey: v.boolean('Use true or false.'),
  restoredTables: v.optional(
    settings({ ApiKeys: text, Wallets: text, VerificationLogs: text, AuditTrail: text }),
  ),
  operations: v.optional(operations),
});

/**
 * Throws if a setting is invalid, with its name and what to do, before anything reaches AWS. Node does not check the
 * types of the stage files, and CloudFormation would reject a setting late or ignore a misspelt provider.
 */
export function checkConfig(config: StageConfig): void {
  const file = `infra/stages/${config.stage}.ts`;
  const { success, issues } = v.safeParse(stageConfig, config);
  if (!success) {
    const problems = issues.map((issue) => `\n- ${v.getDotPath(issue)}: ${issue.message}`);
    throw new Error(`${file} has invalid settings:${problems.join('')}`);
  }
  rejectSandbox(config, file);
  rejectNamesOnly(config, file);
  checkNubanResolve(config, file);
}

/** Only the stage `local` may use the sandbox for live keys, since its records are invented (decision A9). */
function rejectSandbox({ stage, registries }: StageConfig, file: string): void {
  const routed = ID_TYPES.filter((idType) => registries[idType]?.includes('sandbox'));
  if (stage === 'local' || routed.length === 0) return;
  throw new Error(
    `${file} uses the sandbox, which returns invented records, for live ${routed.join(', ')} look-ups. ` +
      'Remove "sandbox" from registries. Only the stage local may use the sandbox for live look-ups.',
  );
}

/** Callers cannot send the holder's names, so an ID type needs a provider that looks up the number alone. */
function rejectNamesOnly({ registries }: StageConfig, file: string): void {
  const unusable = ID_TYPES.filter((idType) => {
    const names = registries[idType] ?? [];
    return names.length > 0 && names.every((name) => needsNames(name, idType));
  });
  if (unusable.length === 0) return;
  throw new Error(
    `${file} routes live ${unusable.join(', ')} look-ups only to providers that require the holder's names. ` +
      'Callers cannot send names, so these look-ups would fail. For each of these ID types, add a provider that does ' +
      'not require names to registries, or remove the ID type.',
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
