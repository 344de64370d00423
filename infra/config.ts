import type { IdType } from '../shared/core/id-types.ts';
import type { LiveProviderName } from '../shared/registries/providers/catalogue.ts';

/** What may differ between the stages. Each has its file in `infra/stages`: change it there and deploy. */

export const STAGES = ['dev', 'staging', 'prod', 'local'] as const;
export type Stage = (typeof STAGES)[number];

/** The providers that serve live keys, by ID type, in the order in which they are asked. */
export type LiveRouting = Partial<Readonly<Record<IdType, readonly (LiveProviderName | 'sandbox')[]>>>;

export interface StageConfig {
  readonly stage: Stage;
  /** What API Gateway lets in for all callers together, in requests per second; keys have limits of their own. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** How long the lines of functions and of the access log are kept; one of CloudWatch's own steps. */
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  /** How long rows of VerificationLogs are kept (decision E6). */
  readonly verificationLogRetentionDays: number;
  /** An ID type that is missing here answers 503 to live keys. */
  readonly registries: LiveRouting;
  /** Longest wait for a registry (ledger design). */
  readonly registryTimeoutMs: number;
  /** Longest wait for one call of DynamoDB. */
  readonly databaseTimeoutMs: number;
  /** Takes the 13-digit Tax ID beside the TIN (decision D6). */
  readonly acceptTaxId: boolean;
  readonly logLevel: 'DEBUG' | 'INFO';
  readonly functionMemoryMb: number;
  /** The address in QR codes. @default that of the domain, or else the address of the request */
  readonly publicBaseUrl?: string | undefined;
  /** File of an authorised slip theme (docs/slips/README.md), from the project's root. @default our own theme */
  readonly slipTheme?: string | undefined;
  /** The event for a low balance is sent below so many credits (docs/events.md). */
  readonly lowBalanceCredits: number;
  /** Tables of a restore that serve in place of the data stack's own (docs/operations.md, "Restore"). @default none */
  readonly restoredTables?: Readonly<Record<'ApiKeys' | 'Wallets' | 'VerificationLogs', string>> | undefined;
  /** How it is run on AWS. Undefined only on this machine, which has no alarms, traces, events or rollouts. */
  readonly operations?: OperationsConfig | undefined;
}

export interface OperationsConfig {
  /** Every alarm and its end goes there, besides the SNS topic. Confirm the subscription once. */
  readonly alarmEmail?: string;
  /** How traffic moves to a new version of the API's functions. @default at once, without a way back */
  readonly rollout?: 'canary' | 'linear';
  /** Limits what one address may send, in requests per 5 minutes. @default no firewall */
  readonly firewall?: { readonly requestsPerAddress: number };
  /** @default the address that API Gateway draws */
  readonly domain?: DomainConfig;
  /** Bulkheads: instances that a function may have, and that are kept for it, by its name. @default none */
  readonly reservedConcurrency?: Readonly<Record<string, number>>;
  /** What the account may run at once in this region (Service Quotas, "Concurrent executions"). */
  readonly accountConcurrency: number;
  /** Days after which an alarm asks for new credentials and keys (docs/operations.md, "secret-age"). @default 365 */
  readonly secretMaxAgeDays?: number;
}

export interface DomainConfig {
  readonly name: string;
  /** Of Certificate Manager, in the region of the stacks. */
  readonly certificateArn: string;
  /** Where the name is entered. @default by hand, from the output DomainTarget */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}
