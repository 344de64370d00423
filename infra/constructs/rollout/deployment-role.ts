import {
  type IRole,
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Adds a role that CodeDeploy uses to deploy a few functions. They do not share one, because CodeDeploy's calls to
 * Lambda appear to be limited per role: in another project, simultaneous deployments with one role exceeded the limit
 * (govuk-one-login/authentication-api#6806 and #6816). A role for each function would fill the stack (decision 9).
 */
export function deploymentRole(scope: Construct, id: string, { functionArn }: IFunction): IRole {
  // The managed policy allows only functions named `CodeDeployHook_…`.
  const mayCheck = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] });
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
    ],
    inlinePolicies: { check: new PolicyDocument({ statements: [mayCheck] }) },
  });
  // CDK would add the same permission again.
  return role.withoutPolicyUpdates();
}
