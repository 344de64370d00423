import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { IdType } from '../../core/id-types.ts';
import { TEST_TRAFFIC_KEY } from '../../core/keys.ts';
import { headerValues, type Middleware, type RequestContext } from '../../http/context.ts';
import type { CallerDependencies } from '../../http/dependencies.ts';
import { NO_STATES } from '../../registries/health/state-copies.ts';
import { GATEWAY_TYPES } from '../../verifications/services.ts';
import { type ApiKey, isUsable, readApiKeyText } from '../api-key.ts';
import { type KeyProblem, rejectKey } from './reject-key.ts';

/**
 * Requires a valid API key. One consistent read returns the key, its organisation, the limits of both, and the states
 * of registries not read in the last second. All invalid keys get the same response (decisions B1, B4, B5).
 */
export function apiKey(deps: CallerDependencies): Middleware {
  const { accounts, tools, registries } = deps;
  return {
    before: async function apiKeyBefore({ event, context: { requestContext } }) {
      if (hasKeyInQuery(event)) throw await rejectKey(requestContext, 'key-in-query', undefined, deps);
      const parsed = readApiKeyText(keyOf(event) ?? '');
      if (!parsed) throw await rejectKey(requestContext, 'missing-or-invalid-key', undefined, deps);
      const states = registries?.beginRead(parsed.env, typesOf(requestContext)) ?? NO_STATES;
      // The budget for test traffic limits only look-ups with test keys.
      const budget = registries && parsed.env === 'test' ? [TEST_TRAFFIC_KEY] : [];
      const others = { required: [...states.required, ...budget], spare: states.spare };
      const { key, organisation, limits, otherRows, leftOut } = await accounts.readAccount(parsed, others);
      if (!key || !organisation || !isUsable(key, tools.nowMs())) {
        const named = organisation && { wallet: parsed, limits };
        throw await rejectKey(requestContext, problemOf(key), named, deps);
      }
      const registryStates = states.complete(otherRows, leftOut);
      const testTraffic = otherRows.find((row) => row['pk'] === TEST_TRAFFIC_KEY.pk) ?? {};
      requestContext.caller = { env: key.env, key, organisation, limits, testTraffic, registryStates };
    },
  };
}

function problemOf(key: ApiKey | undefined): KeyProblem {
  if (!key) return 'unknown-key';
  return key.status === 'REVOKED' ? 'revoked-key' : 'expired-key';
}

/** Returns the ID types that may be requested. The body of a gateway request has not been read yet. */
function typesOf({ idType }: RequestContext): readonly IdType[] {
  return idType === '' ? GATEWAY_TYPES : [idType];
}

const BEARER = /^(?:Bearer +)?([0-9A-Za-z_]+)$/i;
const KEY_SHAPE = /idv_(?:live|test)_/;

/** Returns the key in the Authorization header, or undefined if the scheme is different or the header is repeated. */
function keyOf(event: APIGatewayProxyEvent): string | undefined {
  const [value, ...others] = headerValues(event, 'authorization');
  return others.length === 0 ? BEARER.exec(value ?? '')?.[1] : undefined;
}

/** Whether a key is in the URL. URLs remain in browser histories and logs, so the request is rejected. */
function hasKeyInQuery(event: APIGatewayProxyEvent): boolean {
  return KEY_SHAPE.test(JSON.stringify(event.multiValueQueryStringParameters ?? {}));
}
