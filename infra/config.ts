import type { TestTrafficLimits } from '../shared/accounts/test-traffic.ts';
import type { IdType } from '../shared/core/id-types.ts';
import type { OperatorRole } from '../shared/operators/actions.ts';
import type { MoneySettings } from '../shared/payments/settings.ts';
import type { LiveProviderName } from '../shared/registries/providers/catalogue.ts';
import type { TableName } from './constructs/access/access-profiles.ts';

/** The settings of a stage. To change one, edit the stage's file in `infra/stages` and deploy. */

export const STAGES = ['dev', 'staging', 'prod', 'local'] as const;
export type Stage = (typeof STAGES)[number];

/** The providers that serve live keys, by ID type, in order of preference. */
export type LiveRouting = Partial<Readonly<Record<IdType, readonly (LiveProviderName | 'sandbox')[]>>>;

export interface StageConfig {
  readonly stage: Stage;
  /**
   * The 12 digits of the stage's AWS account. Required in staging and prod (docs/operate/operations.md, "Account and region").
   * @default the account of the AWS profile
   */
  readonly account?: string | undefined;
  /**
   * The AWS region of the stage (docs/operate/regions.md). Required in staging and prod. @default the region of the AWS profile
   */
  readonly region?: string | undefined;
  /**
   * API Gateway's limit for each route that needs an API key. It applies to all callers together, and separately below
   * `/v1` and `/api/v1`. Each API key also has its own limit. 0 rejects all requests, including those to other routes.
   */
  readonly throttling: Throttling;
  /**
   * Lower limits, so that requests without an API key do not use up the account's quota (docs/operate/operations.md, "Limits of
   * API Gateway"): `routes` for each route that needs no key, `unknown` for each other method of each path.
   */
  readonly keylessThrottling: { readonly routes: Throttling; readonly unknown: Throttling };
  /** How long CloudWatch keeps the logs of functions and the access log, in days. */
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  /** How long rows of VerificationLogs are kept, in days (contract E6). */
  readonly verificationLogRetentionDays: number;
  /** Live keys receive 503 for an ID type that has no provider here. */
  readonly registries: LiveRouting;
  /** The time limit of a look-up at a registry, in milliseconds (docs/design/ledger.md). */
  readonly registryTimeoutMs: number;
  /**
   * Whether an account without a bank code is looked up at all banks whose check digit fits, through a provider with
   * free name enquiries (docs/operate/registries.md, "NUBAN, all providers"). If false, live requests without a bank code are
   * rejected.
   */
  readonly nubanResolve: boolean;
  /** How long one attempt of a DynamoDB call may take, in milliseconds. */
  readonly databaseTimeoutMs: number;
  readonly logLevel: 'DEBUG' | 'INFO';
  /** The memory of each function, in MB. Lambda assigns processor time in proportion. */
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
  /** The file of an authorised slip theme, relative to the project (docs/design/slips/README.md). @default built-in theme */
  readonly slipTheme?: string | undefined;
  /**
   * `Balance Low` is published when the balance falls below this number of credits (docs/operate/events.md). Organisations can
   * have their own threshold.
   */
  readonly lowBalanceCredits: number;
  /**
   * Each top-up and credit note of more credits than this needs a second person, and so does every correction, erasure,
   * change of a price and reopening of a month (docs/operate/admin.md, "Ask a second person").
   * @default nothing needs a second person
   */
  readonly secondPerson?: { readonly creditsAbove: number } | undefined;
  /**
   * Whether a customer-managed key protects the pepper and VerificationLogs (docs/operate/operations.md, "The key of the
   * stage").
   */
  readonly customerManagedKey: boolean;
  /** The seller, VAT and limits of top-ups (docs/finance/README.md). @default customers cannot pay through the API */
  readonly money?: MoneySettings | undefined;
  /** The archive of the audit trail (docs/operate/operations.md, "The archive of the audit trail"). */
  readonly auditArchive: AuditArchiveConfig;
  /** The account console (docs/operate/operations.md, "Set up the console"). @default no console */
  readonly console?: ConsoleConfig | undefined;
  /** Restored tables that replace those of the data stack (docs/operate/operations.md, "Restore"). @default none */
  readonly restoredTables?: RestoredTables | undefined;
  /**
   * The budget for look-ups with test keys: requests per second and look-ups in progress, for the stage and for each
   * organisation (docs/operate/operations.md, "Capacity"). @default derived from accountConcurrency
   */
  readonly testTraffic?: TestTrafficLimits | undefined;
  /**
   * Reserved concurrent executions by function name. They limit a function's capacity and guarantee it. The setting
   * replaces the default, so `{}` reserves none. @default derived from accountConcurrency (docs/operate/operations.md,
   * "Capacity")
   */
  readonly reservedConcurrency?: Readonly<Record<string, number>> | undefined;
  /**
   * The maximum number of concurrent executions of `deliver-webhook`, from 2 to 1,000 (docs/operate/operations.md, "Capacity").
   * @default a tenth of accountConcurrency, at least 2 and at most 40
   */
  readonly webhookConcurrency?: number | undefined;
  /** Settings for AWS. Undefined only in the stage `local`, which has no alarms, traces or rollouts. */
  readonly operations?: OperationsConfig | undefined;
}

interface AuditArchiveConfig {
  /** For how many days nobody can delete or replace an object. Applies to new objects only. */
  readonly retentionDays: number;
  /** A bucket in another AWS account and in the region of the stage. @default a bucket of the data stack */
  readonly bucket?: { readonly name: string; readonly account: string } | undefined;
}

/** The names of restored tables, and the ARN of the stream of the restored AuditTrail. */
export type RestoredTables = Readonly<Record<TableName | 'AuditTrailStream', string>>;

export interface ConsoleConfig {
  /** The address of the console. Required except in the stage `local`. */
  readonly domain?: DomainConfig | undefined;
  /**
   * The sign-in pages are at `https://<signInPrefix>.auth.<region>.amazoncognito.com`. The prefix must be unused in the
   * region.
   */
  readonly signInPrefix: string;
  /** The address that emails come from. Its domain must be a verified identity of SES in the region of the stage. */
  readonly mailFrom: string;
  /** The terms that a customer accepts before the first live request. Change the version whenever the text changes. */
  readonly terms: { readonly version: string; readonly url: string };
  /** How many free credits a customer can add to the test wallet each day. */
  readonly testCredits: number;
  /** Where the pages of the documentation are, as an https URL. */
  readonly documentationUrl: string;
}

/** A token bucket. */
export interface Throttling {
  /** Requests per second. */
  readonly rateLimit: number;
  /** The capacity of the bucket: how many requests may arrive at once. */
  readonly burstLimit: number;
}

export interface OperationsConfig {
  /** Subscribes this address to the SNS topic for alarms. Confirm the subscription once. */
  readonly alarmEmail?: string;
  /**
   * How traffic shifts to a new version of a function behind the API. A deployment with `-c deployNow=true` ignores it
   * (docs/operate/operations.md, "Deploy without a rollout"). @default all at once, without rollback
   */
  readonly rollout?: 'canary' | 'linear';
  /**
   * The number of requests that one IP address may send in a minute. Two addresses together must stay below half of
   * `throttling.rateLimit`, which is in requests per second. @default no firewall
   */
  readonly firewall?: { readonly requestsPerAddressPerMinute: number };
  /** The address of the API (docs/operate/operations.md, "Domains"). @default the URL that API Gateway generates */
  readonly domain?: DomainConfig;
  /**
   * Whether callers can still use the URL that API Gateway generates. Required with a domain. Use `closed` for a new
   * stage. If customers use the URL, state the last day on which you keep it open for them.
   */
  readonly generatedUrl?: 'closed' | OpenAddress;
  /** Domains that customers used before, and the last day on which you keep each open for them. @default none */
  readonly previousDomains?: readonly (DomainConfig & OpenAddress)[];
  /** The account's quota in this region (Service Quotas, AWS Lambda, "Concurrent executions"). */
  readonly accountConcurrency: number;
  /**
   * The account's API Gateway quota in this region, for all its APIs together. @default AWS's default: 10,000
   * requests per second and a burst of 5,000, or 2,500 and 1,250 in some regions, such as af-south-1
   */
  readonly accountThrottling?: Throttling;
  /** The users who may assume the roles of operators (docs/operate/admin.md, "Roles"). @default see OperatorsConfig */
  readonly operators?: OperatorsConfig;
  /**
   * When customers are expected to send requests. The alarm `no-traffic` fires if no request with a live key arrives
   * for `quietMinutes` in these hours. Set it once the stage has customers. @default no alarm
   */
  readonly trafficHours?: TrafficHours;
  /**
   * AWS sends emails to `alarmEmail` when the costs reach 80% and 100% of this amount, and when it forecasts more than
   * 100%. CloudFormation does not support budgets in some regions, such as af-south-1. @default no budget
   */
  readonly monthlyBudget?: MonthlyBudget;
  /** Lets GitHub Actions deploy the stage (docs/operate/delivery.md). @default GitHub Actions has no role */
  readonly delivery?: DeliveryConfig;
  /** The age in days above which the alarm `secret-age` fires (docs/operate/operations.md). @default 365 */
  readonly secretMaxAgeDays?: number;
}

export interface TrafficHours {
  /** The hours of the day in UTC, from 0 to 24: `{ fromHourUtc: 7, toHourUtc: 18 }` is 8:00 to 19:00 in Lagos. */
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
   * The costs to count: all costs of the account, or only those whose tag `stage` names this stage. AWS ignores the tag
   * until it is activated as a cost allocation tag (docs/operate/cost.md).
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

export interface DeliveryConfig {
  /**
   * The repository, as in the subject of its tokens: `organisation/repository` or, if the repository uses immutable
   * subjects, `organisation@123456/repository@456789`. Only jobs in the environment named after the stage get access.
   */
  readonly repository: string;
  /** An account has one identity provider for GitHub: `create` it in one of its stages, use `existing` in the rest. */
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

/** An address that was replaced but stays open. */
interface OpenAddress {
  /**
   * The last day on which customers may rely on the address, as YYYY-MM-DD. Nothing closes automatically: after this
   * day, the synthesis prints a reminder.
   */
  readonly openUntil: string;
}
