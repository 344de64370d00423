import { matchRecord } from '../../shared/verifications/match-record.ts';
import { chargedRoute, verificationRoute } from '../../shared/verifications/middleware/charged-route.ts';
import type { VerificationDependencies } from '../../shared/verifications/middleware/dependencies.ts';
import { verificationLog } from '../../shared/verifications/middleware/verification-log.ts';
import { dedicatedBody, slipBody } from '../../shared/verifications/requests.ts';
import { USUAL_RECORD } from '../slips/records.ts';
import { type Caller, codeOf, type EventInput, invoke } from './in-process.ts';
import type { MemoryService } from './memory-service.ts';

export const ninRoute = (deps: VerificationDependencies) =>
  verificationRoute(
    { name: 'nin-basic', idType: 'NIN', body: dedicatedBody('nin-basic'), matchRecord },
    deps,
  );

export const SOME_NIN = '41234567890';

export const findsAll: MemoryService['registry']['lookUp'] = async ({ number }) => ({
  kind: 'found',
  record: { ...USUAL_RECORD, nin: number },
});

/** Sends one request at the time of the service's clock. Returns the status, code, credits and raw response. */
export async function verifyNin(
  service: MemoryService,
  who: Caller,
  more: EventInput & {
    nin?: string;
    consent?: string;
    reason?: string;
    reference?: string;
    birthdate?: string;
    names?: object;
  } = {},
) {
  const { nin = SOME_NIN, consent, reason, reference, birthdate, names, ...event } = more;
  const match = birthdate !== undefined && { match: { ...names, birthdate }, match_only: true };
  const body = JSON.stringify({ nin, consent, reason, reference, ...match });
  const requestedAtMs = service.clock.nowMs;
  const response = await invoke(ninRoute(service.deps), { key: who.text, body, requestedAtMs, ...event });
  const { statusCode: status, headers = {} } = response;
  return { status, code: codeOf(response), credits: String(headers['X-Credits-Charged']), headers, response };
}

/**
 * Asks for a slip of a NIN for which the registry has no record. Returns the code: NIN_NOT_FOUND if the log permits the
 * slip, and otherwise VERIFICATION_LOG_NOT_FOUND.
 */
export async function askForSlip({ deps, clock }: MemoryService, who: Caller, nin = SOME_NIN) {
  const provider = { name: 'scripted', displayName: 'Scripted' };
  const route = chargedRoute(
    {
      route: { name: 'nin-slip', idType: 'NIN', body: slipBody },
      extra: { ofOperation: [verificationLog(deps)] },
      run: async () => ({
        kind: 'not-found',
        detail: '',
        maybeBilled: false,
        provider,
        failedProviders: [],
      }),
    },
    deps,
  );
  const body = JSON.stringify({ nin, slip_type: 'regular' });
  return codeOf(await invoke(route, { key: who.text, body, requestedAtMs: clock.nowMs }));
}
