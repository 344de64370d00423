import type { StageConfig } from '../config.ts';
import { stageFile } from './pin.ts';

/** Returns a reminder if a stage for customers or rehearsals does not say where customers can contact support. */
export function contactReminder({ stage, supportContact }: StageConfig): string[] {
  if (supportContact !== undefined || (stage !== 'staging' && stage !== 'prod')) return [];
  return [
    `${stageFile(stage)} does not set supportContact. Add the email address or https URL where customers contact support, ` +
      "for example supportContact: 'support@example.com': the OpenAPI document names it.",
  ];
}
