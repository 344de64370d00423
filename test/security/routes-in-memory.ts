import { verificationRoute } from '../../shared/http/chains.ts';
import type { VerificationDependencies } from '../../shared/http/dependencies.ts';
import { dedicatedBody } from '../../shared/verifications/requests.ts';
import { USUAL_RECORD } from '../slips/records.ts';
import { type Caller, codeOf, type EventParts, invoke } from './in-process.ts';
import type { MemoryService } from './memory-service.ts';

/** NIN Basic over a service in memory. */
export const ninRoute = (deps: VerificationDependencies) =>
  verificationRoute({ name: 'nin-basic', idType: 'NIN', body: dedicatedBody('nin-basic') }, deps);

export const SOME_NIN = '41234567890';

/** A registry that finds everybody, with the number that it was asked for. */
export const findsAll: MemoryService['registry']['answer'] = async ({ number }) => ({
  kind: 'found',
  record: { ...USUAL_RECORD, nin: number },
});

/** One request at the service's own time; status, code, credits and the raw answer. */
export async function askNin(service: MemoryService, who: Caller, more: EventParts & { nin?: string } = {}) {
  const { nin = SOME_NIN, ...event } = more;
  const body = JSON.stringify({ nin });
  const requestedAtMs = service.clock.nowMs;
  const answer = await invoke(ninRoute(service.deps), { key: who.text, body, requestedAtMs, ...event });
  const { statusCode: status, headers = {} } = answer;
  return { status, code: codeOf(answer), credits: String(headers['X-Credits-Charged']), headers, answer };
}
