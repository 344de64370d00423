import { Aws, CfnOutput, DefaultStackSynthesizer, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DeliveryConfig, Stage } from '../config.ts';
import { deliveryRoleName } from '../constructs/physical-names.ts';

interface DeliveryStackProps extends StackProps {
  readonly stage: Stage;
  readonly delivery: DeliveryConfig;
}

const ISSUER = 'token.actions.githubusercontent.com';
/** The audience that `aws-actions/configure-aws-credentials` requests. */
const AUDIENCE = 'sts.amazonaws.com';

/** The app has no Docker images and no context look-ups. */
const BOOTSTRAP_ROLES = ['deploy-role', 'file-publishing-role'] as const;

/**
 * For GitHub Actions (docs/operate/delivery.md): may only assume the deployment roles of the CDK bootstrap, in this
 * account and region.
 */
export class DeliveryStack extends Stack {
  constructor(scope: Construct, id: string, { stage, delivery, ...props }: DeliveryStackProps) {
    super(scope, id, props);
    const providerArn =
      delivery.identityProvider === 'create'
        ? this.#createProvider()
        : this.formatArn({ service: 'iam', region: '', resource: 'oidc-provider', resourceName: ISSUER });
    const role = new Role(this, 'Role', {
      roleName: deliveryRoleName(stage),
      description: `Deploys the ${stage} stage from GitHub Actions`,
      assumedBy: new WebIdentityPrincipal(providerArn, {
        StringEquals: {
          [`${ISSUER}:aud`]: AUDIENCE,
          // No wildcard: a job gets the subject only if the environment's rules let it run.
          [`${ISSUER}:sub`]: `repo:${delivery.repository}:environment:${stage}`,
        },
      }),
      inlinePolicies: {
        deploy: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['sts:AssumeRole'], resources: this.#bootstrapRoles() }),
          ],
        }),
      },
    });
    new CfnOutput(this, 'DeliveryRole', { value: role.roleArn });
  }

  /** Kept when the stack is deleted: an account can have only one, and other stages may use it. */
  #createProvider(): string {
    const provider = new OidcProviderNative(this, 'GitHub', {
      url: `https://${ISSUER}`,
      clientIds: [AUDIENCE],
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    return provider.oidcProviderArn;
  }

  #bootstrapRoles(): string[] {
    const qualifier = DefaultStackSynthesizer.DEFAULT_QUALIFIER;
    return BOOTSTRAP_ROLES.map(
      (role) =>
        `arn:${Aws.PARTITION}:iam::${this.account}:role/cdk-${qualifier}-${role}-${this.account}-${this.region}`,
    );
  }
}
