import { ServiceError } from '../core/errors.ts';
import type { AlertSettings, ChangeAlertsBody } from '../http/console/views.ts';
import { alertSettings, withAlert } from './alert.ts';
import type { AlertChoiceTable } from './alert-choice-table.ts';

const MAX_ATTEMPTS = 5;

/**
 * Switches one kind of alert on or off for an organisation. Returns the organisation's choice after the change. Throws
 * CHANGED_MEANWHILE if other members keep changing it.
 */
export async function switchAlert(
  organisationId: string,
  { kind, is_enabled: isEnabled }: ChangeAlertsBody,
  table: AlertChoiceTable,
): Promise<AlertSettings> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const before = await table.getChoice(organisationId);
    if (alertSettings(before)[kind] === isEnabled) return alertSettings(before);
    const after = withAlert(before, kind, isEnabled);
    if (await table.saveChoice(organisationId, before, after)) return alertSettings(after);
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}
