import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccountRecovery, type CfnUserPool, FeaturePlan, Mfa, UserPool } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { mailDomain } from '../access/console-access.ts';

const LEAST_PASSWORD_LENGTH = 12;

/**
 * The people who sign in to the account console, with their passwords and authenticator apps. There are no passkeys:
 * each one would need a call of its own to count as a second factor, which nothing makes. The pool is kept when its
 * stack is deleted, because it could not be restored. Its emails come from `mailFrom`. @default Cognito sends them, at
 * most 50 a day
 */
export class MemberPool extends UserPool {
  constructor(scope: Construct, id: string, { mailFrom }: { readonly mailFrom?: string | undefined }) {
    super(scope, id, {
      featurePlan: FeaturePlan.ESSENTIALS,
      // Cognito's own sign-up says that an address is taken, so the console has its own step.
      selfSignUpEnabled: false,
      userInvitation: {
        emailSubject: 'Your account in the account console',
        emailBody:
          'Sign in with {username} and the temporary password {####} within a day. You then choose your own. If you did not ask for an account, ignore this email.',
      },
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A changed address cannot be used to sign in until it is verified.
      keepOriginal: { email: true },
      standardAttributes: {
        email: { required: true, mutable: true },
        fullname: { required: true, mutable: true },
      },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      signInPolicy: { allowedFirstAuthFactors: { password: true } },
      passwordPolicy: {
        // Length instead of character classes (NIST SP 800-63B, 3.1.1.2).
        minLength: LEAST_PASSWORD_LENGTH,
        requireLowercase: false,
        requireUppercase: false,
        requireDigits: false,
        requireSymbols: false,
        tempPasswordValidity: Duration.days(1),
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      // No SMS, so no role.
      enableSmsRole: false,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const pool = this.node.defaultChild as CfnUserPool;
    if (mailFrom) pool.emailConfiguration = this.#mailFrom(mailFrom);
  }

  /** `UserPoolEmail.withSES` needs the region, but templates must work in every region. */
  #mailFrom(address: string): CfnUserPool.EmailConfigurationProperty {
    return {
      emailSendingAccount: 'DEVELOPER',
      from: address,
      sourceArn: Stack.of(this).formatArn({
        service: 'ses',
        resource: 'identity',
        resourceName: mailDomain(address),
      }),
    };
  }
}
