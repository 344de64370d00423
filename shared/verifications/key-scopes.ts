import {
  hasScope,
  matchScopeOf,
  PAY_SCOPE,
  READ_SCOPES,
  scopeOf,
  WITHDRAW_SCOPE,
} from '../accounts/key-limits.ts';
import { isPersonType } from './match-request.ts';
import { SERVICE_NAMES, SERVICES, type ServiceName } from './services.ts';

const LOOK_UPS = SERVICE_NAMES.filter((name) => name !== 'nin-slip');

export const KEY_SCOPES: readonly string[] = [
  scopeOf('*'),
  ...LOOK_UPS.map(scopeOf),
  matchScopeOf('*'),
  ...LOOK_UPS.filter((name) => isPersonType(SERVICES[name].idType)).map(matchScopeOf),
  ...READ_SCOPES,
  WITHDRAW_SCOPE,
  PAY_SCOPE,
];

/** Returns what a key with these scopes may look up, whether the service is enabled or not. */
export function accessTo(
  service: ServiceName,
  scopes: readonly string[] | undefined,
): 'full' | 'match_only' | 'none' {
  if (hasScope(scopes, scopeOf(service))) return 'full';
  const match = matchScopeOf(service);
  return KEY_SCOPES.includes(match) && hasScope(scopes, match) ? 'match_only' : 'none';
}
