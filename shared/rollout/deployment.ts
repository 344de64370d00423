import * as v from 'valibot';
import type { CallAws } from './aws-api.ts';

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
  /** Throws if CodeDeploy names none. */
  newVersionOf(deploymentId: string): Promise<NewVersion>;
  /** To continue, or to end and roll back. */
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
      // GetDeployment never returns the content (`aws deploy get-deployment help`).
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

/** JSON or YAML. The function and the version may be ARNs. */
function readAppSpec(text: string): NewVersion {
  const functionName = /(?<!\w)"?Name"?\s*:\s*"?(?:[\w:-]+:)?([\w-]+)/.exec(text)?.[1];
  const version = /"?TargetVersion"?\s*:\s*"?(?:[\w:-]+:)?(\d+)/.exec(text)?.[1];
  if (!functionName || !version) throw new Error('The AppSpec names no function or no target version.');
  return { functionName, version };
}
