import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TrailArchive } from '../audit/archive.ts';
import type { Recorder } from '../audit/recorder.ts';
import type { Clock } from '../core/clock.ts';
import type { Secret } from '../core/secrets.ts';
import type { SendMail } from '../members/mail.ts';
import type { PaymentProviders } from '../payments/paystack/payment-provider.ts';
import type { MoneySettings } from '../payments/settings.ts';
import type { LiveProviderName } from '../registries/providers/catalogue.ts';

export interface Deployment {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Tables;
  /** Credits that one person may book on a day without a second one (`needsSecondPerson`). */
  readonly secondPersonAbove: number | undefined;
  readonly logRetentionDays: number;
  readonly money: MoneySettings | undefined;
  /** Number tags are derived from it. */
  pepper(): Promise<Secret>;
  /** The key that signs slips. */
  slipSecret(): Promise<Secret>;
  /** Their keys are read when they are needed. */
  paymentProviders(): PaymentProviders;
  /** Reads the credentials of a registry provider. */
  registryCredentials(name: LiveProviderName): Promise<Secret>;
  /** In the stage `local` only. */
  readonly isLocal: boolean;
  /** Undefined if it cannot be read here. */
  archive(): TrailArchive | undefined;
}

interface Tables {
  readonly apiKeys: string;
  readonly wallets: string;
  readonly verificationLogs: string;
  readonly auditTrail: string;
  readonly approvals: string;
  readonly payments: string;
  readonly console: string;
}

export interface ConsoleAccess {
  readonly url: string;
  readonly sendMail: SendMail;
}

/** What the operations of operators work on. */
export interface Workplace {
  readonly deployment: Deployment;
  readonly recorder: Recorder;
  readonly clock: Clock;
}
