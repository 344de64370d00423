import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TrailArchive } from '../audit/archive.ts';
import type { Recorder } from '../audit/recorder.ts';
import type { Clock } from '../core/clock.ts';
import type { Secret } from '../core/secrets.ts';
import type { SendMail } from '../members/mail.ts';
import type { PaymentProviders } from '../payments/paystack/payment-provider.ts';
import type { MoneySettings } from '../payments/settings.ts';
import type { LiveProviderName } from '../registries/providers/catalogue.ts';

/** The tables and settings of one deployment, as far as the caller may use them. */
export interface Deployment {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Tables;
  /**
   * Top-ups and credit notes of more credits than this need a second person, as does every other change that
   * `needsSecondPerson` names. Undefined if nothing does.
   */
  readonly secondPersonAbove: number | undefined;
  /** How many days the rows of VerificationLogs are kept. */
  readonly logRetentionDays: number;
  /** The stage's money settings. Undefined if it has none. */
  readonly money: MoneySettings | undefined;
  /** Reads the secret from which number tags are derived. */
  pepper(): Promise<Secret>;
  /** Returns the payment provider of each environment. Its keys are read from their secret when they are needed. */
  paymentProviders(): PaymentProviders;
  /** Reads the credentials of a registry provider. */
  registryCredentials(name: LiveProviderName): Promise<Secret>;
  /** Whether providers may have a loopback address: only in the stage `local`. */
  readonly isLocal: boolean;
  /** Returns the archive of the audit trail. Undefined if it cannot be read here. */
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

/** The address of the account console, and the mailer for its emails. */
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
