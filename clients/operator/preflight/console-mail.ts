import {
  GetAccountCommand,
  GetConfigurationSetCommand,
  GetEmailIdentityCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { ConsoleConfig } from '../../../infra/config.ts';
import { mailDomain } from '../../../infra/constructs/access/console-access.ts';
import { CLIENT_SETTINGS, call, callUnless } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

const CHECK = 'console mail';

/**
 * Checks that SES can send the emails of the console. Without a verified domain, the deployment of the data stack
 * fails. In the SES sandbox, customers do not receive the emails that they need to sign up.
 */
export async function checkConsoleMail(world: World): Promise<Row[]> {
  const { console } = world.config;
  if (!console) return [ok(CHECK, 'The stage has no console.')];
  const rows = [...(await identityFaults(console, world)), ...(await accountFaults(console, world))];
  return rows.length > 0 ? rows : [ok(CHECK, `SES sends emails from ${console.mailFrom}.`)];
}

const clientIn = (region: string) => new SESv2Client({ ...CLIENT_SETTINGS, region });

function identity(EmailIdentity: string, region: string) {
  return callUnless(['NotFoundException'], 'ses:GetEmailIdentity', () =>
    clientIn(region).send(new GetEmailIdentityCommand({ EmailIdentity })),
  );
}

async function identityFaults({ mailFrom }: ConsoleConfig, { region }: World): Promise<Row[]> {
  const EmailIdentity = mailDomain(mailFrom);
  const found = await identity(EmailIdentity, region);
  if (found?.VerifiedForSendingStatus) {
    // SES prefers the settings of the address, if it is an identity of its own.
    const used = (await identity(mailFrom, region)) ?? found;
    return used.ConfigurationSetName ? configurationFaults(used.ConfigurationSetName, region) : [];
  }
  const records = [
    `# Add a CNAME record <token>._domainkey.${EmailIdentity} to <token>.dkim.amazonses.com for each of these tokens:`,
    `aws sesv2 get-email-identity --email-identity ${EmailIdentity} --region ${region} --query DkimAttributes.Tokens`,
  ];
  if (found)
    return [fault(CHECK, `SES has not verified the domain ${EmailIdentity} in ${region} yet.`, ...records)];
  return [
    fault(
      CHECK,
      `SES has no identity for the domain ${EmailIdentity} in ${region}.`,
      `aws sesv2 create-email-identity --email-identity ${EmailIdentity} --region ${region}`,
      ...records,
    ),
  ];
}

/** SES sends each email with the default configuration set of the identity. */
async function configurationFaults(ConfigurationSetName: string, region: string): Promise<Row[]> {
  const found = await callUnless(['NotFoundException'], 'ses:GetConfigurationSet', () =>
    clientIn(region).send(new GetConfigurationSetCommand({ ConfigurationSetName })),
  );
  if (found && found.SendingOptions?.SendingEnabled !== false) return [];
  return [
    fault(
      CHECK,
      `SES rejects all emails of the console: their default configuration set ${ConfigurationSetName} ${found ? 'is paused' : 'does not exist'}.`,
      found
        ? `aws sesv2 put-configuration-set-sending-options --configuration-set-name ${ConfigurationSetName} --sending-enabled --region ${region}`
        : `aws sesv2 create-configuration-set --configuration-set-name ${ConfigurationSetName} --region ${region}`,
    ),
  ];
}

async function accountFaults({ domain }: ConsoleConfig, { region }: World): Promise<Row[]> {
  const { ProductionAccessEnabled, SendingEnabled } = await call('ses:GetAccount', () =>
    clientIn(region).send(new GetAccountCommand({})),
  );
  if (!ProductionAccessEnabled)
    return [
      fault(
        CHECK,
        `The account is in the SES sandbox in ${region}: it can send only to verified addresses.`,
        '# AWS decides on the request, which takes about a day:',
        `aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url https://${domain?.name ?? '<domain>'} --contact-language EN --region ${region}`,
      ),
    ];
  if (SendingEnabled) return [];
  return [
    fault(
      CHECK,
      `AWS has paused email sending from this account in ${region}.`,
      "# AWS gives the reason in an email to the account's address. Once the cause is fixed:",
      `aws sesv2 put-account-sending-attributes --sending-enabled --region ${region}`,
    ),
  ];
}
