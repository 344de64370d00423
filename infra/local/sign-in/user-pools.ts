import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { DEMO_MEMBERS } from '../demo-members.ts';
import type { Deployment } from '../templates/template.ts';

/** The user pools of the templates and their clients, with the properties that a sign-in depends on. */

export interface UserPool {
  readonly id: string;
  readonly arn: string;
  readonly logicalId: string;
  readonly clients: readonly UserPoolClient[];
  /** By their ID. */
  readonly people: Map<string, Person>;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Until the person has chosen their own, which this double does not ask for. */
  readonly temporaryPassword?: string;
  /** Whether they have set up an authenticator app. */
  readonly isProtected: boolean;
}

export interface UserPoolClient {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
}

const clientShape = v.object({
  UserPoolId: v.string(),
  ClientName: v.optional(v.string()),
  // Supports only clients with a secret and the code flow.
  GenerateSecret: v.literal(true),
  AllowedOAuthFlowsUserPoolClient: v.literal(true),
  AllowedOAuthFlows: v.tuple([v.literal('code')]),
  AllowedOAuthScopes: v.array(v.picklist(['openid', 'email', 'profile'])),
  CallbackURLs: v.pipe(v.array(v.string()), v.minLength(1)),
  LogoutURLs: v.optional(v.array(v.string()), []),
});

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(?=\/)/;

/**
 * Returns the user pools, with secrets that are generated for this run. Addresses on this machine get the port of
 * `consoleUrl`, which the templates cannot know. Throws if the runtime does not support a client's settings.
 */
export function userPoolsOf(deployment: Deployment, consoleUrl: string): UserPool[] {
  const { port } = new URL(consoleUrl);
  const local = (url: string) => url.replace(LOOPBACK, `http://$1:${port}`);
  const clients = deployment.ofType('AWS::Cognito::UserPoolClient').map((resource) => {
    const { success, output, issues } = v.safeParse(clientShape, deployment.properties(resource));
    if (!success) {
      const problems = issues.map((issue) => `\n- ${v.getDotPath(issue)}: ${issue.message}`);
      throw new Error(
        `The local runtime does not support this client of a user pool (${resource.logicalId}):${problems.join('')}`,
      );
    }
    const id = deployment.name(resource);
    return {
      id,
      poolId: output.UserPoolId,
      name: output.ClientName ?? id,
      secret: randomBytes(32).toString('hex'),
      scopes: output.AllowedOAuthScopes,
      callbackUrls: output.CallbackURLs.map(local),
      logoutUrls: output.LogoutURLs.map(local),
    };
  });
  return deployment.ofType('AWS::Cognito::UserPool').map((resource) => {
    const id = deployment.name(resource);
    return {
      id,
      arn: deployment.arn(resource),
      logicalId: resource.logicalId,
      clients: clients.filter(({ poolId }) => poolId === id),
      people: new Map(DEMO_MEMBERS.map((member) => [member.id, { ...member, isProtected: true }])),
    };
  });
}
