import * as v from 'valibot';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { STAGES, type StageConfig } from '../config.ts';
import { FUNCTION_NAMES } from '../routes.ts';

/** What is refused at synthesis, before anything of it reaches AWS. */

/**
 * Throws where invented records could be sold as real ones: only the stage `local` may ask the sandbox for
 * live keys (decision A9).
 */
export function refuseSandbox({ stage, registries }: StageConfig): void {
  const asking = ID_TYPES.filter((idType) => registries[idType]?.includes('sandbox'));
  if (stage === 'local' || asking.length === 0) return;
  throw new Error(
    `The stage "${stage}" would ask the sandbox, which invents its records, for live ${asking.join(', ')} numbers. ` +
      `Only the stage "local" may do that: name real providers in infra/stages/${stage}.ts, or none.`,
  );
}

const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const name = v.pipe(v.string(), v.nonEmpty());

const domain = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^([a-z\d-]+\.)+[a-z]+$/, 'A domain is given as api.example.com')),
  certificateArn: v.pipe(
    v.string(),
    v.regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/, 'Expected the ARN of a certificate'),
  ),
  hostedZone: v.optional(v.strictObject({ id: name, name })),
});

/** Lambda keeps so many executions for the functions that reserve none. */
const UNRESERVED_EXECUTIONS = 100;

const operations = v.pipe(
  v.strictObject({
    alarmEmail: v.optional(v.pipe(v.string(), v.email())),
    rollout: v.optional(v.picklist(['canary', 'linear'])),
    // AWS WAF's own least.
    firewall: v.optional(v.strictObject({ requestsPerAddress: whole(10) })),
    domain: v.optional(domain),
    reservedConcurrency: v.optional(v.record(v.picklist(FUNCTION_NAMES), whole(0))),
    accountConcurrency: whole(1),
    secretMaxAgeDays: v.optional(whole(1)),
  }),
  v.check(({ reservedConcurrency = {}, accountConcurrency }) => {
    const counts = Object.values(reservedConcurrency);
    const reserved = counts.reduce((sum, count) => sum + count, 0);
    return counts.length === 0 || reserved + UNRESERVED_EXECUTIONS <= accountConcurrency;
  }, 'reservedConcurrency must leave 100 of accountConcurrency to the other functions'),
);

const stageConfig = v.strictObject({
  stage: v.picklist(STAGES),
  // 0 is for a restore (docs/operations.md): nobody gets in.
  throttling: v.strictObject({ rateLimit: v.pipe(v.number(), v.minValue(0)), burstLimit: whole(0) }),
  logRetentionDays: v.picklist([7, 30, 90, 365]),
  verificationLogRetentionDays: whole(1),
  registries: v.record(v.picklist(ID_TYPES), v.array(v.picklist([...LIVE_PROVIDER_NAMES, 'sandbox']))),
  registryTimeoutMs: whole(1),
  databaseTimeoutMs: whole(1),
  acceptTaxId: v.boolean(),
  logLevel: v.picklist(['DEBUG', 'INFO']),
  functionMemoryMb: whole(128, 10_240),
  publicBaseUrl: v.optional(v.string()),
  slipTheme: v.optional(name),
  lowBalanceCredits: whole(0),
  restoredTables: v.optional(v.strictObject({ ApiKeys: name, Wallets: name, VerificationLogs: name })),
  operations: v.optional(operations),
});

/**
 * Throws where the settings of a stage cannot work, and says which: node runs the stage files without their types, and
 * CloudFormation would refuse late, or take a misspelt provider for none.
 */
export function checkConfig(config: StageConfig): void {
  const { success, issues } = v.safeParse(stageConfig, config);
  if (success) return;
  const faults = issues.map((issue) => [v.getDotPath(issue), issue.message].filter(Boolean).join(': '));
  throw new Error(`The settings of the stage "${config.stage}" cannot work. ${faults.join('. ')}.`);
}
