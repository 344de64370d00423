import * as v from 'valibot';
import { ALERT_KINDS } from '../alert.ts';

export const changeAlertsBody = v.strictObject({ kind: v.picklist(ALERT_KINDS), is_enabled: v.boolean() });
export type ChangeAlertsBody = v.InferInput<typeof changeAlertsBody>;
