import { connect } from '../../shared/core/database.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { readSecret } from './secrets.ts';

/** The running service's log, written with the operator's rights. Import `service.ts` first: it names the tables. */

let written = 0;

/** As if the organisation had verified these NINs with a live key, those that the sandbox never finds included. */
export async function noteVerified(organisationId: string, nins: readonly string[]): Promise<void> {
  const wallet = { env: 'live', organisationId } as const;
  const pepper = await readSecret('PEPPER');
  const log = logTable(connect(), process.env['VERIFICATION_LOGS_TABLE'] ?? '', 365);
  for (const nin of nins) {
    written += 1;
    const [numberTag = ''] = numberTags(pepper, wallet, 'NIN', nin);
    await log.writeOnce({
      wallet,
      numberTag,
      operationId: `01KADA3CV5Y2M2J1Q0Q${String(written).padStart(7, '0')}`,
      requestId: `req_${written.toString(16).padStart(12, '0')}`,
      service: 'nin-basic',
      outcome: 'FOUND',
      httpStatus: 200,
      creditsCharged: 1,
      provider: 'sandbox',
      keyLabel: 'story',
      latencyMs: 12,
      requestedAt: new Date().toISOString(),
    });
  }
}
