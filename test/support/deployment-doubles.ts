import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Listening, listen } from '../../infra/local/http-server.ts';

/** Test doubles for CodeDeploy and Lambda's Invoke API on one server. */

export interface DeploymentDoubles extends Listening {
  appSpec: string;
  /** Invokes a version: returns the result of the function, or an error as Lambda reports it. */
  invoke: (functionName: string, version: string, event: APIGatewayProxyEvent) => Promise<Invocation>;
  fail: (action: string) => { readonly status: number; readonly type: string } | undefined;
  /** All calls in order: the action of a CodeDeploy call, or the path and query of a Lambda call. */
  readonly calls: string[];
  readonly reports: unknown[];
}

export type Invocation = { readonly result: unknown } | { readonly crash: object };

const REVISION = { revisionType: 'AppSpecContent', appSpecContent: { sha256: 'a'.repeat(64) } };

/** Returns the AppSpec that CloudFormation writes for an alias whose version changes. */
export function appSpecOf(functionName: string, targetVersion: string): string {
  const Properties = { Name: functionName, Alias: 'live', CurrentVersion: '6', TargetVersion: targetVersion };
  return JSON.stringify({
    version: 0,
    Resources: [{ [functionName]: { Type: 'AWS::Lambda::Function', Properties } }],
    Hooks: [{ BeforeAllowTraffic: 'identity-prod-check-new-version' }],
  });
}

export async function startDeploymentDoubles(): Promise<DeploymentDoubles> {
  const calls: string[] = [];
  const reports: unknown[] = [];
  const codeDeploy = (action: string, body: Record<string, unknown>): unknown => {
    if (action === 'GetDeployment')
      return {
        deploymentInfo: {
          applicationName: 'identity-prod',
          deploymentId: body['deploymentId'],
          // CodeDeploy always returns null for the content here.
          revision: { ...REVISION, appSpecContent: { ...REVISION.appSpecContent, content: null } },
        },
      };
    if (action === 'GetApplicationRevision')
      return { revision: { ...REVISION, appSpecContent: { content: doubles.appSpec } } };
    reports.push(body);
    return { lifecycleEventHookExecutionId: body['lifecycleEventHookExecutionId'] };
  };
  const invoked = async (request: IncomingMessage, body: APIGatewayProxyEvent) => {
    const url = new URL(request.url ?? '', 'http://double');
    const [, name = ''] = /functions\/([^/]+)\/invocations$/.exec(url.pathname) ?? [];
    return doubles.invoke(name, url.searchParams.get('Qualifier') ?? '', body);
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const signed = /Credential=[^/]+\/\d{8}\/[^/]+\/(\w+)\/aws4_request/.exec(
      request.headers.authorization ?? '',
    )?.[1];
    const target = String(request.headers['x-amz-target'] ?? '').replace('CodeDeploy_20141006.', '');
    const action = target || 'Invoke';
    calls.push(target || String(request.url));
    const failure =
      signed === (target ? 'codedeploy' : 'lambda')
        ? doubles.fail(action)
        : { status: 403, type: 'InvalidSignatureException' };
    if (failure) {
      response.writeHead(failure.status, { 'x-amzn-errortype': failure.type });
      response.end(JSON.stringify({ __type: failure.type }));
    } else if (target) {
      response.end(JSON.stringify(codeDeploy(target, body)));
    } else {
      const invocation = await invoked(request, body);
      if ('crash' in invocation) response.setHeader('X-Amz-Function-Error', 'Unhandled');
      response.end(JSON.stringify('crash' in invocation ? invocation.crash : invocation.result));
    }
  });
  const doubles: DeploymentDoubles = {
    ...(await listen(server)),
    appSpec: '',
    invoke: async () => ({ crash: { errorType: 'NoFunction' } }),
    fail: () => undefined,
    calls,
    reports,
  };
  return doubles;
}
