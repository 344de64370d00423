import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ConsoleConfig, StageConfig } from '../../config.ts';
import type { AccessProfile, SettingName } from './access-profiles.ts';

/** The sign-in resources to which functions of the account console can be given access. */
export interface ConsoleResources {
  /** The user pool that members sign in to. */
  readonly userPool: { readonly id: string; readonly arn: string; readonly issuer: string };
  /** The console's client in the user pool. */
  readonly clientId: string;
}

interface MailAndSignIn {
  readonly console?: ConsoleResources;
  readonly mailIdentityArn?: string;
}

/** Returns the variables and policy statements that one function needs to use these resources. */
export function consoleAccess(
  { console: config }: StageConfig,
  { console: resources, mailIdentityArn }: MailAndSignIn,
  { signsIn, checksSecondFactor, sendsMail: wantsMail }: AccessProfile,
) {
  // Without a console, operators send no emails.
  const sendsMail = wantsMail && config !== undefined;
  if (!signsIn && !sendsMail) return { environment: {}, statements: [] };
  if (!config || (signsIn && !resources) || (sendsMail && !mailIdentityArn))
    throw new Error("A function that signs people in or sends emails needs the console's resources.");
  const { userPool, clientId } = resources ?? {};
  return {
    environment: {
      ...(userPool &&
        clientId &&
        signsIn && {
          SIGN_IN_ISSUER: userPool.issuer,
          SIGN_IN_POOL_ID: userPool.id,
          SIGN_IN_CLIENT_ID: clientId,
        }),
      ...(sendsMail && { MAIL_FROM: config.mailFrom }),
    },
    statements: [
      // The function reads the client's secret, which is neither in a template nor in a variable.
      ...(signsIn && userPool
        ? [
            new PolicyStatement({
              actions: [
                'cognito-idp:DescribeUserPoolClient',
                ...(checksSecondFactor ? ['cognito-idp:AdminGetUser'] : []),
              ],
              resources: [userPool.arn],
            }),
          ]
        : []),
      ...(sendsMail && mailIdentityArn ? [mailStatement(config, mailIdentityArn)] : []),
    ],
  };
}

/** Allows emails only from the console's address. */
function mailStatement({ mailFrom }: ConsoleConfig, identityArn: string): PolicyStatement {
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [identityArn],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
}

/** Returns the domain of an email address. The domain is an SES identity. */
export const mailDomain = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/** Returns the settings of the console's functions. */
export function consoleSettings({
  console: config,
  publicBaseUrl,
}: StageConfig): Partial<Record<SettingName, string | undefined>> {
  return {
    CONSOLE_URL: config?.domain && `https://${config.domain.name}`,
    // Empty only in the local stage, whose runtime knows the address.
    LINKED_CONSOLE_URL: config?.domain ? `https://${config.domain.name}` : '',
    TERMS: config && JSON.stringify(config.terms),
    TEST_CREDITS: config && String(config.testCredits),
    API_URL: publicBaseUrl ?? '',
    // Empty only in the local stage, whose runtime serves the documentation.
    DOCUMENTATION_URL: config && (config.domain ? config.documentationUrl : ''),
  };
}
