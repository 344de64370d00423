import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stage } from '../../config.ts';
import { INVOKED_BY_API, PREFIXES, ROUTES, UNKNOWN_ROUTE } from '../../routes.ts';
import type { Access } from '../access/access.ts';
import { functionNameOf, rolloutName, servingPrefix } from '../physical-names.ts';

/**
 * Returns what the function that checks new versions may do. It may invoke every version, because CodeDeploy runs it
 * immediately after a version is published, and IAM takes seconds to apply a new policy.
 */
export function versionCheckAccess(stack: Stack, stage: Stage): Access {
  const arnOf = (service: string, resource: string, resourceName: string) =>
    stack.formatArn({ service, resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  const names = INVOKED_BY_API.map(({ name }) => functionNameOf(stage, name));
  const application = rolloutName(stage);
  return {
    environment: { CHECKED_ROUTES: JSON.stringify(checkedRoutes()), CHECKED_PREFIX: servingPrefix(stage) },
    statements: [
      new PolicyStatement({
        actions: ['codedeploy:GetDeployment', 'codedeploy:PutLifecycleEventHookExecutionStatus'],
        resources: [arnOf('codedeploy', 'deploymentgroup', `${application}/*`)],
      }),
      new PolicyStatement({
        actions: ['codedeploy:GetApplicationRevision'],
        resources: [arnOf('codedeploy', 'application', application)],
      }),
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: names.map((name) => arnOf('lambda', 'function', `${name}:*`)),
      }),
    ],
  };
}

/** Returns the method and path of each route, by the name of its function. */
function checkedRoutes(): Record<string, string> {
  const [prefix] = PREFIXES;
  return {
    ...Object.fromEntries(ROUTES.map(({ name, method, path }) => [name, `${method} ${prefix}${path}`])),
    [UNKNOWN_ROUTE.name]: 'GET /',
  };
}
