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
 * The caller is known from here on: one consistent read brings key and organisation, and how the registries are that
 * the route may ask. Every kind of bad key gets the same answer (decisions B1, B4, B5).
 */
export function apiKey({ accounts, tools, registries }: CallerDependencies): Middleware {
  return {
    before: async function apiKeyBefore({ event, context }) {
      const { requestContext } = context;
      if (hasKeyInQuery(event)) requestContext.detail = 'key-in-query';
      const text = requestContext.detail ? undefined : presentedKey(event);
      const presented = text === undefined ? undefined : readApiKeyText(text);
      const places = (presented && registries?.providerKeys(presented.env, typesOf(requestContext))) ?? [];
      const account =
        presented &&
        (await accounts.readAccount(presented.organisationId, presented.hash, places.map(registryStateKey)));
      const { key, organisation, notFoundTatMs = 0, besides = [] } = account ?? {};
      if (!key || !organisation || !isUsable(key, tools.nowMs())) {
        requestContext.headers['WWW-Authenticate'] = 'Bearer';
        throw new ServiceError(keyCode(requestContext.errorStyle));
      }
      const registryStates = statesAmong(places, besides);
      requestContext.caller = { env: key.env, key, organisation, notFoundTatMs, registryStates };
    },
  };
}

/** The gateway's type stands in its body, which nobody has read yet. */
function typesOf({ idType }: RequestContext): readonly IdType[] {
  return idType === '' ? GATEWAY_TYPES : [idType];
}

const BEARER = /^(?:Bearer +)?([0-9A-Za-z_]+)$/i;
const KEY_SHAPE = /idv_(?:live|test)_/;

/** The one Authorization header's key, with or without `Bearer`; undefined for any other scheme or a second header. */
function presentedKey(event: APIGatewayProxyEvent): string | undefined {
  const [value, ...others] = headerValues(event, 'authorization');
  return others.length === 0 ? BEARER.exec(value ?? '')?.[1] : undefined;
}

/** A key in an address stays in histories and logs: it is refused wherever it stands, and its request is flagged. */
function hasKeyInQuery(event: APIGatewayProxyEvent): boolean {
  return KEY_SHAPE.test(JSON.stringify(event.multiValueQueryStringParameters ?? {}));
}
