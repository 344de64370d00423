import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isUsable, readApiKeyText } from '../../accounts/api-key.ts';
import { ServiceError } from '../../core/errors.ts';
import type { IdType } from '../../core/id-types.ts';
import { registryStateKey } from '../../core/keys.ts';
import { statesAmong } from '../../registries/health/registry-state.ts';
import { keyCode } from '../../verifications/outcome-codes.ts';
import { GATEWAY_TYPES } from '../../verifications/services.ts';
import { headerValues, type Middleware, type RequestContext } from '../context.ts';
import type { CallerDependencies } from '../dependencies.ts';

/**
 * The API key is valid. One consistent read returns the key, its organisation, and the state of the registries that the
 * route may call. Every kind of bad key gets the same response (decisions B1, B4, B5).
 */
export function apiKey({ accounts, tools, registries }: CallerDependencies): Middleware {
  return {
    before: async function apiKeyBefore({ event, context: { requestContext } }) {
      if (hasKeyInQuery(event)) requestContext.detail = 'key-in-query';
      const text = requestContext.detail ? undefined : keyOf(event);
      const parsed = text === undefined ? undefined : readApiKeyText(text);
      const providers = (parsed && registries?.providerKeys(parsed.env, typesOf(requestContext))) ?? [];
      const account = parsed && (await accounts.readAccount(parsed, providers.map(registryStateKey)));
      const { key, organisation } = account ?? {};
      if (!account || !key || !organisation || !isUsable(key, tools.nowMs())) {
        requestContext.headers['WWW-Authenticate'] = 'Bearer';
        throw new ServiceError(keyCode(requestContext.errorStyle));
      }
      const { limits, otherRows } = account;
      const registryStates = statesAmong(providers, otherRows);
      requestContext.caller = { env: key.env, key, organisation, limits, registryStates };
    },
  };
}

/** The gateway's body names the type, and is not read yet. */
function typesOf({ idType }: RequestContext): readonly IdType[] {
  return idType === '' ? GATEWAY_TYPES : [idType];
}

const BEARER = /^(?:Bearer +)?([0-9A-Za-z_]+)$/i;
const KEY_SHAPE = /idv_(?:live|test)_/;

/** The key of the only Authorization header, with or without `Bearer`; undefined for another scheme or two headers. */
function keyOf(event: APIGatewayProxyEvent): string | undefined {
  const [value, ...others] = headerValues(event, 'authorization');
  return others.length === 0 ? BEARER.exec(value ?? '')?.[1] : undefined;
}

/** Keys in addresses remain in histories and logs, so such a request is rejected and flagged. */
function hasKeyInQuery(event: APIGatewayProxyEvent): boolean {
  return KEY_SHAPE.test(JSON.stringify(event.multiValueQueryStringParameters ?? {}));
}
