import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ConsoleConfig, StageConfig } from '../../config.ts';
import type { AccessProfile, SettingName } from './access-profiles.ts';

export interface ConsoleResources {
  readonly userPool: { readonly id: string; readonly arn: string; readonly issuer: string };
  /** The console's client in the user pool. */
  readonly clientId: string;
}

export function consoleAccess(
  { console: config }: StageConfig,
  resources: ConsoleResources | undefined,
  { signsIn, checksSecondFactor, createsAccounts, sendsMail: wantsMail }: AccessProfile,
) {
  // Without a console, operators send no emails.
  const sendsMail = wantsMail && config !== undefined;
  const usesPool = signsIn || createsAccounts;
  if (!usesPool && !sendsMail) return { environment: {}, statements: [] };
  if (!config || (usesPool && !resources))
    throw new Error("A function that signs people in needs the console's resources.");
  const { userPool, clientId } = resources ?? {};
  return {
    environment: {
      ...(userPool &&
        clientId &&
        signsIn && {
          SIGN_IN_ISSUER: userPool.issuer,
          SIGN_IN_CLIENT_ID: clientId,
        }),
      ...(userPool && usesPool && { SIGN_IN_POOL_ID: userPool.id }),
      ...(sendsMail && { MAIL_FROM: config.mailFrom }),
    },
    statements: [
      ...(usesPool && userPool
        ? [
            new PolicyStatement({
              actions: [
                // The client's secret is neither in a template nor in a variable.
                ...(signsIn ? ['cognito-idp:DescribeUserPoolClient'] : []),
                ...(createsAccounts ? ['cognito-idp:AdminCreateUser'] : []),
                ...(createsAccounts || checksSecondFactor ? ['cognito-idp:AdminGetUser'] : []),
              ],
              resources: [userPool.arn],
            }),
          ]
        : []),
      ...(sendsMail ? [mailStatement(config)] : []),
    ],
  };
}

/**
 * Allows emails only from the console's address. SES also checks the identity of the address, if it has one, its
 * default configuration set and, in the sandbox, the recipient's identity (aws-cdk 34402).
 */
function mailStatement({ mailFrom }: ConsoleConfig): PolicyStatement {
  const ses = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}`;
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [`${ses}:identity/*`, `${ses}:configuration-set/*`],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
}

/** The domain is an SES identity. */
export const mailDomain = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/** Returns the settings of the console's functions. */
export function consoleSettings({
  console: config,
  publicBaseUrl,
}: StageConfig): Partial<Record<SettingName, string | undefined>> {
  return {
    CONSOLE_URL: config?.domain && `https://${config.domain.name}`,
    // Empty in the local stage, whose runtime knows it.
    LINKED_CONSOLE_URL: config?.domain ? `https://${config.domain.name}` : '',
    TERMS: config && JSON.stringify(config.terms),
    TEST_CREDITS: config && String(config.testCredits),
    API_URL: publicBaseUrl ?? '',
    // Empty in the local stage, whose runtime serves it.
    DOCUMENTATION_URL: config && (config.domain ? config.documentationUrl : ''),
  };
}
