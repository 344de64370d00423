import type { IdType } from '../shared/core/id-types.ts';
import type { LiveProviderName } from '../shared/registries/providers/catalogue.ts';
import type { OperatorRole } from './constructs/operator-profiles.ts';

/** The settings of a stage. To change one, edit the stage's file in `infra/stages` and deploy. */

export const STAGES = ['dev', 'staging', 'prod', 'local'] as const;
export type Stage = (typeof STAGES)[number];

/** The providers that serve live keys, by ID type, in order of preference. */
export type LiveRouting = Partial<Readonly<Record<IdType, readonly (LiveProviderName | 'sandbox')[]>>>;

export interface StageConfig {
  readonly stage: Stage;
  /** API Gateway's limit for all callers together, in requests per second. Each API key also has its own limit. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** How long CloudWatch keeps the logs of functions and the access log, in days. */
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  /** How long rows of VerificationLogs are kept, in days (decision E6). */
  readonly verificationLogRetentionDays: number;
  /** Live keys receive 503 for an ID type that has no provider here. */
  readonly registries: LiveRouting;
  /** The deadline of a look-up at a registry, in milliseconds (ledger design). */
  readonly registryTimeoutMs: number;
  /**
   * Looks up an account without a bank code at all banks whose check digit fits, through a provider whose name enquiries
   * are free (docs/registries.md, "Banks"). If false, such a live request is rejected.
   */
  readonly nubanResolve: boolean;
  /** The deadline of one DynamoDB call, in milliseconds. */
  readonly databaseTimeoutMs: number;
  readonly logLevel: 'DEBUG' | 'INFO';
  /** The memory of each function, in MB. Lambda assigns processor time in proportion. */
  readonly functionMemoryMb: number;
  /** The base URL of the QR codes on slips. @default the domain, or the host that the request was sent to */
  readonly publicBaseUrl?: string | undefined;
  /** The file of an authorised slip theme, relative to the project (docs/slips/README.md). @default built-in theme */
  readonly slipTheme?: string | undefined;
  /** `Balance Low` is published when the balance falls below this number of credits (docs/events.md). */
  readonly lowBalanceCredits: number;
  /**
   * Each top-up of more credits than this, every correction and every erasure needs a second person (docs/admin.md, "Ask
   * a second person").
   * @default nothing needs a second person
   */
  readonly secondPerson?: { readonly creditsAbove: number } | undefined;
  /** Protects the pepper and VerificationLogs with a key of the account (docs/operations.md, "The key of the stage"). */
  readonly customerManagedKey: boolean;
  /** Restored tables that replace those of the data stack (docs/operations.md, "Restore"). @default none */
  readonly restoredTables?:
    | Readonly<Record<'ApiKeys' | 'Wallets' | 'VerificationLogs' | 'AuditTrail', string>>
    | undefined;
  /** Settings for AWS. Undefined only in the stage `local`, which has no alarms, traces, events or rollouts. */
  readonly operations?: OperationsConfig | undefined;
}

export interface OperationsConfig {
  /** Subscribes this address to the SNS topic of the alarms. Confirm the subscription once. */
  readonly alarmEmail?: string;
  /** How traffic shifts to a new version of a function behind the API. @default all at once, without rollback */
  readonly rollout?: 'canary' | 'linear';
  /** The number of requests that one IP address may send in 5 minutes. @default no firewall */
  readonly firewall?: { readonly requestsPerAddress: number };
  /** @default the URL that API Gateway generates */
  readonly domain?: DomainConfig;
  /** Reserved concurrent executions by function name, which limit and guarantee its capacity. @default none */
  readonly reservedConcurrency?: Readonly<Record<string, number>>;
  /** The account's quota in this region (Service Quotas, AWS Lambda, "Concurrent executions"). */
  readonly accountConcurrency: number;
  /** Who may assume the roles of operators (docs/admin.md, "Roles"). @default see OperatorsConfig */
  readonly operators?: OperatorsConfig;
  /** The age in days at which the alarm `secret-age` fires (docs/operations.md). @default 365 */
  readonly secretMaxAgeDays?: number;
}

export interface OperatorsConfig {
  /**
   * The ARNs of the IAM users who may assume each role. They need no other permission if they belong to the account of
   * the stage. @default each IAM user of the account whose own policies allow `sts:AssumeRole` on the role
   */
  readonly users?: Partial<Readonly<Record<OperatorRole, readonly string[]>>>;
  /** The longest session, in hours, from 1 to 12. @default 1 */
  readonly sessionHours?: number;
}

export interface DomainConfig {
  readonly name: string;
  /** An ARN of Certificate Manager, in the region of the stacks. */
  readonly certificateArn: string;
  /** The Route 53 zone for the domain's record. @default none: add a record that points to the output DomainTarget */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}
