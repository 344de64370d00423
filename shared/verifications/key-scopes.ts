import { matchScopeOf, PAY_SCOPE, READ_SCOPES, scopeOf } from '../accounts/key-limits.ts';
import { isPersonType } from './match-request.ts';
import { SERVICE_NAMES, SERVICES } from './services.ts';

const LOOK_UPS = SERVICE_NAMES.filter((name) => name !== 'nin-slip');

export const KEY_SCOPES: readonly string[] = [
  scopeOf('*'),
  ...LOOK_UPS.map(scopeOf),
  matchScopeOf('*'),
  ...LOOK_UPS.filter((name) => isPersonType(SERVICES[name].idType)).map(matchScopeOf),
  ...READ_SCOPES,
  PAY_SCOPE,
];
