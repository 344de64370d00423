import { PAY_SCOPE, READ_SCOPES } from '../accounts/key-limits.ts';
import { SERVICE_NAMES } from './services.ts';

/** Everything that the scopes of an API key may contain. */
export const KEY_SCOPES: readonly string[] = [
  ...READ_SCOPES,
  PAY_SCOPE,
  'verify:*',
  ...SERVICE_NAMES.filter((name) => name !== 'nin-slip').map((name) => `verify:${name}`),
];
