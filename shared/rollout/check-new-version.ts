import { readApiKeyText } from '../accounts/api-key.ts';
import { errorFields, logger } from '../core/logger.ts';
import type { Secret } from '../core/secrets.ts';
import type { Deployments, HookEvent, NewVersion } from './deployment.ts';
import type { InvokeVersion, RouteRequest, RouteResponse } from './invoke-version.ts';
import { type ExpectedResponse, ROUTE_CHECKS, type RouteCheck } from './route-checks.ts';

interface VersionCheckDependencies {
  readonly deployments: Deployments;
  readonly invoke: InvokeVersion;
  /** The test key in `current`. Empty until the operator stores one. */
  readonly readTestKey: () => Promise<Secret>;
  /** Such as `POST /v1/ng/nin-basic`, by route. */
  readonly routes: Readonly<Record<string, string>>;
  readonly functionPrefix: string;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Their cause may be temporary: for example, the sandbox is busy. */
const RETRIED = new Set([409, 429, 503, 504]);
/** Since its first transmission. */
const RETRY_MS = 45_000;
const PAUSE_MS = 3_000;

/**
 * Before a new version receives traffic. If the check itself fails, the deployment ends too: CodeDeploy would wait for
 * an hour.
 */
export async function checkNewVersion(hook: HookEvent, deps: VersionCheckDependencies): Promise<void> {
  const failure = await findFailure(hook, deps).catch((error: unknown) => {
    logger.error('version check failed', { deployment_id: hook.DeploymentId, ...errorFields(error) });
    return error instanceof Error ? error.message : 'The check failed.';
  });
  const line = { deployment_id: hook.DeploymentId, ...(failure !== undefined && { reason: failure }) };
  if (failure === undefined) logger.info('version accepted', line);
  else logger.error('version rejected', line);
  await deps.deployments.report(hook, failure === undefined ? 'Succeeded' : 'Failed');
}

/** Undefined if it may receive traffic. */
async function findFailure(hook: HookEvent, deps: VersionCheckDependencies): Promise<string | undefined> {
  const version = await deps.deployments.newVersionOf(hook.DeploymentId);
  const name = version.functionName.replace(deps.functionPrefix, '');
  const route = deps.routes[name];
  const check = ROUTE_CHECKS[name];
  if (!route || !check) return `${version.functionName} has no check.`;
  const request = requestOf(route, check);
  const failure = await sendUntilFinal(version, request, [check.withoutKey], deps);
  if (failure !== undefined || !check.withKey) return failure;
  const { current } = await deps.readTestKey();
  if (current === undefined) return undefined;
  if (readApiKeyText(current)?.env !== 'test') return 'The secret of the test key contains no test key.';
  const headers = {
    ...request.headers,
    Authorization: `Bearer ${current}`,
    // A repetition is a free replay.
    ...(check.body && { 'Idempotency-Key': `check-${hook.DeploymentId}` }),
  };
  return sendUntilFinal(version, { ...request, headers }, check.withKey, deps);
}

function requestOf(route: string, { body, pathParameters = {} }: RouteCheck): RouteRequest {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => pathParameters[parameter] ?? '');
  const hasParameters = Object.keys(pathParameters).length > 0;
  return {
    method,
    path,
    pathParameters: hasParameters ? pathParameters : null,
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body,
  };
}

/** Undefined if the response is as expected. */
async function sendUntilFinal(
  version: NewVersion,
  request: RouteRequest,
  expected: readonly ExpectedResponse[],
  { invoke, nowMs, wait }: VersionCheckDependencies,
): Promise<string | undefined> {
  const lastMs = nowMs() + RETRY_MS;
  for (;;) {
    const response = await invoke(version, request);
    if (expected.some((one) => fits(response, one))) return undefined;
    if (!RETRIED.has(response.status) || nowMs() + PAUSE_MS > lastMs) {
      const sent = `a request ${'Authorization' in request.headers ? 'with the test key' : 'without a key'}`;
      const wanted = expected.map(textOf).join(' or ');
      return `${version.functionName}:${version.version} responded with ${textOf(response)} to ${sent}. Expected: ${wanted}.`;
    }
    await wait(PAUSE_MS);
  }
}

function fits(response: RouteResponse, { status, code, contentType }: ExpectedResponse): boolean {
  return (
    response.status === status &&
    (code === undefined || response.code === code) &&
    (contentType === undefined || response.contentType.startsWith(contentType))
  );
}

function textOf({ status, code, contentType }: ExpectedResponse): string {
  return `${status} ${code || contentType || ''}`.trim();
}
