import type { TestTrafficLimits } from '../shared/accounts/test-traffic.ts';
import type { IdType } from '../shared/core/id-types.ts';
import type { OperatorRole } from '../shared/operators/actions.ts';
import type { MoneySettings } from '../shared/payments/settings.ts';
import type { LiveProviderName } from '../shared/registries/providers/catalogue.ts';
import type { TableName } from './constructs/access/access-profiles.ts';

/** To change one, edit the stage's file in `infra/stages` and deploy. */

export const STAGES = ['dev', 'staging', 'prod', 'local'] as const;
export type Stage = (typeof STAGES)[number];

/** By ID type, in order of preference. */
export type LiveRouting = Partial<Readonly<Record<IdType, readonly (LiveProviderName | 'sandbox')[]>>>;

export interface StageConfig {
  readonly stage: Stage;
  /**
   * The 12 digits of the stage's AWS account. Required in staging and prod (docs/operate/deploy.md, "Account and region").
   * @default the account of the AWS profile
   */
  readonly account?: string | undefined;
  /**
   * The AWS region of the stage (docs/operate/regions.md). Required in staging and prod. @default the region of the AWS profile
   */
  readonly region?: string | undefined;
  /**
   * API Gateway's limit for each route with an API key, for all callers together. Each API key also has its own. 0
   * rejects all requests.
   */
  readonly throttling: Throttling;
  /**
   * Lower limits, so that requests without a key do not use up the account's quota (docs/operate/capacity.md). `routes`: each route without a key. `unknown`: each other method of each path.
   */
  readonly keylessThrottling: { readonly routes: Throttling; readonly unknown: Throttling };
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  /** Contract E6. */
  readonly verificationLogRetentionDays: number;
  /** Live keys receive 503 for an ID type without a provider. */
  readonly registries: LiveRouting;
  /** The time limit of a look-up (docs/design/ledger.md). */
  readonly registryTimeoutMs: number;
  /**
   * Whether an account without a bank code is looked up at all banks that fit, through free name enquiries
   * (docs/operate/registries.md). If false, such live requests are rejected.
   */
  readonly nubanResolve: boolean;
  /** For one attempt. */
  readonly databaseTimeoutMs: number;
  readonly logLevel: 'DEBUG' | 'INFO';
  /** Lambda assigns processor time in proportion. */
  readonly functionMemoryMb: number;
  /**
   * The base URL of the QR codes on slips, and of the page to which Paystack sends the browser after a payment.
   * @default the domain, or the host that the request was sent to
   */
  readonly publicBaseUrl?: string | undefined;
  /**
   * Where customers contact support: an email address or an https URL. The OpenAPI document contains it
   * (`info.contact`). Without it, the synthesis of staging and prod prints a reminder. @default none
   */
  readonly supportContact?: string | undefined;
  /** The https URL of the documentation site. Alarms link to their runbooks there. @default they name the file */
  readonly docsUrl?: string | undefined;
  /** The file of an authorised slip theme, relative to the project (docs/design/slips/README.md). @default built-in theme */
  readonly slipTheme?: string | undefined;
  /** The threshold of `Balance Low` (docs/operate/events.md). Organisations can have their own. */
  readonly lowBalanceCredits: number;
  /**
   * Top-ups and credit notes of one person with more credits than this on a day need a second person, and so does every
   * correction, erasure, change of a price and reopening of a month (docs/operate/admin/second-person.md).
   * @default nothing needs a second person
   */
  readonly secondPerson?: { readonly creditsAbove: number } | undefined;
  /**
   * The capacity that a table or index has without having grown to it, by `Wallets` or `Wallets.statement`
   * (docs/operate/scale.md). It can only be raised. @default DynamoDB's
   */
  readonly warmThroughput?: WarmThroughput | undefined;
  /** Protects the pepper and VerificationLogs (docs/operate/key-of-the-stage.md). */
  readonly customerManagedKey: boolean;
  /** The seller, VAT and limits of top-ups (docs/finance/settings.md). @default customers cannot pay through the API */
  readonly money?: MoneySettings | undefined;
  /** See docs/operate/audit-archive.md. */
  readonly auditArchive: AuditArchiveConfig;
  /** The account console (docs/operate/console-setup.md). @default no console */
  readonly console?: ConsoleConfig | undefined;
  /** Restored tables that replace those of the data stack (docs/operate/restore.md). @default none */
  readonly restoredTables?: RestoredTables | undefined;
  /**
   * The budget for look-ups with test keys: requests per second and look-ups in progress, for the stage and for each
   * organisation (docs/operate/capacity.md). @default derived from accountConcurrency
   */
  readonly testTraffic?: TestTrafficLimits | undefined;
  /**
   * Reserved concurrent executions by function name. They limit a function's capacity and guarantee it. The setting
   * replaces the default, so `{}` reserves none. @default derived from accountConcurrency (docs/operate/capacity.md)
   */
  readonly reservedConcurrency?: Readonly<Record<string, number>> | undefined;
  /**
   * The maximum number of concurrent executions of `deliver-webhook`, from 2 to 1,000 (docs/operate/capacity.md).
   * @default a tenth of accountConcurrency, at least 2 and at most 40
   */
  readonly webhookConcurrency?: number | undefined;
  /** Undefined only in the stage `local`. */
  readonly operations?: OperationsConfig | undefined;
}

interface AuditArchiveConfig {
  /** Nobody can delete or replace a new object for so long. */
  readonly retentionDays: number;
  /** A bucket in another AWS account and in the region of the stage. @default a bucket of the data stack */
  readonly bucket?: { readonly name: string; readonly account: string } | undefined;
}

/** In units per second. */
export type WarmThroughput = Readonly<
  Partial<
    Record<
      TableName | `${TableName}.${string}`,
      { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number }
    >
  >
>;

/** And the ARN of the stream of the restored AuditTrail. */
export type RestoredTables = Readonly<Record<TableName | 'AuditTrailStream', string>>;

export interface ConsoleConfig {
  /** Required except in the stage `local`. */
  readonly domain?: DomainConfig | undefined;
  /** The prefix must be unused in the region. */
  readonly signInPrefix: string;
  /** Its domain must be a verified identity of SES in the region of the stage. */
  readonly mailFrom: string;
  /** Accepted before the first live request. Change the version whenever the text changes. */
  readonly terms: { readonly version: string; readonly url: string };
  /** For the test wallet. */
  readonly testCredits: number;
  readonly documentationUrl: string;
}

/** A token bucket. */
export interface Throttling {
  /** Requests per second. */
  readonly rateLimit: number;
  readonly burstLimit: number;
}

export interface OperationsConfig {
  /** Receives alarms that someone must act on at once. Confirm the subscription once. */
  readonly alarmEmail?: string;
  /**
   * Whether Lambda traces a sample of the requests, whose size cannot be set (docs/operate/tracing.md). Errors are
   * complete in the log. @default false
   */
  readonly traces?: boolean;
  /** Receives all other alarms, and the budget's emails. Confirm the subscription once. @default `alarmEmail` */
  readonly ticketEmail?: string;
  /**
   * How traffic shifts to a new version of a function behind the API. A deployment with `-c deployNow=true` ignores it
   * (docs/operate/new-versions.md, "Deploy without a rollout"). @default all at once, without rollback
   */
  readonly rollout?: 'canary' | 'linear';
  /**
   * The number of requests that one IP address may send in a minute. Two addresses together must stay below half of
   * `throttling.rateLimit`, which is in requests per second. @default no firewall
   */
  readonly firewall?: { readonly requestsPerAddressPerMinute: number };
  /** The address of the API (docs/operate/domains.md). @default the URL that API Gateway generates */
  readonly domain?: DomainConfig;
  /**
   * Required with a domain: `closed` for a new stage, or the last day on which you keep the URL open for customers.
   */
  readonly generatedUrl?: 'closed' | OpenAddress;
  /** Domains that customers used before, and the last day on which you keep each open for them. @default none */
  readonly previousDomains?: readonly (DomainConfig & OpenAddress)[];
  /** Service Quotas, AWS Lambda, "Concurrent executions". */
  readonly accountConcurrency: number;
  /**
   * The account's API Gateway quota in this region, for all its APIs together. @default AWS's default: 10,000
   * requests per second and a burst of 5,000, or 2,500 and 1,250 in some regions, such as af-south-1
   */
  readonly accountThrottling?: Throttling;
  /** The users who may assume the roles of operators (docs/operate/admin/roles.md). @default see OperatorsConfig */
  readonly operators?: OperatorsConfig;
  /**
   * When customers are expected to send requests. The alarm `no-traffic` fires if no request with a live key arrives
   * for `quietMinutes` in these hours. Set it once the stage has customers. @default no alarm
   */
  readonly trafficHours?: TrafficHours;
  /**
   * AWS sends emails to `ticketEmail` or `alarmEmail` when the costs reach 80% and 100% of this amount, and when it forecasts more than
   * 100%. CloudFormation does not support budgets in some regions, such as af-south-1. @default no budget
   */
  readonly monthlyBudget?: MonthlyBudget;
  /**
   * A region, bootstrapped for the CDK, from which a function checks `GET /v1/health` and a look-up with the test key
   * each minute (docs/operate/runbooks/probe-failed.md). It needs `domain`, and costs about $2 a month. @default none
   */
  readonly probeRegion?: string;
  /**
   * Another AWS account of the same organisation, and another region, to which the tables are copied each day
   * (docs/operate/restore.md, "Backups"). @default no copies
   */
  readonly backup?: BackupConfig;
  /** Lets GitHub Actions deploy the stage (docs/operate/delivery.md). @default GitHub Actions has no role */
  readonly delivery?: DeliveryConfig;
  /** The age in days above which the alarm `secret-age` fires. @default 365 */
  readonly secretMaxAgeDays?: number;
}

export interface TrafficHours {
  /** In UTC: from 7 to 18 is 8:00 to 19:00 in Lagos. */
  readonly fromHourUtc: number;
  readonly toHourUtc: number;
  /** Whether to exclude Saturdays and Sundays. @default every day */
  readonly weekdaysOnly?: boolean;
  /** After how many minutes without a request with a live key the alarm fires. @default 30 */
  readonly quietMinutes?: 15 | 30 | 60;
}

export interface MonthlyBudget {
  /** The amount in US dollars. */
  readonly usd: number;
  /**
   * `stage`: only costs with this stage's tag, which must be activated as a cost allocation tag (docs/operate/cost.md).
   */
  readonly scope: 'account' | 'stage';
}

export interface OperatorsConfig {
  /**
   * The ARNs of the IAM users who may assume each role. They need no other permission if they belong to the account of
   * the stage. @default each IAM user of the account whose own policies allow `sts:AssumeRole` on the role
   */
  readonly users?: Partial<Readonly<Record<OperatorRole | 'break-glass', readonly string[]>>>;
  /** The longest session, in hours, from 1 to 12. @default 1 */
  readonly sessionHours?: number;
}

export interface BackupConfig {
  readonly account: string;
  readonly region: string;
}

export interface DeliveryConfig {
  /**
   * The repository, as in the subject of its tokens: `organisation/repository` or, if the repository uses immutable
   * subjects, `organisation@123456/repository@456789`. Only jobs in the environment named after the stage get access.
   */
  readonly repository: string;
  /** An account has one for GitHub: `create` it in one stage. */
  readonly identityProvider: 'create' | 'existing';
}

export interface DomainConfig {
  readonly name: string;
  /**
   * The ARN of a certificate in Certificate Manager, in the region of the stacks. Required without a hosted zone.
   * @default a certificate that the stack of the API or console creates, validated by a record in the hosted zone
   */
  readonly certificateArn?: string | undefined;
  /**
   * The public Route 53 zone for the records of the domain and its certificate, in the account of the stage.
   * @default none: add a record that points to the output DomainTarget
   */
  readonly hostedZone?: { readonly id: string; readonly name: string } | undefined;
}

interface OpenAddress {
  /** YYYY-MM-DD. Nothing closes automatically: after this day, the synthesis prints a reminder. */
  readonly openUntil: string;
}
