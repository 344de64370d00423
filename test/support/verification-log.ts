import { connect } from '../../shared/core/database.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { readSecret } from './service.ts';

let written = 0;

/**
 * Writes the log rows of an organisation that verified these NINs with a live key. They may include NINs for which
 * the sandbox registry has no record.
 */
export async function recordVerified(organisationId: string, nins: readonly string[]): Promise<void> {
  const wallet = { env: 'live', organisationId } as const;
  const pepper = await readSecret('PEPPER');
  const log = logTable(connect(), connect(), process.env['VERIFICATION_LOGS_TABLE'] ?? '', 365);
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
      keyLabel: 'test',
      latencyMs: 12,
      requestedAt: new Date().toISOString(),
    });
  }
}
