import type { ApiKeyText } from '../accounts/api-key.ts';
import { type WarmUpStep, warmUp } from '../core/warm-up.ts';
import type { CallerDependencies } from './dependencies.ts';

/** A key that cannot exist: IDs of organisations have ten letters and digits, and hashes are hexadecimal. */
const NO_KEY: ApiKeyText = { env: 'live', organisationId: 'warm-up', hash: 'warm-up' };

/**
 * Warms up a route that needs a key: reads an account as the `api-key` middleware does, which opens the connection to
 * DynamoDB and compiles the code. `more` are further steps of the route. Never rejects.
 */
export function warmUpRoute(
  { accounts }: Pick<CallerDependencies, 'accounts'>,
  ...more: readonly WarmUpStep[]
): Promise<void> {
  return warmUp([() => accounts.readAccount(NO_KEY), ...more]);
}
