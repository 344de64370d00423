import { PAY_SCOPE, READ_SCOPES } from '../accounts/key-limits.ts';
import { SERVICE_NAMES } from './services.ts';

/** All scopes that an API key may have. */
export const KEY_SCOPES: readonly string[] = [
  ...READ_SCOPES,
  PAY_SCOPE,
  'verify:*',
  ...SERVICE_NAMES.filter((name) => name !== 'nin-slip').map((name) => `verify:${name}`),
];
