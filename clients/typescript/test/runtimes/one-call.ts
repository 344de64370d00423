import { IdentityClient, IdentityError } from '../../src/index.ts';
import { VirtualClock } from '../conformance/virtual-clock.ts';

/** Makes one call to the base URL in the first argument. Prints its error as JSON. Waits take no time. */

const [, , baseUrl = '', apiKey = '', number = ''] = process.argv;
using _ = new VirtualClock();
try {
  await new IdentityClient({ apiKey, baseUrl }).verify('NIN', number);
} catch (error) {
  if (!(error instanceof IdentityError)) throw error;
  const { kind, code = null, status = null, charged = null, retryable, message } = error;
  console.log(JSON.stringify({ kind, code, status, charged, retryable, message }));
}
