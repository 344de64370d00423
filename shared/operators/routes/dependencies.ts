import { REAL_CLOCK } from '../../core/clock.ts';
import { setting, tableName } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { invokeAgain } from '../../core/invoke.ts';
import { secret } from '../../core/secrets.ts';
import { sesMail } from '../../members/ses-mail.ts';
import { paystackProviders } from '../../payments/paystack/paystack.ts';
import { stageMoneySettings } from '../../payments/settings.ts';
import { freshSlipSecret } from '../../slips/withdraw-slip.ts';
import type { ActionContext } from '../action.ts';
import type { BackgroundEvent } from '../background.ts';
import { type BackgroundTable, backgroundTable } from '../background-table.ts';
import type { Deployment } from '../deployment.ts';

/** What the functions of the operator API use. Functions use the real dependencies, and tests pass others. */
export interface OperatorDependencies extends Pick<ActionContext, 'deployment' | 'clock' | 'console'> {
  readonly background: () => BackgroundTable;
  /** Invokes this function again, without waiting for it. */
  readonly invokeAgain: (event: BackgroundEvent) => Promise<void>;
}

/** Reads a setting when it is needed, because each function has only the settings that its action uses. */
const deployment: Deployment = {
  get client() {
    return database();
  },
  get tables() {
    return {
      apiKeys: tableName('API_KEYS_TABLE'),
      wallets: tableName('WALLETS_TABLE'),
      verificationLogs: tableName('VERIFICATION_LOGS_TABLE'),
      auditTrail: tableName('AUDIT_TRAIL_TABLE'),
      approvals: tableName('APPROVALS_TABLE'),
      payments: tableName('PAYMENTS_TABLE'),
      console: tableName('CONSOLE_TABLE'),
    };
  },
  get secondPersonAbove() {
    return setting('SECOND_PERSON_ABOVE');
  },
  get logRetentionDays() {
    return setting('LOG_RETENTION_DAYS');
  },
  get money() {
    return stageMoneySettings();
  },
  pepper: () => secret('PEPPER'),
  slipSecret: freshSlipSecret,
  paymentProviders() {
    const baseUrl = stageMoneySettings()?.paystackUrl ?? '';
    return paystackProviders({
      credentials: () => secret('PAYMENTS'),
      baseUrl,
      allowLocal: setting('STAGE') === 'local',
    });
  },
  registryCredentials: (name) => secret(name.toUpperCase()),
  get isLocal() {
    return setting('STAGE') === 'local';
  },
  archive: () => undefined,
};

export const operatorDependencies = (): OperatorDependencies => ({
  deployment,
  clock: REAL_CLOCK,
  console() {
    const url = setting('LINKED_CONSOLE_URL');
    return url === '' ? undefined : { url, sendMail: sesMail(setting('MAIL_FROM')) };
  },
  background: () => backgroundTable(database(), setting('APPROVALS_TABLE')),
  invokeAgain,
});
