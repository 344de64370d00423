import * as v from 'valibot';
import type { CallAws } from './aws-api.ts';

/** What CodeDeploy sends to a function before it shifts traffic to a new version. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

export interface NewVersion {
  readonly functionName: string;
  readonly version: string;
}

/** The deployments of CodeDeploy. */
export interface Deployments {
  /** Returns the version to which a deployment shifts traffic. Throws if CodeDeploy names none. */
  newVersionOf(deploymentId: string): Promise<NewVersion>;
  /** Instructs CodeDeploy to continue the deployment, or to end it and roll it back. */
  report(hook: HookEvent, status: 'Succeeded' | 'Failed'): Promise<void>;
}

const revision = v.looseObject({ revisionType: v.string() });
const deployment = v.object({
  deploymentInfo: v.object({ applicationName: v.string(), revision }),
});
const content = v.object({ content: v.string() });
const applicationRevision = v.object({
  revision: v.object({ appSpecContent: v.optional(content), string: v.optional(content) }),
});

/** Reads deployments and reports the results of their checks through CodeDeploy's API. */
export function codeDeploy(call: CallAws): Deployments {
  const send = (action: string, body: object) =>
    call({
      service: 'codedeploy',
      action,
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `CodeDeploy_20141006.${action}`,
      },
      body,
    });
  return {
    async newVersionOf(deploymentId) {
      const found = await send('GetDeployment', { deploymentId });
      const { applicationName, revision: location } = v.parse(deployment, found.body).deploymentInfo;
      // GetDeployment never returns the content of the revision (`aws deploy get-deployment help`).
      const stored = await send('GetApplicationRevision', { applicationName, revision: location });
      const { appSpecContent, string } = v.parse(applicationRevision, stored.body).revision;
      return readAppSpec((appSpecContent ?? string)?.content ?? '');
    },
    async report({ DeploymentId, LifecycleEventHookExecutionId }, status) {
      await send('PutLifecycleEventHookExecutionStatus', {
        deploymentId: DeploymentId,
        lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
        status,
      });
    },
  };
}

/** Reads the AppSpec of a Lambda deployment, which is JSON or YAML. The function and the version may be ARNs. */
function readAppSpec(text: string): NewVersion {
  const functionName = /(?<!\w)"?Name"?\s*:\s*"?(?:[\w:-]+:)?([\w-]+)/.exec(text)?.[1];
  const version = /"?TargetVersion"?\s*:\s*"?(?:[\w:-]+:)?(\d+)/.exec(text)?.[1];
  if (!functionName || !version) throw new Error('The AppSpec names no function or no target version.');
  return { functionName, version };
}
